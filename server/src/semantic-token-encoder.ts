import { TOKEN_SIZE, type PackedTokens } from '../../language/tokens.ts';
import type { LineIndex } from '../../core/text/source-text.ts';

/**
 * Encodes tokens for the language server protocol: five numbers each, with the position relative to the
 * previous token. A token that spans lines becomes one token per line, without line ends.
 */
export class SemanticTokenEncoder {
  readonly data: number[] = [];
  readonly #lines: Lines;
  /** The position of the previous token. */
  #line = 0;
  #character = 0;

  constructor(lines: LineIndex) {
    this.#lines = new Lines(lines);
  }

  /** Adds tokens; they must follow the previous ones. */
  add(tokens: PackedTokens): void {
    const lines = this.#lines;
    for (let at = 0; at < tokens.length; at += TOKEN_SIZE) {
      const [end, kind] = [tokens[at + 1] ?? 0, tokens[at + 2] ?? 0];
      for (let start = tokens[at] ?? 0; start < end; start = lines.next) {
        lines.moveTo(start);
        this.#push(lines.number, start - lines.start, Math.min(end, lines.end) - start, kind);
      }
    }
  }

  #push(line: number, character: number, length: number, kind: number): void {
    if (length <= 0) return;
    const isSameLine = line === this.#line;
    this.data.push(line - this.#line, isSameLine ? character - this.#character : character, length, kind, 0);
    this.#line = line;
    this.#character = character;
  }
}

/** The line of the last offset, cached because tokens are ordered and most are on the same line. */
class Lines {
  readonly #lines: LineIndex;
  number = 0;
  start = 0;
  /** The end of the line, without the line break. */
  end = 0;
  /** The start of the next line. */
  next = 0;

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  moveTo(offset: number): void {
    if (offset >= this.start && offset < this.next) return;
    const lines = this.#lines;
    this.number = lines.lineAt(offset);
    this.start = lines.lineStart(this.number);
    this.end = lines.toOffset({ line: this.number, character: Infinity });
    this.next = this.number + 1 < lines.lineCount ? lines.lineStart(this.number + 1) : Infinity;
  }
}
