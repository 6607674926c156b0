/**
 * Cuts a text that comes in pieces into lines, which LF and CRLF end, also where a CRLF is split over two pieces. A lone CR ends
 * a line or is data. Linear: a piece is searched once, and a line is joined once.
 */
export class LineSplitter {
  readonly #loneReturn: 'end' | 'data';
  #open: string[] = [];
  #endedInCr = false;

  constructor(loneReturn: 'end' | 'data' = 'end') {
    this.#loneReturn = loneReturn;
  }

  /** The lines that this piece makes whole, without their ends. */
  push(piece: string): readonly string[] {
    if (piece === '') return [];
    if (this.#loneReturn === 'data') return this.#cutAtFeeds(piece);
    // The CR at the end of the piece before ended its line already, and this LF belongs to it.
    const text = this.#endedInCr && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#endedInCr = piece.endsWith('\r');
    const lines: string[] = [];
    let from = 0;
    for (const end of text.matchAll(/\r\n|\r|\n/g)) {
      lines.push(this.#close(text.slice(from, end.index)));
      from = end.index + end[0].length;
    }
    if (from < text.length) this.#open.push(text.slice(from));
    return lines;
  }

  #cutAtFeeds(piece: string): readonly string[] {
    const [first = '', ...others] = piece.split('\n');
    const last = others.pop();
    if (last === undefined) {
      this.#open.push(first);
      return [];
    }
    const lines = [this.#close(first), ...others].map(line =>
      line.endsWith('\r') ? line.slice(0, -1) : line,
    );
    if (last !== '') this.#open.push(last);
    return lines;
  }

  /** The last line, which no line end closed; empty where there is none. */
  end(): string {
    return this.#close('');
  }

  /** True while a line waits for its end. */
  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  #close(rest: string): string {
    const line = this.#open.length === 0 ? rest : [...this.#open, rest].join('');
    this.#open = [];
    return line;
  }
}
