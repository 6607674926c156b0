import { BOM, CLOSE, COLON, COMMA, LF, OPEN, isBlank } from '../characters.ts';
import { parseAicl } from '../parse.ts';
import { MAX_DEPTH } from '../scanner.ts';
import { TYPE_TAGS, type ValueKind } from '../../../core/catalog/aicl.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { Occurrences } from '../../../core/text/occurrences.ts';
import type { Span } from '../../../core/text/span.ts';

/** The kinds of values by the code unit of their type letter. */
const KINDS: ReadonlyMap<number, ValueKind> = new Map(
  TYPE_TAGS.map(({ tag, name }) => [tag.charCodeAt(0), name]),
);

/** A value at the top level of a text: a message, if it begins with `[d:`. Offsets count from the text's start. */
export interface AiclFrame extends Span {
  readonly text: string;
  /** True for text that is no value, where it stands in what the grammar does not accept. */
  readonly isForeign?: true;
}

/** What comes next in a value. */
type Place =
  /** Text outside of all values. */
  | 'outside'
  /** The type letter behind a bracket, and the colon behind that. */
  | 'letter'
  | 'colon'
  /** White space and marks between the values of a group. */
  | 'between'
  | 'text'
  | 'atom'
  /** The rest of a line behind a bracket that begins no value. */
  | 'line'
  /** What follows in a message that the grammar refused. */
  | 'refused';

/**
 * Cuts a text that comes in pieces into its messages (reading of LightAICL, sections 1.2 and 1.4). One that the grammar accepts
 * ends with its outer bracket. What it does not accept ends before the next line that begins with `[d:`, or with the text, and is
 * then cut as a file is. An outer bracket that begins no value, as in a line of progress (`[====>`), ends with its line: it must
 * not take the messages below. Linear: what lies between the characters that count is passed over.
 */
export class AiclFramer {
  #place: Place = 'outside';
  /** The lists and dictionaries that are open, and what the innermost one expects. */
  #groups: ('list' | 'dict')[] = [];
  #expects: 'entry' | 'colon' | 'value' | 'separator' = 'value';
  #kind: ValueKind | undefined;
  /** Brackets that are open in a line. */
  #depth = 0;
  /** How much of a line end with the head of a message behind it came in a refused one, and whether a message may start there. */
  #headLength = 0;
  #isStart = false;
  #lastMark = Number.NaN;
  /** True behind the line end in a group. */
  #isLineStart = false;
  #offset = 0;
  #frameStart = 0;
  #parts: string[] = [];

  /** True where text other than white space stood outside of all values. */
  hasForeignText = false;

  /** The frames that this piece ends. */
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
        // The head of the next message came as well.
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

  /** Where the frame that is still open starts; undefined where none is. */
  get openStart(): number | undefined {
    return this.#place === 'outside' ? undefined : this.#frameStart;
  }

  /** What came of the frame that is still open. */
  get openText(): string {
    return this.#parts.join('');
  }

  /**
   * True for an open message that may be over although its outer bracket did not come: the grammar refused it, or it stands behind
   * a value. Whoever writes slowly is in a text, or behind a comma.
   */
  get mayBeOver(): boolean {
    return this.#place === 'refused' || (this.#place === 'between' && this.#expects === 'separator');
  }

  /** The frames of what is still open, when nothing more comes for it. */
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

  /** The values of a text that the grammar does not accept, as a file is read. */
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

  /** The next place, from one on, at which a character may change anything: most of a message is texts and payloads. */
  #skip({ open, close }: Marks, at: number): number {
    if (this.#place === 'text') return close.next(at);
    return this.#place === 'atom' ? Math.min(open.next(at), close.next(at)) : at;
  }

  /** Starts a frame with its outer bracket. */
  #begin(offset: number): void {
    this.#frameStart = offset;
    this.#groups = [];
    this.#expects = 'value';
    this.#place = 'letter';
  }

  /** Takes the next character of a frame; says whether the frame ends with it, or before the head that it ends. */
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

  /** Enters a value; false where the grammar has no place for it. */
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

  /** Leaves a value. */
  #close(): 'message' | undefined {
    if (this.#groups.length === 0) return 'message';
    // A group that is left was a value of the one around it, never a key.
    this.#expects = this.#place !== 'between' && this.#isKey() ? 'colon' : 'separator';
    this.#place = 'between';
    return undefined;
  }

  /** An outer bracket that begins no value ends with its line; in a message the grammar has no place for the character. */
  #refuse(code: number): 'message' | undefined {
    if (this.#groups.length === 0 && (this.#place === 'letter' || this.#place === 'colon')) {
      this.#place = 'line';
      this.#depth = 1;
      return this.#readLine(code);
    }
    // Behind a value there is no comma and no colon.
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

  /** True for the colon of a head at the start of a line that does not follow a comma or a colon: a message starts there. */
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

/** The head of a message, and where a line begins with it. */
const HEAD = '[d:';
const LINE_HEAD = `\n${HEAD}`;

/** Where the characters stand that cut a piece. */
class Marks {
  readonly open: Occurrences;
  readonly close: Occurrences;

  constructor(piece: string) {
    this.open = new Occurrences(piece, '[');
    this.close = new Occurrences(piece, ']');
  }
}
