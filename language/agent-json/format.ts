import type { TextEdit } from '../../core/text/edit.ts';
import type { SourceText } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import { indentAt, indentOf, type FormatOptions, type Indent } from '../format.ts';
import { scanJson } from '../json/json-scanner.ts';
import { commonLineEnd } from '../line-end.ts';
import type { AgentJsonDocument } from './parse.ts';
import { listItems } from './requests.ts';

/** A value on one line remains on it if it has at most this many characters after formatting. */
const WIDEST_LINE = 100;

/**
 * Edits that lay out the requests that a range touches: one line per member, except for short objects and arrays that
 * are written on one line. Only blanks between tokens and comments change. A file with broken JSON is not formatted.
 */
export function formatAgentJson(
  doc: AgentJsonDocument,
  range: Span,
  options: FormatOptions,
): readonly TextEdit[] {
  if (doc.values.some(({ fault }) => fault)) return [];
  const touched = listItems(doc).filter(({ value }) => value.start <= range.end && value.end >= range.start);
  const start = Math.min(range.start, touched.at(0)?.value.start ?? range.start);
  const end = Math.max(range.end, touched.at(-1)?.value.end ?? range.end);
  return [...new Layout(doc, indentOf(options)).gaps()].filter(
    ({ span, newText }) =>
      start <= span.start && span.end <= end && doc.source.slice(span.start, span.end) !== newText,
  );
}

type Piece = Span & { readonly kind: string };

/** An object or array that is open. */
interface Frame {
  readonly isOnOneLine: boolean;
}

const ONE_LINE: Frame = { isOnOneLine: true };

class Layout {
  readonly #doc: AgentJsonDocument;
  readonly #indent: Indent;
  readonly #lineEnd: string;
  /** True for a file of several values with one line each, which remain so however long they are. */
  readonly #isLines: boolean;
  readonly #frames: Frame[] = [];

  constructor(doc: AgentJsonDocument, indent: Indent) {
    this.#doc = doc;
    this.#indent = indent;
    this.#lineEnd = commonLineEnd(doc.text);
    this.#isLines = doc.values.length > 1 && doc.values.every(value => isOnOneLine(doc.text, value));
  }

  /** The blanks before each token or comment and at the end, with the text that belongs there. */
  *gaps(): Generator<TextEdit> {
    const pieces = listPieces(this.#doc);
    const closers = findClosers(pieces);
    const widths = this.#measure(pieces);
    let last: Piece | undefined;
    for (const [index, piece] of pieces.entries()) {
      const closes = piece.kind === '}' || piece.kind === ']';
      const frame = this.#frames.at(-1);
      if (closes) this.#frames.pop();
      const span = { start: last?.end ?? 0, end: piece.start };
      yield { span, newText: this.#gap(last, piece, frame, span) };
      const closer = closers.get(index);
      const end = closer === undefined ? undefined : pieces[closer]?.end;
      if (closer !== undefined && end !== undefined) {
        const width = (widths[closer] ?? 0) - (widths[index] ?? 0) + 1;
        this.#frames.push({ isOnOneLine: this.#fits({ start: piece.start, end }, width) });
      }
      last = piece;
    }
    const { length } = this.#doc.source;
    if (last) yield { span: { start: last.end, end: length }, newText: this.#lineEnd };
  }

  #fits(value: Span, width: number): boolean {
    return isOnOneLine(this.#doc.text, value) && (this.#isLines || width <= WIDEST_LINE);
  }

  /** The length of the text up to the end of each token or comment, if all of it is laid out on one line. */
  #measure(pieces: readonly Piece[]): readonly number[] {
    const widths: number[] = [];
    let width = 0;
    let last: Piece | undefined;
    for (const piece of pieces) {
      width += this.#gap(last, piece, ONE_LINE, { start: 0, end: 0 }).length + piece.end - piece.start;
      widths.push(width);
      last = piece;
    }
    return widths;
  }

  #gap(last: Piece | undefined, next: Piece, frame: Frame | undefined, span: Span): string {
    const written = this.#doc.source.slice(span.start, span.end);
    // A byte order mark before the first token stays.
    if (!last) return written.startsWith('\ufeff') ? '\ufeff' : '';
    const isBroken = /[\r\n]/.test(written);
    if (last.kind === 'line') return this.#break(written);
    if (next.kind === 'line' || next.kind === 'block') return isBroken ? this.#break(written) : ' ';
    if (next.kind === ',' || next.kind === ':')
      return last.kind === 'block' && isBroken ? this.#break(written) : '';
    if (last.kind === ':') return ' ';
    if (last.kind === 'block') return isBroken ? this.#break(written) : ' ';
    if (!frame) return this.#break(written);
    const isAfterOpener = last.kind === '{' || last.kind === '[';
    const isBeforeCloser = next.kind === '}' || next.kind === ']';
    if (isAfterOpener && isBeforeCloser) return '';
    // Objects on one line have a blank inside of their brackets, arrays have none.
    if (frame.isOnOneLine) return last.kind === ',' || last.kind === '{' || next.kind === '}' ? ' ' : '';
    return this.#break(isAfterOpener || isBeforeCloser ? '' : written);
  }

  /** A line end with the indentation of the next line, and a blank line where one is written. */
  #break(written: string): string {
    const isParted = (written.match(/\r\n|\r|\n/g)?.length ?? 0) > 1;
    return this.#lineEnd.repeat(isParted ? 2 : 1) + indentAt(this.#indent, this.#frames.length);
  }
}

function isOnOneLine(text: SourceText, { start, end }: Span): boolean {
  return text.lineAt(start) === text.lineAt(end);
}

/** The tokens and comments in order. */
function listPieces({ plain, comments, source }: AgentJsonDocument): readonly Piece[] {
  const pieces: Piece[] = [];
  let next = 0;
  for (const { kind, start, end } of scanJson(plain)) {
    for (let comment = comments[next]; comment && comment.start < start; comment = comments[++next])
      pieces.push({ ...comment, kind: source.startsWith('//', comment.start) ? 'line' : 'block' });
    if (kind !== 'end') pieces.push({ kind, start, end });
  }
  for (const comment of comments.slice(next))
    pieces.push({ ...comment, kind: source.startsWith('//', comment.start) ? 'line' : 'block' });
  return pieces;
}

/** The index of the closing bracket of each object and array by that of its opening one. */
function findClosers(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind }] of pieces.entries()) {
    if (kind === '{' || kind === '[') open.push(index);
    else if (kind === '}' || kind === ']') {
      const opener = open.pop();
      if (opener !== undefined) closers.set(opener, index);
    }
  }
  return closers;
}
