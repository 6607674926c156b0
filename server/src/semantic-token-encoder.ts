import { TOKEN_SIZE, type PackedTokens } from '../../language/tokens.ts';
import type { LineIndex } from '../../core/text/source-text.ts';

/**
 * Encodes tokens for the language server protocol: five numbers each, with the position relative to the
 * previous token. A token that spans lines becomes one token per line, without line ends.
 */
export class SemanticTokenEncoder {
  readonly data: number[] = [];
  readonly #lines: LineIndex;
  /** The position of the previous token. */
  #line = 0;
  #character = 0;

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  /** Adds tokens; they must follow the previous ones. */
  add(tokens: PackedTokens): void {
    const lines = this.#lines;
    for (let at = 0; at < tokens.length; at += TOKEN_SIZE) {
      const [end, kind] = [tokens[at + 1] ?? 0, tokens[at + 2] ?? 0];
      for (let start = tokens[at] ?? 0; start < end;) {
        const { line, character } = lines.toPosition(start);
        const lineEnd = lines.toOffset({ line, character: Infinity });
        this.#push(line, character, Math.min(end, lineEnd) - start, kind);
        start = lines.lineStart(line + 1);
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
