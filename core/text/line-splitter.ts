import type { Span } from './span.ts';

/** An engine finds one of two characters much faster than a loop. */
const LINE_BREAK = /[\n\r]/g;

/** A line without its line break, and its span in the whole text. */
export interface Line extends Span {
  readonly text: string;
}

/**
 * Splits text that arrives in pieces into lines. LF and CRLF end a line, also when
 * a CRLF is split over two pieces; a lone CR ends a line or is data, depending on
 * `loneReturn`. Linear: each piece is searched once and each line is joined once.
 */
export class LineSplitter {
  readonly #loneReturn: 'end' | 'data';
  #open: string[] = [];
  /** The start of the line that is incomplete. */
  #start = 0;
  #endedInCr = false;

  constructor(loneReturn: 'end' | 'data' = 'end') {
    this.#loneReturn = loneReturn;
  }

  /** The lines that this piece completes. */
  push(piece: string): readonly Line[] {
    if (piece === '') return [];
    const lines: Line[] = [];
    // The previous piece ended in CR, which already ended the line; this LF belongs to that CRLF.
    let from = this.#endedInCr && piece.startsWith('\n') ? 1 : 0;
    this.#start += from;
    this.#endedInCr = this.#loneReturn === 'end' && piece.endsWith('\r');
    for (let end = this.#findEnd(piece, from); end < piece.length; end = this.#findEnd(piece, from)) {
      const rest = piece.slice(from, end);
      from = piece.startsWith('\r\n', end) ? end + 2 : end + 1;
      lines.push(this.#close(rest, from - end));
    }
    if (from < piece.length) this.#open.push(piece.slice(from));
    return lines;
  }

  /** The last line if it has no line break; empty if there is none. */
  end(): Line {
    return this.#close('', 0);
  }

  /** True while an incomplete line is buffered. */
  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  #findEnd(piece: string, from: number): number {
    if (this.#loneReturn === 'end') return findLineEnd(piece, from);
    const feed = piece.indexOf('\n', from);
    return feed < 0 ? piece.length : feed;
  }

  #close(rest: string, breakLength: number): Line {
    const all = this.#open.length === 0 ? rest : [...this.#open, rest].join('');
    const isCrlf = this.#loneReturn === 'data' && breakLength > 0 && all.endsWith('\r');
    const text = isCrlf ? all.slice(0, -1) : all;
    const start = this.#start;
    this.#open = [];
    this.#start += all.length + breakLength;
    return { text, start, end: start + text.length };
  }
}

/** The end of the line that contains an offset, without its line break: LF, CRLF or CR. */
export function findLineEnd(text: string, from: number): number {
  LINE_BREAK.lastIndex = from;
  return LINE_BREAK.test(text) ? LINE_BREAK.lastIndex - 1 : text.length;
}

/** Cuts a text after each line break. */
export function* cutLines(text: string): Generator<string, void> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    const end = findLineEnd(text, from);
    to = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    yield text.slice(from, to);
  }
}
