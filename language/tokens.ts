import { TOKEN_KINDS, type TokenKind } from '../core/catalog/token-kinds.ts';
import type { Span } from '../core/text/span.ts';

/** TextMate grammars do not colour longer lines; there the brackets are reported as tokens too. */
export const LONGEST_GRAMMAR_LINE = 20_000;

/**
 * The semantic tokens of a text in order, without overlaps; a token may span lines. Each token is three numbers: start
 * offset, end offset, index of its kind in `TOKEN_KINDS`. Packed because a file has tens of thousands.
 */
export type PackedTokens = readonly number[];

/** The number of array entries per token. */
export const TOKEN_SIZE = 3;

const INDEX_OF_KIND: ReadonlyMap<TokenKind, number> = new Map(
  TOKEN_KINDS.map((row, index) => [row.name, index] as const),
);

/**
 * Collects tokens within a span. Drops what lies outside and what overlaps an earlier token, which can occur
 * in invalid text.
 */
export class TokenBuilder {
  readonly packed: number[] = [];
  readonly span: Span;
  #end: number;

  constructor(span: Span) {
    this.span = span;
    this.#end = span.start;
  }

  /** Adds a token; tokens must be added in text order. */
  add(start: number, end: number, kind: TokenKind): void {
    const from = Math.max(start, this.#end);
    const to = Math.min(end, this.span.end);
    if (from >= to) return;
    this.packed.push(from, to, INDEX_OF_KIND.get(kind) ?? 0);
    this.#end = to;
  }

  /** Adds tokens whose offsets are relative to `base`. */
  addPacked(tokens: PackedTokens, base: number): void {
    const { start, end } = this.span;
    for (let at = 0; at < tokens.length; at += TOKEN_SIZE) {
      const from = Math.max((tokens[at] ?? 0) + base, start);
      const to = Math.min((tokens[at + 1] ?? 0) + base, end);
      if (from < to) this.packed.push(from, to, tokens[at + 2] ?? 0);
    }
    this.#end = Math.max(this.#end, this.packed.at(-2) ?? start);
  }
}

/** `#` or `//`, then a directive with its value, or a comment. */
const CONTAINER_LINE = /^((?:#|\/\/)\s*)(@[a-z]+)(?:(\s+)(\S.*)?)?$/;

/** Adds the tokens of a container line that starts at `start`; trailing blanks are left out. */
export function addContainerLine(tokens: TokenBuilder, source: string, start: number): void {
  const line = source.trimEnd();
  const found = CONTAINER_LINE.exec(line);
  const [, head = line, directive = '', gap = '', value = ''] = found ?? [];
  const at = start + head.length;
  tokens.add(start, at, 'comment');
  tokens.add(at, at + directive.length, 'decorator');
  tokens.add(
    at + directive.length + gap.length,
    at + directive.length + gap.length + value.length,
    'variable',
  );
}
