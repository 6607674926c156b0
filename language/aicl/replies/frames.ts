import { BOM, CLOSE, COLON, COMMA, LF, OPEN, isBlank } from '../characters.ts';
import { parseAicl } from '../parse.ts';
import { MAX_DEPTH } from '../scanner.ts';
import { TYPE_TAGS, type ValueKind } from '../../../core/catalog/aicl.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { Occurrences } from './occurrences.ts';
import type { Span } from '../../../core/text/span.ts';

/** The kinds of values by the code unit of their type letter. */
const KINDS: ReadonlyMap<number, ValueKind> = new Map(
  TYPE_TAGS.map(({ tag, name }) => [tag.charCodeAt(0), name]),
);

/** A top-level value of a text; a message if it starts with `[d:`. Offsets are relative to the text's start. */
export interface AiclFrame extends Span {
  readonly text: string;
  /** True for text that is not a value, inside a part that the grammar rejects. */
  readonly isForeign?: true;
}

/** The state of the framer. */
type Place =
  /** Outside all values. */
  | 'outside'
  /** Before the type letter after a bracket, and before the colon after it. */
  | 'letter'
  | 'colon'
  /** White space and marks between the values of a group. */
  | 'between'
  | 'text'
  | 'atom'
  /** The rest of a line after a bracket that does not start a value. */
  | 'line'
  /** The rest of a message that the grammar rejected. */
  | 'refused';

/**
 * Splits a text that arrives in pieces into messages (reading of LightAICL, sections 1.2 and 1.4). A valid message ends
 * with its outer bracket. An invalid one ends before the next line that starts with `[d:`, or with the text, and is
 * then read like a file. An outer bracket that does not start a value, as in a progress line (`[====>`), ends with its
 * line, so that it does not include the messages below. Linear; characters without effect are skipped.
 */
export class AiclFramer {
  #place: Place = 'outside';
  /** The open lists and dictionaries, and what the innermost one expects next. */
  #groups: ('list' | 'dict')[] = [];
  #expects: 'entry' | 'colon' | 'value' | 'separator' = 'value';
  #kind: ValueKind | undefined;
  /** The number of open brackets in a `line`. */
  #depth = 0;
  /**
   * In a rejected message: how much of a line end followed by a message head has been matched, and whether a
   * message may start there.
   */
  #headLength = 0;
  #isStart = false;
  #lastMark = Number.NaN;
  /** True directly after a line end in a group. */
  #isLineStart = false;
  #offset = 0;
  #frameStart = 0;
  #parts: string[] = [];

  /** True if there was text other than white space outside of values. */
  hasForeignText = false;

  /** Returns the frames that end in this piece. */
  push(piece: string): readonly AiclFrame[] {
    const frames: AiclFrame[] = [];
    const marks = new Marks(piece);
    let from = 0;
    for (let at = this.#skip(marks, 0); at < piece.length; at = this.#skip(marks, at + 1)) {
      const code = piece.charCodeAt(at);
      if (this.#place === 'outside') {
        if (code === OPEN) {
          this.#begin(this.#offset + at);
          from = at;
        } else if (!isBlank(code) && code !== BOM) this.hasForeignText = true;
        continue;
      }
      const ended = this.#step(code);
      if (!ended) continue;
      const text = this.#take(piece.slice(from, at + 1));
      if (ended === 'message') {
        frames.push({ start: this.#frameStart, end: this.#offset + at + 1, text });
        this.#place = 'outside';
      } else {
        // The text includes the head of the next message.
        frames.push(...this.#cut(text.slice(0, -HEAD.length)));
        this.#begin(this.#offset + at + 1 - HEAD.length);
        this.#open('dict');
        this.#parts.push(HEAD);
        from = at + 1;
      }
    }
    if (this.#place !== 'outside') this.#parts.push(piece.slice(from));
    this.#offset += piece.length;
    return frames;
  }

  /** The start of the frame that is still open; undefined if there is none. */
  get openStart(): number | undefined {
    return this.#place === 'outside' ? undefined : this.#frameStart;
  }

  /** The text received so far of the open frame. */
  get openText(): string {
    return this.#parts.join('');
  }

  /**
   * True for an open message that may be complete although its outer bracket is missing: it was rejected, or
   * it is directly after a value. A sender that is merely slow stops inside a text or after a comma.
   */
  get mayBeOver(): boolean {
    return this.#place === 'refused' || (this.#place === 'between' && this.#expects === 'separator');
  }

  /** True if the open text is none that the grammar accepts. */
  get isForeign(): boolean {
    return this.#place === 'refused' || this.#place === 'line';
  }

  /** Returns the frames of the open text; call this when no more text follows. */
  end(): readonly AiclFrame[] {
    if (this.#place === 'outside') return [];
    this.#place = 'outside';
    return this.#cut(this.#take(''));
  }

  #take(rest: string): string {
    const text = [...this.#parts, rest].join('');
    this.#parts = [];
    return text;
  }

  /** Reads a rejected text like a file and returns its units as frames. */
  #cut(text: string): readonly AiclFrame[] {
    const frames: AiclFrame[] = [];
    for (const { kind, start, end } of parseAicl(text, DEFAULT_SETTINGS, () => []).units) {
      const isForeign = kind === 'foreign' || kind === 'container';
      this.hasForeignText ||= isForeign;
      const span = { start: this.#frameStart + start, end: this.#frameStart + end };
      frames.push({ ...span, text: text.slice(start, end), ...(isForeign && { isForeign }) });
    }
    return frames;
  }

  /**
   * The next offset, from `at` on, of a character that can change the state; most of a message is text
   * content and payload.
   */
  #skip({ open, close }: Marks, at: number): number {
    if (this.#place === 'text') return close.next(at);
    return this.#place === 'atom' ? Math.min(open.next(at), close.next(at)) : at;
  }

  /** Starts a frame at its outer bracket. */
  #begin(offset: number): void {
    this.#frameStart = offset;
    this.#groups = [];
    this.#expects = 'value';
    this.#place = 'letter';
  }

  /**
   * Processes the next character of a frame. Returns whether the frame ends with it, or before the message
   * head that it completes.
   */
  #step(code: number): 'message' | 'head' | undefined {
    switch (this.#place) {
      case 'between':
        return this.#readMark(code);
      case 'letter':
        this.#kind = KINDS.get(code);
        if (!this.#kind) return this.#refuse(code);
        this.#place = 'colon';
        return undefined;
      case 'colon':
        return code === COLON && this.#open(this.#kind) ? undefined : this.#refuse(code);
      case 'text':
        return this.#close();
      case 'atom':
        return code === CLOSE ? this.#close() : this.#refuse(code);
      case 'line':
        return this.#readLine(code);
      default:
        return this.#findHead(code) ? 'head' : undefined;
    }
  }

  #readMark(code: number): 'message' | undefined {
    if (isBlank(code)) {
      this.#isLineStart = code === LF;
      return undefined;
    }
    const expects = this.#expects;
    if (code === OPEN && (expects === 'entry' || expects === 'value')) this.#place = 'letter';
    else if (code === COMMA && expects === 'separator') this.#expects = 'entry';
    else if (code === COLON && expects === 'colon') this.#expects = 'value';
    else if (code === CLOSE && (expects === 'separator' || expects === 'entry')) {
      this.#groups.pop();
      this.#isLineStart = false;
      return this.#close();
    } else this.#refuse(code);
    this.#isLineStart = false;
    return undefined;
  }

  /** Enters a value; false if the grammar does not allow it here. */
  #open(kind: ValueKind | undefined): boolean {
    const isKey = this.#isKey();
    if (this.#groups.length >= MAX_DEPTH || (isKey && kind !== 'text')) return false;
    if (kind === 'list' || kind === 'dict') {
      this.#groups.push(kind);
      this.#expects = 'entry';
      this.#place = 'between';
    } else this.#place = kind === 'text' ? 'text' : 'atom';
    return true;
  }

  #isKey(): boolean {
    return this.#expects === 'entry' && this.#groups.at(-1) === 'dict';
  }

  #close(): 'message' | undefined {
    if (this.#groups.length === 0) return 'message';
    // A closed group was a value in the enclosing group, never a key.
    this.#expects = this.#place !== 'between' && this.#isKey() ? 'colon' : 'separator';
    this.#place = 'between';
    return undefined;
  }

  /**
   * Handles an invalid character. An outer bracket that does not start a value ends with its line; anything
   * else makes the message rejected.
   */
  #refuse(code: number): 'message' | undefined {
    if (this.#groups.length === 0 && (this.#place === 'letter' || this.#place === 'colon')) {
      this.#place = 'line';
      this.#depth = 1;
      return this.#readLine(code);
    }
    // A bracket at the start of a line after a value may start the next message, so the line end and the
    // bracket count as matched.
    this.#headLength = this.#place === 'between' && code === OPEN && this.#isLineStart ? 2 : 0;
    this.#place = 'refused';
    this.#lastMark = code;
    this.#isStart = true;
    return undefined;
  }

  #readLine(code: number): 'message' | undefined {
    if (code === OPEN) this.#depth++;
    if (code === CLOSE) this.#depth--;
    return code === LF || this.#depth === 0 ? 'message' : undefined;
  }

  /**
   * True at the colon that completes a message head at the start of a line, unless the line follows a comma
   * or a colon.
   */
  #findHead(code: number): boolean {
    if (code === LF) {
      this.#headLength = 1;
      this.#isStart = this.#lastMark !== COMMA && this.#lastMark !== COLON;
      return false;
    }
    if (!isBlank(code)) this.#lastMark = code;
    const isNext = this.#headLength > 0 && code === LINE_HEAD.charCodeAt(this.#headLength);
    this.#headLength = isNext ? this.#headLength + 1 : 0;
    return this.#headLength === LINE_HEAD.length && this.#isStart;
  }
}

/** The head of a message, alone and at the start of a line. */
const HEAD = '[d:';
const LINE_HEAD = `\n${HEAD}`;

/** The positions of the brackets in a piece. */
class Marks {
  readonly open: Occurrences;
  readonly close: Occurrences;

  constructor(piece: string) {
    this.open = new Occurrences(piece, '[');
    this.close = new Occurrences(piece, ']');
  }
}
