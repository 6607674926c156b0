import type { AiclRuleCode } from '../../core/catalog/aicl-rules.ts';
import { replaceFix } from '../../core/text/fix.ts';
import type { Fix, RelatedPlace } from '../../core/text/issue.ts';
import { quote } from '../../core/text/quote.ts';
import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import { CONTENT_START, type AtomNode } from './ast.ts';
import { extraBrackets, foreignMessage, meantBy, typeLiteral } from './fault-words.ts';
import { FULL_WIDTH } from './characters.ts';

/** A fault of syntax; offsets count from the unit's start. */
export interface Fault {
  readonly code: AiclRuleCode;
  readonly span: Span;
  readonly message: string;
  readonly fixes?: readonly Fix[];
  readonly related?: readonly RelatedPlace[];
}

/** So many faults of one unit are kept: a reader mends the first ones, and a long broken line must not fill the memory. */
const MAX_FAULTS = 10_000;

/** Faults of what is in no tree. */
const UNREAD: ReadonlySet<AiclRuleCode> = new Set<AiclRuleCode>([
  'aicl/foreign-text',
  'aicl/unknown-type',
  'aicl/too-deep',
  'aicl/missing-key',
  'aicl/key-type',
]);

/** What was found between two commas of a list or dictionary. */
interface FieldFaults {
  /** Where the first fault of the field stands in the list; -1 while there is none. */
  index: number;
  isFaulty: boolean;
}

/** The faults of one unit as they are found, and what is said of each. */
export class FaultReport {
  readonly list: Fault[] = [];
  readonly #text: Characters;
  /** Where the text ends, without the blanks behind it. */
  readonly #end: number;
  #field: FieldFaults | undefined;
  #depth = 0;
  #countedDepth = 2;
  /** The fields of the outermost group, counted. */
  #outerField = 0;
  /** Faults of level, each with the outermost field that it stands in. */
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
   * Starts a field, that is what stands between two commas: of its own faults only the first is kept, for what follows
   * in it follows from that one. What its value holds are fields of their own.
   */
  openField(): void {
    this.#field = { index: -1, isFaulty: false };
    if (this.#depth <= this.#countedDepth) this.#outerField++;
  }

  /** A unit of several values or pairs has no group around them: they are the fields that are counted. */
  countTopFields(): void {
    this.#countedDepth = 1;
  }

  /** Starts a list or dictionary inside of a field; the answer is for `leaveGroup`. */
  enterGroup(): FieldFaults | undefined {
    this.#depth++;
    return this.#field;
  }

  /** Goes on in the field that holds the group. */
  leaveGroup(outer: FieldFaults | undefined): void {
    this.#field = outer;
    this.#depth--;
  }

  /**
   * A value where a pair belongs, or the reverse. One wrong bracket puts all that follows on the wrong level: where
   * fields that follow each other have such faults, the first is told, and where brackets do not match, the first of
   * the unit.
   */
  wrongLevel(code: AiclRuleCode, span: Span, message: string, fixes: readonly Fix[] = []): void {
    const fault = this.add(code, span, message, fixes);
    if (fault) this.#levels.set(fault, this.#outerField);
  }

  /** What is to be told of the unit. */
  finish(): readonly Fault[] {
    // A bracket that is in one place too many and in another missing was moved: that is all there is to tell.
    if (this.#hasExtra && this.#hasMissing) return this.list.filter(fault => !this.#levels.has(fault));
    const rows: Fault[] = [];
    let lastField = -Infinity;
    for (const [fault, field] of this.#levels) {
      const first = rows.at(-1);
      if (!first || (!this.#hasExtra && !this.#hasMissing && field > lastField + 1)) rows.push(fault);
      else if (fault.span.start < first.span.start) rows[rows.length - 1] = fault;
      lastField = field;
    }
    const told = new Set(rows);
    return this.list.filter(fault => !this.#levels.has(fault) || told.has(fault));
  }

  /** Characters that stand for others. Full-width punctuation comes from an input method, so it is one fault a unit. */
  odd(places: readonly number[]): void {
    const wide = places.filter(at => FULL_WIDTH.has(this.#characterAt(at)));
    for (const at of places) if (!wide.includes(at) || wide.length === 1) this.#oddCharacter(at);
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

  #oddCharacter(at: number): void {
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

  /** A bracket that closes nothing. */
  extraBracket(at: number): void {
    const span = { start: at, end: at + 1 };
    this.#hasExtra = true;
    // It belongs to no field: what closes nothing is one too many wherever it stands.
    const field = this.#field;
    this.#field = undefined;
    this.add('aicl/extra-bracket', span, extraBrackets(']'), [
      replaceFix('Remove it', span, '', { safe: false }),
    ]);
    this.#field = field;
  }

  /** True for what ends where the unit does: a user may be typing it. */
  isAtEnd(span: Span): boolean {
    return span.end >= this.#end;
  }

  /** An atom whose bracket is missing. */
  openAtom(atom: AtomNode): void {
    const at = { start: atom.end, end: atom.end };
    this.add('aicl/missing-bracket', atom, `The ']' of ${quote(this.source(atom))} is missing`, [
      replaceFix("Insert ']'", at, ']', { safe: false }),
    ]);
  }

  /**
   * One issue for all the brackets that are missing at the end: they have one place and, as a rule, one cause. The last
   * that stays open begins at `opened`.
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

  /** Two entries without a comma between them: the end of the first, and the second. */
  missingComma(lastEnd: number, next: Span): void {
    const isAlone = this.#field?.isFaulty === false;
    if (isAlone) this.openField();
    this.add(
      'aicl/missing-comma',
      { start: next.start, end: Math.min(next.end, next.start + CONTENT_START) },
      "A ',' is missing before this",
      [replaceFix("Insert ','", { start: lastEnd, end: lastEnd }, ',')],
    );
    // Between two whole values it is a fault of its own, and says nothing about the second.
    if (isAlone && this.#field) this.#field.isFaulty = false;
  }

  /** A comma with nothing before it. */
  extraComma(at: number): void {
    const { span, message, fixes } = describeComma(at);
    this.add('aicl/extra-comma', span, message, fixes);
  }

  /** The same at the start of a list or dictionary: what belongs there may stand elsewhere. */
  leadingComma(at: number): void {
    const { span, message, fixes } = describeComma(at);
    this.wrongLevel('aicl/extra-comma', span, message, fixes);
  }

  /** Text that is no part of a message; what is plainly a value without its type is named as one. */
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

  /** Adds a fault; past the limit one says that there are more. Answers undefined where it is not told. */
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
      // What stands for the rest says that something of it was not read.
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

  /** Of the fault that the field has already and a new one the first, which stays; undefined where it had none. */
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

  /** The text at a span. */
  source(span: Span): string {
    return this.#text.slice(span.start, span.end);
  }

  /** The name of a key, for a message. */
  name(key: AtomNode): string {
    return quote(this.#text.slice(key.start + CONTENT_START, key.contentEnd));
  }
}

function describeComma(at: number): Pick<Required<Fault>, 'span' | 'message' | 'fixes'> {
  const span = { start: at, end: at + 1 };
  return {
    span,
    message: 'Nothing stands before this comma: remove it',
    fixes: [replaceFix('Remove it', span, '')],
  };
}
