import type { AiclRuleCode } from '../catalog/aicl-rules.ts';
import { replaceFix } from '../text/fix.ts';
import type { Fix } from '../text/issue.ts';
import { quote } from '../text/quote.ts';
import type { Span } from '../text/span.ts';
import { CONTENT_START, type AtomNode } from './ast.ts';
import { FULL_WIDTH, SEPARATORS } from './characters.ts';

/** A fault of syntax; offsets count from the unit's start. */
export interface Fault {
  readonly code: AiclRuleCode;
  readonly span: Span;
  readonly message: string;
  readonly fixes?: readonly Fix[];
}

/** So many faults of one unit are kept: a reader mends the first ones, and a long broken line must not fill the memory. */
const MAX_FAULTS = 10_000;

/** The faults of one unit as they are found, and what is said of each. */
export class FaultReport {
  readonly list: Fault[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Characters that stand for others. Full-width punctuation comes from an input method, so it is one fault a unit. */
  odd(places: readonly number[]): void {
    const wide = places.filter(at => FULL_WIDTH.has(this.#text.charAt(at)));
    for (const at of places) if (!wide.includes(at) || wide.length === 1) this.#oddCharacter(at);
    const [first] = wide;
    if (first === undefined || wide.length === 1) return;
    const edits = wide.map(at => ({
      span: { start: at, end: at + 1 },
      newText: meantBy(this.#text.charAt(at)),
    }));
    const message = `Full-width punctuation here and at ${wide.length - 1} more places of the message: write the ASCII marks`;
    this.add('aicl/full-width', { start: first, end: first + 1 }, message, [
      { title: 'Write all of them in ASCII', edits, safe: true },
    ]);
  }

  #oddCharacter(at: number): void {
    const character = this.#text.charAt(at);
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
    this.add('aicl/extra-bracket', span, EXTRA_BRACKET, [replaceFix('Remove it', span, '')]);
  }

  /** True for what ends where the unit does: a user may be typing it. */
  isAtEnd(span: Span): boolean {
    return span.end >= this.#text.trimEnd().length;
  }

  /** An atom whose bracket is missing. */
  openAtom(atom: AtomNode): void {
    const at = { start: atom.end, end: atom.end };
    this.add('aicl/missing-bracket', atom, `The ']' of ${quote(this.source(atom))} is missing`, [
      replaceFix("Insert ']'", at, ']'),
    ]);
  }

  /** One issue for all the brackets that are missing at the end: they have one place and, as a rule, one cause. */
  missingClosers(count: number): void {
    if (count === 0) return;
    const end = this.#text.trimEnd().length;
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
        ),
      ],
    );
  }

  /** Two entries without a comma between them: the end of the first, and the second. */
  missingComma(lastEnd: number, next: Span): void {
    this.add(
      'aicl/missing-comma',
      { start: next.start, end: Math.min(next.end, next.start + CONTENT_START) },
      "A ',' is missing before this",
      [replaceFix("Insert ','", { start: lastEnd, end: lastEnd }, ',')],
    );
  }

  /** A comma with nothing before it. */
  extraComma(at: number): void {
    const span = { start: at, end: at + 1 };
    this.add('aicl/extra-comma', span, 'Nothing stands before this comma: remove it', [
      replaceFix('Remove it', span, ''),
    ]);
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
      replaceFix('Remove it', span, ''),
    ]);
  }

  /** Adds a fault; past the limit one says that there are more. */
  add(code: AiclRuleCode, { start, end }: Span, message: string, fixes: readonly Fix[] = []): void {
    if (this.list.length > MAX_FAULTS) return;
    if (this.list.length === MAX_FAULTS) {
      this.list.push({
        code,
        span: { start, end },
        message: `More than ${MAX_FAULTS} faults in one message: the rest is not listed`,
      });
      return;
    }
    this.list.push({ code, span: { start, end }, message, ...(fixes.length > 0 && { fixes }) });
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

function meantBy(character: string): string {
  return FULL_WIDTH.get(character) ?? SEPARATORS.get(character) ?? character.toLowerCase();
}

/** A literal as JSON writes it, with its type; undefined for other text. */
function typeLiteral(source: string): string | undefined {
  if (/^-?[0-9]{1,18}$/.test(source)) return `[i:${source}]`;
  if (/^-?[0-9]{1,18}\.[0-9]{1,18}$/.test(source)) return `[f:${source}]`;
  if (/^(true|false)$/.test(source)) return `[b:${source}]`;
  const quoted = /^"([^"\\\][\r\n]{0,60})"$/.exec(source)?.[1];
  return quoted === undefined ? undefined : `[s:${quoted}]`;
}

/** What a reader is told about a bracket too many. */
export const EXTRA_BRACKET = "This ']' closes nothing: remove it";

/** What a reader is told about text that is no part of a message. */
export function foreignMessage(source: string): string {
  return `${quote(source)} is no part of a message: remove it`;
}
