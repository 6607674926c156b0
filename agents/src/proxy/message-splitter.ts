import { AiclFramer } from '../../../protocol/src/fold/aicl-frames.ts';

/** A piece of what a process reads or writes: a message, or text that is none. Bytes as a text of one character a byte. */
export interface StdioPiece {
  readonly kind: 'message' | 'foreign';
  readonly bytes: string;
}

/** How an AICL message begins. */
const AICL_START = /^\s*\[[sifbldt]:/;
/** Fewer characters do not tell whether a text is AICL. */
const UNDECIDED = /^\s*(?:\[[sifbldt]?)?$/;

/** A text without line ends is no message when it is longer, in bytes. */
const LONGEST = 64 * 2 ** 20;

/**
 * Cuts one direction of a process's input and output into messages: one of JSON a line, AICL at its outer brackets. JSON over
 * several lines is one message when the stream ends, as agents write it that are asked once. Together the pieces are the bytes
 * that came. Linear.
 */
export class MessageSplitter {
  #framer: AiclFramer | undefined;
  /** What came of a line, or of an AICL message and what stands before it. */
  readonly #open: string[] = [];
  #openLength = 0;
  /** Where the text in `#open` begins, for the offsets of the framer. */
  #start = 0;
  /** Lines of JSON that are not whole. */
  #lines: string[] = [];

  /** True once AICL came: the other direction speaks it as well. */
  get isAicl(): boolean {
    return this.#framer !== undefined;
  }

  push(bytes: string, isAicl = false): readonly StdioPiece[] {
    if (this.#framer) return this.#frame(bytes);
    const begun = this.#openLength < 64 ? this.#open.join('') + bytes : '';
    if (AICL_START.test(begun) || (isAicl && begun.includes('['))) {
      this.#framer = new AiclFramer();
      this.#open.length = 0;
      this.#openLength = 0;
      return [...this.#flushLines('foreign'), ...this.#frame(begun)];
    }
    if (UNDECIDED.test(begun) && !begun.includes('\n')) {
      this.#keep(bytes);
      return [];
    }
    return this.#cut(bytes);
  }

  /** What is left when the stream has ended. */
  end(): readonly StdioPiece[] {
    const rest = this.#take();
    if (this.#framer)
      return rest === '' ? [] : [{ kind: rest.trim() === '' ? 'foreign' : 'message', bytes: rest }];
    if (this.#lines.length === 0) return rest === '' ? [] : [pieceOf(rest)];
    this.#lines.push(rest);
    return this.#flushLines(isJson(this.#lines.join('')) ? 'message' : 'foreign');
  }

  #frame(bytes: string): readonly StdioPiece[] {
    this.#keep(bytes);
    const frames = this.#framer?.push(bytes) ?? [];
    if (frames.length === 0) return [];
    const text = this.#take();
    const pieces: StdioPiece[] = [];
    let at = 0;
    for (const frame of frames) {
      const [start, end] = [frame.start - this.#start, frame.end - this.#start];
      if (text.slice(at, start).trim() !== '') pieces.push({ kind: 'foreign', bytes: text.slice(at, start) });
      else if (start > at) pieces.push({ kind: 'foreign', bytes: text.slice(at, start) });
      pieces.push({ kind: 'message', bytes: text.slice(start, end) });
      at = end;
    }
    this.#start += at;
    if (at < text.length) this.#keep(text.slice(at));
    return pieces;
  }

  #cut(bytes: string): readonly StdioPiece[] {
    const pieces: StdioPiece[] = [];
    let from = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', from)) {
      this.#keep(bytes.slice(from, end + 1));
      pieces.push(...this.#takeLine(this.#take()));
      from = end + 1;
    }
    if (from < bytes.length) this.#keep(bytes.slice(from));
    if (this.#openLength > LONGEST) pieces.push({ kind: 'foreign', bytes: this.#take() });
    return pieces;
  }

  #takeLine(line: string): readonly StdioPiece[] {
    if (isJson(line)) return [...this.#flushLines('foreign'), { kind: 'message', bytes: line }];
    const goesOn = this.#lines.length > 0 || /^\s*\{/.test(line);
    if (!goesOn) return [{ kind: 'foreign', bytes: line }];
    this.#lines.push(line);
    return [];
  }

  #flushLines(kind: StdioPiece['kind']): readonly StdioPiece[] {
    const bytes = this.#lines.join('');
    this.#lines = [];
    return bytes === '' ? [] : [{ kind, bytes }];
  }

  #keep(bytes: string): void {
    this.#open.push(bytes);
    this.#openLength += bytes.length;
  }

  #take(): string {
    const text = this.#open.join('');
    this.#open.length = 0;
    this.#openLength = 0;
    return text;
  }
}

function pieceOf(line: string): StdioPiece {
  return { kind: isJson(line) ? 'message' : 'foreign', bytes: line };
}

/** True for a line that is a JSON object or a list of them. Only what may be one is parsed. */
function isJson(line: string): boolean {
  if (!/^\s*[{[]/.test(line) || !/[}\]]\s*$/.test(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
