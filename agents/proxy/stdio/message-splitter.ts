import { startsAicl } from '../../../protocols/recognise/detect.ts';
import { AiclFramer, type AiclFrame } from '../../../language/aicl/replies/frames.ts';
import { parseJson } from '../../../core/text/json.ts';
import { JsonOutline } from './json-outline.ts';

/** A piece of a process's input or output. Bytes are a text with one character per byte. */
export interface StdioPiece {
  /**
   * A message, text that is not one, or a part of a message that is too long to hold. The rest of such a
   * message is a `message` again.
   */
  readonly kind: 'message' | 'foreign' | 'part';
  readonly bytes: string;
  /** For a long JSON message: the parts that identify it, as JSON. */
  readonly outline?: string;
}

/** Matches texts that are too short to decide whether they are AICL. */
const UNDECIDED = /^\s*(?:\[[sifbldt]?)?$/;

/** Lines of JSON with more bytes get an outline. */
const LONG = 2 ** 20;

/** The maximum number of bytes that are held until they are a message. */
const LONGEST_HELD = 2 ** 26;

/**
 * Splits one direction of a process's input and output into messages: each line of JSON is one, AICL ends with its
 * outer brackets. JSON over several lines is one message when the stream ends, as written by agents that answer a
 * single request. Joined, the pieces are the bytes received. Takes linear time and holds a limited number of bytes.
 */
export class MessageSplitter {
  #framer: AiclFramer | undefined;
  /** The part of a line, or of an AICL message and the text before it, that has arrived. */
  readonly #open: string[] = [];
  #openLength = 0;
  /** The outline of a long line. */
  #outline: JsonOutline | undefined;
  /** The offset of the text in `#open`, as the framer counts. */
  #start = 0;
  /** Lines that may be the beginning of JSON over several lines. */
  #lines: string[] = [];
  #linesLength = 0;
  readonly #longestHeld: number;

  constructor(longestHeld = LONGEST_HELD) {
    this.#longestHeld = longestHeld;
  }

  /** True once AICL has arrived: the other direction then uses it as well. */
  get isAicl(): boolean {
    return this.#framer !== undefined;
  }

  push(bytes: string, isAicl = false): readonly StdioPiece[] {
    if (this.#framer) return this.#frame(bytes);
    if (this.#outline) return this.#cut(bytes);
    const begun = this.#openLength < 64 ? this.#open.join('') + bytes : '';
    if (startsAicl(begun) || (isAicl && begun.includes('['))) {
      this.#framer = new AiclFramer();
      this.#open.length = 0;
      this.#openLength = 0;
      return [...this.#flushLines(), ...this.#frame(begun)];
    }
    if (begun !== '' && UNDECIDED.test(begun) && !begun.includes('\n')) {
      this.#keep(bytes);
      return [];
    }
    return this.#cut(bytes);
  }

  /** The pieces that are left when the stream has ended. */
  end(): readonly StdioPiece[] {
    if (this.#framer) return [...this.endMessage(), ...this.#takeForeign()];
    const outline = this.#outline;
    const rest = this.#take();
    if (this.#lines.length === 0) return rest === '' ? [] : [pieceOf(rest, outline)];
    const all = [...this.#lines, rest].join('');
    this.#lines = [];
    const long = all.length > LONG ? new JsonOutline() : undefined;
    long?.push(all);
    return [pieceOf(all, long)];
  }

  /** True while an AICL message is open that may be complete although its outer bracket has not arrived. */
  get mayBeOver(): boolean {
    return this.#framer?.mayBeOver === true;
  }

  /** The open part of AICL, when nothing more arrives for it. */
  endMessage(): readonly StdioPiece[] {
    return this.#takeFrames(this.#framer?.end() ?? []);
  }

  #takeFrames(frames: readonly AiclFrame[]): readonly StdioPiece[] {
    const pieces: StdioPiece[] = [];
    if (frames.length === 0) return pieces;
    const text = this.#take();
    let at = 0;
    for (const frame of frames) {
      const [start, end] = [frame.start - this.#start, frame.end - this.#start];
      if (start > at) pieces.push({ kind: 'foreign', bytes: text.slice(at, start) });
      pieces.push({ kind: frame.isForeign ? 'foreign' : 'message', bytes: text.slice(start, end) });
      at = end;
    }
    this.#start += at;
    if (at < text.length) this.#keep(text.slice(at));
    return pieces;
  }

  #takeForeign(): readonly StdioPiece[] {
    const bytes = this.#take();
    return bytes === '' ? [] : [{ kind: 'foreign', bytes }];
  }

  #frame(bytes: string): readonly StdioPiece[] {
    this.#keep(bytes);
    const pieces = this.#takeFrames(this.#framer?.push(bytes) ?? []);
    if (this.#openLength <= this.#longestHeld) return pieces;
    // A bracket that is never closed must not swallow everything after it.
    this.#framer = new AiclFramer();
    this.#start = 0;
    return [...pieces, { kind: 'part', bytes: this.#take() }];
  }

  #cut(bytes: string): readonly StdioPiece[] {
    const pieces: StdioPiece[] = [];
    let from = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', from)) {
      this.#keepLine(bytes.slice(from, end + 1));
      const outline = this.#outline;
      pieces.push(...this.#takeLine(this.#take(), outline));
      from = end + 1;
    }
    if (from < bytes.length) this.#keepLine(bytes.slice(from));
    if (this.#openLength <= this.#longestHeld) return joinForeign(pieces);
    const outline = this.#outline;
    pieces.push(...this.#flushLines(), { kind: 'part', bytes: this.#take() });
    this.#outline = outline;
    return joinForeign(pieces);
  }

  #takeLine(line: string, outline: JsonOutline | undefined): readonly StdioPiece[] {
    const piece = pieceOf(line, outline);
    if (piece.kind === 'message') return [...this.#flushLines(), piece];
    const goesOn = this.#lines.length > 0 || /^\s*\{/.test(line);
    if (!goesOn) return [piece];
    this.#lines.push(line);
    this.#linesLength += line.length;
    return this.#linesLength > this.#longestHeld ? this.#flushLines() : [];
  }

  /** The held lines, which together are not JSON. */
  #flushLines(): readonly StdioPiece[] {
    const bytes = this.#lines.join('');
    this.#lines = [];
    this.#linesLength = 0;
    return bytes === '' ? [] : [{ kind: 'foreign', bytes }];
  }

  /** Reads the outline of a long line while it arrives, so that nothing has to wait for it at the end. */
  #keepLine(bytes: string): void {
    this.#keep(bytes);
    if (this.#outline) this.#outline.push(bytes);
    else if (this.#openLength > LONG) {
      this.#outline = new JsonOutline();
      for (const part of this.#open) this.#outline.push(part);
    }
  }

  #keep(bytes: string): void {
    this.#open.push(bytes);
    this.#openLength += bytes.length;
  }

  #take(): string {
    const text = this.#open.join('');
    this.#open.length = 0;
    this.#openLength = 0;
    this.#outline = undefined;
    return text;
  }
}

/** Joins foreign pieces that follow each other, such as the lines of a log. */
function joinForeign(pieces: readonly StdioPiece[]): readonly StdioPiece[] {
  const joined: StdioPiece[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) joined.push({ kind: 'foreign', bytes: lines.join('') });
    lines = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'foreign') {
      lines.push(piece.bytes);
      continue;
    }
    flush();
    joined.push(piece);
  }
  flush();
  return joined;
}

function pieceOf(bytes: string, long: JsonOutline | undefined): StdioPiece {
  if (!long) return { kind: isJson(bytes) ? 'message' : 'foreign', bytes };
  const outline = long.isWhole ? long.text : '';
  return isJson(outline) ? { kind: 'message', bytes, outline } : { kind: 'foreign', bytes };
}

/** True for a line that is a JSON object or array. Only lines that may be one are parsed. */
function isJson(line: string): boolean {
  return /^\s*[{[]/.test(line) && /[}\]]\s*$/.test(line) && parseJson(line) !== undefined;
}
