import { bracketFault } from '../../aicl/recovery/bracket-fault.ts';
import { EndSearch } from '../../aicl/recovery/end-search.ts';
import type { AiclDocument } from '../../aicl/document.ts';
import { extraBrackets, foreignMessage } from '../../aicl/fault-words.ts';
import type { Fault } from '../../aicl/faults.ts';
import { followsSeparator } from '../../aicl/lexeme.ts';
import { BracketEnds, type ReadText } from '../../aicl/text-ends.ts';
import { TextPart } from '../../aicl/text-part.ts';
import { PartSource, TextSource, type TokenSource } from '../../aicl/token-source.ts';
import type { Unit } from '../../aicl/unit.ts';
import type { AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import type { Characters } from '../../../core/text/source-text.ts';
import type { Fix, Issue } from '../../../core/text/issue.ts';
import { moveFix } from '../move-issue.ts';
import { makeIssue } from './report.ts';

type Issues = readonly Issue<AiclRuleCode>[];

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
    const whole = readWhole(doc, before, rest, ends);
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

/** Reads `before` and the units after it, up to the first of some ends that makes them one value. */
function readWhole(
  doc: AiclDocument,
  before: Unit,
  rest: readonly Unit[],
  ends: readonly number[],
): Whole | undefined {
  for (const end of new Set(ends)) {
    const whole = readTo(doc, before, rest, end);
    if (whole) return whole;
  }
  return undefined;
}

function readTo(doc: AiclDocument, before: Unit, rest: readonly Unit[], end: number): Whole | undefined {
  const { source, text, start } = openSource(doc, before, rest, end);
  const closed = readClosed(doc, source, text, start);
  const texts = closed ? undefined : searchEnds(doc, source, text, start);
  const fault = closed ?? (texts && bracketFault('searched', text, start, texts));
  if (!fault) return undefined;
  const back = before.start - (rest[0]?.start ?? end);
  // The message is also valid as written, so the fix may change its meaning.
  const fixes = (fault.fixes ?? []).map(fix => ({ ...moveFix(fix, back), safe: false }));
  // Brackets alone may also be surplus, unless a text before them opens one.
  const isCertain =
    rest[0]?.issues[0]?.code !== 'aicl/extra-bracket' ||
    !texts?.every(({ start: from, bracket }) => !text.slice(from, bracket?.start).includes('['));
  return { end, fixes, isCertain };
}

interface OpenSource {
  readonly source: TokenSource;
  /** The text up to the end. */
  readonly text: Characters;
  /** The start of the message in it. */
  readonly start: number;
}

/** The text of a message and what follows it, up to `end`. Of long units the stored lexemes are read. */
function openSource(doc: AiclDocument, before: Unit, rest: readonly Unit[], end: number): OpenSource {
  const { longUnit, run } = doc.limits;
  if (end - before.start <= longUnit) {
    const text = doc.text.slice(before.start, end);
    return { source: new TextSource(text, doc.work, Infinity), text, start: 0 };
  }
  const [longest] = [before, ...rest].sort((one, other) => other.length - one.length);
  const old = longest?.parts && { list: longest.parts, start: longest.start };
  const source = new PartSource(doc.text, doc.work, { old, runLength: run });
  return { source, text: new TextPart(doc.text, 0, end), start: before.start };
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
function readClosed(
  doc: AiclDocument,
  source: TokenSource,
  text: Characters,
  start: number,
): Fault | undefined {
  const ends = new BracketEnds(text, doc.work, 'closed');
  const whole = source.accept(start, ends);
  return whole?.end === text.length ? bracketFault('closed', text, start, ends.texts) : undefined;
}

/** The texts that must end at a later bracket so that the source is one value. */
function searchEnds(
  doc: AiclDocument,
  { lexemes }: TokenSource,
  text: Characters,
  start: number,
): readonly ReadText[] | undefined {
  const search = new EndSearch(lexemes, text, start, {
    isWhole: end => end === text.length,
    limitAt: () => text.length,
    maxLength: Infinity,
  });
  const texts = search.find();
  doc.work.count += search.read;
  return texts;
}

/** The issue of the rest of a message. */
function reportRest(unit: Unit, rest: string, fixes: readonly Fix[]): Issues {
  const isBrackets = unit.issues[0]?.code === 'aicl/extra-bracket';
  const code = isBrackets ? 'aicl/extra-bracket' : 'aicl/foreign-text';
  const message = isBrackets ? extraBrackets(rest, true) : foreignMessage(rest, true);
  return [{ ...makeIssue(code, { start: 0, end: unit.length }, message), fixes }];
}
