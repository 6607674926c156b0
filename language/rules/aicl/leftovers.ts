import { bracketFault } from '../../aicl/recovery/bracket-fault.ts';
import { EndSearch } from '../../aicl/recovery/end-search.ts';
import type { AiclDocument } from '../../aicl/document.ts';
import { extraBrackets, foreignMessage } from '../../aicl/fault-words.ts';
import type { Fault } from '../../aicl/faults.ts';
import { followsSeparator } from '../../aicl/lexeme.ts';
import { Scanner } from '../../aicl/scanner.ts';
import { BracketEnds, type ReadText } from '../../aicl/text-ends.ts';
import type { Unit } from '../../aicl/unit.ts';
import type { AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import type { Fix, Issue } from '../../../core/text/issue.ts';
import { moveFix } from '../move-issue.ts';
import { makeIssue } from './report.ts';

type Issues = readonly Issue<AiclRuleCode>[];

/** Maximum length of a message, with the text after it, that is read again. */
const MAX_READ = 131_072;
/** Maximum number of characters that all searches for later ends of texts read, including repeated reads. */
const MAX_SEARCHED = 2 * MAX_READ;

/** Rules about what a message lacks. It may be in the text after the message. */
const LACKS: ReadonlySet<AiclRuleCode> = new Set<AiclRuleCode>([
  'aicl/header-missing',
  'aicl/empty-session',
  'aicl/missing-field',
]);

/**
 * The issues of units that are the rest of a message or value, by the start of the unit. If the message and the
 * text after it are valid together when brackets inside texts belong to these texts, as in
 * `[d:[s:a]:[s:see [1]]]`, that was probably meant: one issue reports it, and its fix escapes the brackets and
 * removes nothing.
 */
export function findLeftovers(doc: AiclDocument): ReadonlyMap<number, Issues> {
  const found = new Map<number, Issues>();
  const reader = new WholeReader(doc);
  let foundTo = 0;
  let listedTo = 0;
  for (const unit of doc.units.withIssues()) {
    if (unit.isAccepted || unit.start < foundTo) continue;
    const index = doc.units.indexFrom(unit.start);
    const before = doc.units.at(index - 1);
    if (!before?.isAccepted || before.kind === 'container' || !isRest(doc, before, unit)) continue;
    // The units after it are tried once, so that the work stays linear.
    const rest = unit.start < listedTo ? [unit] : listRest(doc, index);
    listedTo = Math.max(listedTo, rest.at(-1)?.end ?? 0);
    const line = doc.text.slice(unit.start, unit.end).search(/[\r\n]/);
    const ends = [rest.at(-1)?.end ?? unit.end, unit.end, ...(line < 0 ? [] : [unit.start + line])];
    const whole = reader.read(before, unit, ends);
    if (!whole) continue;
    foundTo = whole.end;
    for (const { start, end } of rest) if (end <= whole.end) found.set(start, []);
    if (whole.isCertain) {
      found.set(unit.start, reportRest(unit, doc.text.slice(unit.start, unit.end), whole.fixes));
      found.set(
        before.start,
        before.issues.filter(({ code }) => !LACKS.has(code)),
      );
    } else
      found.set(
        unit.start,
        unit.issues.map(issue => ({ ...issue, fixes: [...(issue.fixes ?? []), ...whole.fixes] })),
      );
  }
  return found;
}

/** A message or value together with the text after it. */
interface Whole {
  readonly end: number;
  /** The fixes, with offsets from the start of the text after the message. */
  readonly fixes: readonly Fix[];
  /** False if brackets after the message may also be surplus. */
  readonly isCertain: boolean;
}

/** Reads messages together with the text after them. */
class WholeReader {
  readonly #doc: AiclDocument;
  #searched = 0;

  constructor(doc: AiclDocument) {
    this.#doc = doc;
  }

  /** Reads from `before` to the first of these ends that makes it whole; `unit` is the first one after `before`. */
  read(before: Unit, unit: Unit, ends: readonly number[]): Whole | undefined {
    for (const end of new Set(ends)) {
      const whole = this.#readTo(before, unit, end);
      if (whole) return whole;
    }
    return undefined;
  }

  #readTo(before: Unit, unit: Unit, end: number): Whole | undefined {
    if (end - before.start > MAX_READ) return undefined;
    const source = this.#doc.text.slice(before.start, end);
    const closed = readClosed(this.#doc, source);
    const texts = closed ? undefined : this.#search(source);
    const fault = closed ?? (texts && bracketFault('searched', source, 0, texts));
    if (!fault) return undefined;
    const back = before.start - unit.start;
    // The message is also valid as written, so the fix may change its meaning.
    const fixes = (fault.fixes ?? []).map(fix => ({ ...moveFix(fix, back), safe: false }));
    // Brackets alone may also be surplus, unless a text before them opens one.
    const isCertain =
      unit.issues[0]?.code !== 'aicl/extra-bracket' ||
      !texts?.every(({ start, bracket }) => !source.slice(start, bracket?.start).includes('['));
    return { end, fixes, isCertain };
  }

  #search(source: string): readonly ReadText[] | undefined {
    const search = new EndSearch(source, end => end === source.length);
    const texts = search.find(MAX_SEARCHED - this.#searched);
    this.#searched += search.read;
    this.#doc.work.count += search.read;
    return texts;
  }
}

/** True for a unit that may be the rest of the one before it: foreign text, or a broken value on the same line. */
function isRest(doc: AiclDocument, before: Unit, unit: Unit): boolean {
  return (
    unit.kind === 'foreign' ||
    (unit.kind === 'fragment' && !/[\r\n]/.test(doc.text.slice(before.end, unit.start)))
  );
}

/** The unit at an index and the units after it, up to a container line or the start of another message. */
function listRest(doc: AiclDocument, index: number): readonly Unit[] {
  const rest: Unit[] = [];
  for (let unit = doc.units.at(index); unit; unit = doc.units.at(index + rest.length)) {
    const isOther = unit.kind === 'message' && !followsSeparator(doc.text, unit.start);
    if (unit.kind === 'container' || isOther) break;
    rest.push(unit);
  }
  return rest;
}

/** The fault of brackets that close each other in texts, if the source is one value with them. */
function readClosed(doc: AiclDocument, source: string): Fault | undefined {
  const ends = new BracketEnds(source, doc.work, 'closed');
  const whole = new Scanner(source, doc.work).accept(0, { ends });
  return whole?.end === source.length ? bracketFault('closed', source, 0, ends.texts) : undefined;
}

/** The issue of the rest of a message. */
function reportRest(unit: Unit, rest: string, fixes: readonly Fix[]): Issues {
  const isBrackets = unit.issues[0]?.code === 'aicl/extra-bracket';
  const code = isBrackets ? 'aicl/extra-bracket' : 'aicl/foreign-text';
  const message = isBrackets ? extraBrackets(rest, true) : foreignMessage(rest, true);
  return [{ ...makeIssue(code, { start: 0, end: unit.length }, message), fixes }];
}
