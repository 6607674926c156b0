import type { AiclRuleCode } from '../../core/catalog/aicl-rules.ts';
import { replaceFix } from '../fix.ts';
import type { Fix, RelatedPlace } from '../../core/text/issue.ts';
import { quote } from '../../core/text/quote.ts';
import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import { CONTENT_START, type AtomNode } from './ast.ts';
import { extraBrackets, foreignMessage, meantBy, typeLiteral } from './fault-words.ts';
import { FULL_WIDTH } from './characters.ts';

/** A syntax fault; offsets are relative to the unit's start. */
export interface Fault {
  readonly code: AiclRuleCode;
  readonly span: Span;
  readonly message: string;
  readonly fixes?: readonly Fix[];
  readonly related?: readonly RelatedPlace[];
}

/** Maximum number of faults per unit, so that a long broken line does not fill the memory. */
const MAX_FAULTS = 10_000;

/** Codes of faults about text that is not in the tree. */
const UNREAD: ReadonlySet<AiclRuleCode> = new Set<AiclRuleCode>([
  'aicl/foreign-text',
  'aicl/unknown-type',
  'aicl/too-deep',
  'aicl/missing-key',
  'aicl/key-type',
]);

/** The faults between two commas of a list or dictionary. */
interface FieldFaults {
  /** The index of the field's first fault in the list; -1 without one. */
  index: number;
  isFaulty: boolean;
}

/** Collects the faults of one unit and words their messages. */
export class FaultReport {
  readonly list: Fault[] = [];
  readonly #text: Characters;
  /** The end of the text without trailing blanks. */
  readonly #end: number;
  #field: FieldFaults | undefined;
  #depth = 0;
  #countedDepth = 2;
  /** The number of the current field of the outermost group. */
  #outerField = 0;
  /** Faults reported by `wrongLevel`, each with the number of its outermost field. */
  readonly #levels = new Map<Fault, number>();
  #hasExtra = false;
  #hasMissing = false;

  constructor(text: Characters) {
    this.#text = text;
    let end = text.length;
    while (end > 0 && text.slice(end - 1, end).trim() === '') end--;
    this.#end = end;
  }

  /**
   * Starts a field, which is the part between two commas. Only its first fault is reported, because later
   * ones are usually consequences. Values inside it have fields of their own.
   */
  openField(): void {
    this.#field = { index: -1, isFaulty: false };
    if (this.#depth <= this.#countedDepth) this.#outerField++;
  }

  /** Counts the top-level entries as fields, for a unit without an enclosing group. */
  countTopFields(): void {
    this.#countedDepth = 1;
  }

  /** Enters a list or dictionary; pass the result to `leaveGroup`. */
  enterGroup(): FieldFaults | undefined {
    this.#depth++;
    return this.#field;
  }

  /** Leaves a group and continues in the field that contains it. */
  leaveGroup(outer: FieldFaults | undefined): void {
    this.#field = outer;
    this.#depth--;
  }

  /**
   * Reports a value in place of a pair, or the reverse. One wrong bracket shifts everything after it to the
   * wrong level. Therefore only the first fault is reported of consecutive fields with such faults, and only
   * the first of the unit if brackets do not match.
   */
  wrongLevel(code: AiclRuleCode, span: Span, message: string, fixes: readonly Fix[] = []): void {
    const fault = this.add(code, span, message, fixes);
    if (fault) this.#levels.set(fault, this.#outerField);
  }

  /** The faults to report for the unit. */
  finish(): readonly Fault[] {
    // An extra and a missing bracket together mean that a bracket was moved, so faults of level are consequences.
    if (this.#hasExtra && this.#hasMissing) return this.list.filter(fault => !this.#levels.has(fault));
    const rows: Fault[] = [];
    let lastField = -Infinity;
    for (const [fault, field] of this.#levels) {
      const first = rows.at(-1);
      if (!first || (!this.#hasExtra && !this.#hasMissing && field > lastField + 1)) rows.push(fault);
      else if (fault.span.start < first.span.start) rows[rows.length - 1] = fault;
      lastField = field;
    }
    const reported = new Set(rows);
    return this.list.filter(fault => !this.#levels.has(fault) || reported.has(fault));
  }

  /**
   * Reports characters written in place of others. All full-width punctuation of a unit is one fault, because
   * it comes from an input method.
   */
  addUnexpected(places: readonly number[]): void {
    const wide = places.filter(at => FULL_WIDTH.has(this.#characterAt(at)));
    for (const at of places) if (!wide.includes(at) || wide.length === 1) this.#unexpectedCharacter(at);
    const [first] = wide;
    if (first === undefined || wide.length === 1) return;
    const edits = wide.map(at => ({
      span: { start: at, end: at + 1 },
      newText: meantBy(this.#characterAt(at)),
    }));
    const message = `Full-width punctuation here and at ${wide.length - 1} more places of the message: write the ASCII marks`;
    this.add('aicl/full-width', { start: first, end: first + 1 }, message, [
      { title: 'Write all of them in ASCII', edits, safe: true },
    ]);
  }

  #unexpectedCharacter(at: number): void {
    const character = this.#characterAt(at);
    const span = { start: at, end: at + 1 };
    const meant = meantBy(character);
    const [code, what] = FULL_WIDTH.has(character)
      ? (['aicl/full-width', `Full-width ${quote(character)}`] as const)
      : /[A-Z]/.test(character)
        ? (['aicl/unknown-type', `There is no type ${quote(character)}`] as const)
        : (['aicl/foreign-text', `${quote(character)} separates nothing here`] as const);
    this.add(code, span, `${what}: write '${meant}'`, [replaceFix(`Write '${meant}'`, span, meant)]);
  }

  /** Reports an unmatched closing bracket. */
  extraBracket(at: number): void {
    const span = { start: at, end: at + 1 };
    this.#hasExtra = true;
    // Reported outside of the field, so that it neither hides nor is hidden by other faults.
    const field = this.#field;
    this.#field = undefined;
    this.add('aicl/extra-bracket', span, extraBrackets(']'), [
      replaceFix('Remove it', span, '', { safe: false }),
    ]);
    this.#field = field;
  }

  /** True if the span ends where the unit does: the user may still be typing it. */
  isAtEnd(span: Span): boolean {
    return span.end >= this.#end;
  }

  /** Reports an atom without a closing bracket. */
  openAtom(atom: AtomNode): void {
    const at = { start: atom.end, end: atom.end };
    this.add('aicl/missing-bracket', atom, `The ']' of ${quote(this.source(atom))} is missing`, [
      replaceFix("Insert ']'", at, ']', { safe: false }),
    ]);
  }

  /**
   * Reports all brackets that are missing at the end as one fault, because they have one position and usually
   * one cause. The last unclosed bracket is at `opened`.
   */
  missingClosers(count: number, opened: number): void {
    if (count === 0) return;
    this.#hasMissing = true;
    const end = this.#end;
    const what = count === 1 ? "A closing ']' is missing" : `${count} closing brackets are missing`;
    this.add(
      'aicl/missing-bracket',
      { start: Math.max(0, end - 1), end },
      `${what} before the message ends here`,
      [
        replaceFix(
          `Insert '${']'.repeat(Math.min(count, 8))}${count > 8 ? '…' : ''}'`,
          { start: end, end },
          ']'.repeat(count),
          { safe: false },
        ),
      ],
      [{ span: { start: opened, end: opened + CONTENT_START }, message: 'This bracket stays open' }],
    );
  }

  /** Reports a missing comma between two entries: the end of the first, and the second. */
  missingComma(lastEnd: number, next: Span): void {
    const isAlone = this.#field?.isFaulty === false;
    if (isAlone) this.openField();
    this.add(
      'aicl/missing-comma',
      { start: next.start, end: Math.min(next.end, next.start + CONTENT_START) },
      "A ',' is missing before this",
      [replaceFix("Insert ','", { start: lastEnd, end: lastEnd }, ',')],
    );
    // Between two complete values the fault is independent of faults in the second one.
    if (isAlone && this.#field) this.#field.isFaulty = false;
  }

  /** Reports a comma without a value before it. */
  extraComma(at: number): void {
    const { span, message, fixes } = describeComma(at);
    this.add('aicl/extra-comma', span, message, fixes);
  }

  /** The same at the start of a list or dictionary, where the missing entry may be in another place. */
  leadingComma(at: number): void {
    const { span, message, fixes } = describeComma(at);
    this.wrongLevel('aicl/extra-comma', span, message, fixes);
  }

  /** Reports foreign text, or a missing type if the text is a plain literal. */
  foreign(span: Span): void {
    const typed = typeLiteral(this.source(span));
    if (typed !== undefined) {
      const message = `${quote(this.source(span))} has no type: write '${typed}'`;
      this.add('aicl/unknown-type', span, message, [
        replaceFix(`Write '${typed}'`, span, typed, { safe: false }),
      ]);
      return;
    }
    this.add('aicl/foreign-text', span, foreignMessage(this.source(span)), [
      replaceFix('Remove it', span, '', { safe: false }),
    ]);
  }

  /**
   * Adds a fault; the first one past the limit is replaced by a note that there are more. Returns undefined
   * if the fault is not listed.
   */
  add(
    code: AiclRuleCode,
    { start, end }: Span,
    message: string,
    fixes: readonly Fix[] = [],
    related: readonly RelatedPlace[] = [],
  ): Fault | undefined {
    const fault: Fault = {
      code,
      span: { start, end },
      message,
      ...(fixes.length > 0 && { fixes }),
      ...(related.length > 0 && { related }),
    };
    const known = this.#knownFault(fault);
    if (known) return known === fault ? fault : undefined;
    if (this.list.length > MAX_FAULTS) {
      // The note for the rest gets a code which shows that some of it was not read.
      const rest = this.list[MAX_FAULTS];
      if (rest && UNREAD.has(code) && !UNREAD.has(rest.code)) this.list[MAX_FAULTS] = { ...rest, code };
      return undefined;
    }
    if (this.list.length === MAX_FAULTS) {
      this.list.push({
        code,
        span: { start, end },
        message: `More than ${MAX_FAULTS} faults in one message: the rest is not listed`,
      });
      return undefined;
    }
    this.list.push(fault);
    return fault;
  }

  /**
   * Of the current field's fault and a new one, the one that starts first, which is then listed; undefined if
   * the field had none.
   */
  #knownFault(fault: Fault): Fault | undefined {
    const field = this.#field;
    if (!field) return undefined;
    field.isFaulty = true;
    const known = this.list[field.index];
    if (!known && this.list.length < MAX_FAULTS) field.index = this.list.length;
    if (!known || known.span.start <= fault.span.start) return known;
    return (this.list[field.index] = fault);
  }

  #characterAt(at: number): string {
    return this.#text.slice(at, at + 1);
  }

  /** The text of a span. */
  source(span: Span): string {
    return this.#text.slice(span.start, span.end);
  }

  /** A key's name, quoted for a message. */
  name(key: AtomNode): string {
    return quote(this.#text.slice(key.start + CONTENT_START, key.contentEnd));
  }
}

function describeComma(at: number): Pick<Required<Fault>, 'span' | 'message' | 'fixes'> {
  const span = { start: at, end: at + 1 };
  return {
    span,
    message: 'There is nothing before this comma: remove it',
    fixes: [replaceFix('Remove it', span, '')],
  };
}
