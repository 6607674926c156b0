import type { FileHandle } from 'node:fs/promises';
import { parseJson } from '../../core/text/json.ts';
import { isBase64, readBytes } from '../../core/events/bytes.ts';
import type { Redaction, WireEvent } from '../../core/events/events.ts';
import { readTraceEvent } from '../../trace/guards.ts';
import { REDACTED } from '../../core/secrets/redact-stream.ts';
import { keepBytes } from '../kept-bytes.ts';
import { readAt } from './read-at.ts';

/** So much of a line is read at a time. */
const PIECE = 2 ** 20;

/** The bytes of the wire begin within so many bytes of their line, and end so many before the end of it. */
const MOST_BEFORE = 64 * 2 ** 10;
const MOST_AFTER = 16 * 2 ** 20;

/** The longest token of a string in JSON: both escapes of a character beyond 16 bits. */
const LONGEST_TOKEN = 12;

/** Where the bytes of the wire begin. Within a string of JSON a quote has a backslash before it, so this is no part of one. */
const BEGIN = /"bytes":\{"(text|base64)":"/;

const NONE = new Uint8Array(0);

/** Where the string of the bytes stands in the file, without its quotes. */
interface StringPlace {
  readonly kind: 'text' | 'base64';
  readonly start: number;
  /** Where it ends at the latest. */
  readonly end: number;
}

/**
 * A line of a trace file that is too long to be held: bytes of the wire, which are read piece by piece from their place in the
 * file. It has to be as `printTraceEvent` writes it: what is short comes before the bytes, and `redacted` after them.
 */
export class LongLine {
  /** Without its bytes. */
  readonly event: WireEvent;
  /** How many bytes there are, as they are kept. */
  readonly kept: number;
  readonly #file: FileHandle;
  readonly #start: number;
  readonly #place: StringPlace;

  private constructor(file: FileHandle, start: number, place: StringPlace, event: WireEvent, kept: number) {
    this.#file = file;
    this.#start = start;
    this.#place = place;
    this.event = event;
    this.kept = kept;
  }

  /** Reads through a line at its place in a file; undefined where it is no such line. Memory: a piece, and what is short. */
  static async find(file: FileHandle, start: number, length: number): Promise<LongLine | undefined> {
    const before = (await readAt(file, start, Math.min(length, MOST_BEFORE))).toString('latin1');
    const begin = BEGIN.exec(before);
    if (!begin) return undefined;
    const head = before.slice(0, begin.index + begin[0].length);
    const end = start + length;
    const place: StringPlace = {
      kind: begin[1] === 'text' ? 'text' : 'base64',
      start: start + head.length,
      end,
    };
    const string = new StringReader(file, place);
    let kept = 0;
    for await (const bytes of string.bytes()) kept += bytes.length;
    if (string.isBroken || end - string.at > MOST_AFTER) return undefined;
    const short = Buffer.concat([
      Buffer.from(head, 'latin1'),
      await readAt(file, string.at, end - string.at),
    ]);
    const event = readTraceEvent(parseJson(short.toString()));
    return event?.type === 'wire' ? new LongLine(file, start, place, event, kept) : undefined;
  }

  /**
   * Its bytes in order, as events of their own. The first has the number of the event and the others none: of events with one
   * number one counts. What compressed bytes say is with the first.
   */
  async *pieces(): AsyncGenerator<WireEvent, void> {
    const { seq, redacted = [], unpacked, ...event } = this.event;
    const cutter = new Cutter(redacted);
    const string = new StringReader(this.#file, this.#place);
    let own: Partial<WireEvent> = { ...(seq !== undefined && { seq }), ...(unpacked && { unpacked }) };
    for await (const bytes of string.bytes()) {
      const piece = cutter.take(bytes);
      if (piece) yield { ...event, ...own, ...piece };
      if (piece) own = unpacked ? { unpacked: { text: '' } } : {};
    }
    const last = cutter.end();
    if (last) yield { ...event, ...own, ...last };
  }

  /** The line as it stands in the file, without its end. */
  async *raw(): AsyncGenerator<Buffer, void> {
    const { end } = this.#place;
    for (let at = this.#start; at < end; at += PIECE)
      yield await readAt(this.#file, at, Math.min(PIECE, end - at));
  }
}

/** Reads a string of JSON from a file, up to its closing quote. */
class StringReader {
  /** Where it ended. */
  at: number;
  /** True where it has no end, or is none. */
  isBroken = false;
  readonly #file: FileHandle;
  readonly #place: StringPlace;

  constructor(file: FileHandle, place: StringPlace) {
    this.#file = file;
    this.#place = place;
    this.at = place.start;
  }

  /** The bytes that it stands for. */
  async *bytes(): AsyncGenerator<Uint8Array, void> {
    let rest = '';
    let isPadded = false;
    for await (const text of this.#texts()) {
      if (this.#place.kind === 'text') {
        yield Buffer.from(text);
        continue;
      }
      // Four characters are three bytes, but for the last ones.
      const whole = rest + text;
      const length = whole.length - (whole.length % 4);
      const groups = whole.slice(0, length);
      rest = whole.slice(length);
      this.isBroken ||= (isPadded && text !== '') || !isBase64(groups);
      if (this.isBroken) return;
      isPadded ||= groups.endsWith('=');
      yield readBytes({ base64: groups });
    }
    this.isBroken ||= !isBase64(rest) || (isPadded && rest !== '');
    if (!this.isBroken) yield readBytes({ base64: rest });
  }

  async *#texts(): AsyncGenerator<string, void> {
    const { end } = this.#place;
    for (let isOver = false; !isOver;) {
      const piece = await readAt(this.#file, this.at, Math.min(PIECE, end - this.at));
      const left = end - this.at - piece.length;
      const found = findTokens(piece, Math.min(left, LONGEST_TOKEN));
      const text = parseJson(`"${piece.toString('utf8', 0, found.length)}"`);
      isOver = found.isOver;
      this.at += found.length;
      if (typeof text !== 'string' || (found.length === 0 && !isOver)) {
        this.isBroken = true;
        return;
      }
      yield text;
    }
  }
}

/** How many bytes of a string are whole tokens, and whether its end comes after them. The last `spare` bytes begin none. */
function findTokens(bytes: Buffer, spare: number): { readonly length: number; readonly isOver: boolean } {
  const most = bytes.length - spare;
  let quote = indexOf(bytes, QUOTE, 0);
  let at = 0;
  for (let escape = indexOf(bytes, BACKSLASH, 0); escape < Math.min(quote, most);) {
    at = escape + escapeLength(bytes, escape);
    if (quote < at) quote = indexOf(bytes, QUOTE, at);
    escape = indexOf(bytes, BACKSLASH, at);
  }
  if (quote < most) return { length: quote, isOver: true };
  at = Math.max(at, most);
  // A character of several bytes is not cut.
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return { length: Math.min(at, bytes.length), isOver: false };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** An escape of a first half of a character goes with the one after it. */
const PAIR = /^\\ud[89ab][\da-f]{2}\\u/i;

/** Where a byte comes next; Infinity where it does not. */
function indexOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? Infinity : at;
}

function escapeLength(bytes: Buffer, at: number): number {
  if (bytes[at + 1] !== 0x75) return 2;
  return PAIR.test(bytes.toString('latin1', at, at + LONGEST_TOKEN)) ? LONGEST_TOKEN : 6;
}

/** Cuts bytes into pieces as they come, between the marks of what was redacted and not within one. */
class Cutter {
  readonly #redacted: readonly Redaction[];
  #next = 0;
  #rest: Uint8Array = NONE;
  /** How many bytes were taken before the rest. */
  #from = 0;

  constructor(redacted: readonly Redaction[]) {
    this.#redacted = [...redacted].sort((one, other) => one.at - other.at);
  }

  /** Answers what can be told by now; undefined where nothing can. */
  take(bytes: Uint8Array): Pick<WireEvent, 'bytes' | 'redacted'> | undefined {
    const all = Buffer.concat([this.#rest, bytes]);
    const to = this.#from + all.length;
    return this.#cut(all, this.#beforeMark(to) - this.#from);
  }

  /** Where to cut at the latest, so that no mark is torn there. */
  #beforeMark(to: number): number {
    let next = this.#next;
    while ((this.#redacted[next]?.at ?? to) + REDACTED.length <= to) next++;
    return Math.max(this.#from, Math.min(to, this.#redacted[next]?.at ?? to));
  }

  end(): Pick<WireEvent, 'bytes' | 'redacted'> | undefined {
    return this.#cut(this.#rest, this.#rest.length);
  }

  #cut(all: Uint8Array, length: number): Pick<WireEvent, 'bytes' | 'redacted'> | undefined {
    this.#rest = all.subarray(length);
    const [from, to] = [this.#from, this.#from + length];
    this.#from = to;
    const redacted: Redaction[] = [];
    for (let next = this.#redacted[this.#next]; next && next.at < to; next = this.#redacted[++this.#next])
      if (next.at >= from) redacted.push({ ...next, at: next.at - from });
    if (length === 0) return undefined;
    return { bytes: keepBytes(all.subarray(0, length)), ...(redacted.length === 0 ? {} : { redacted }) };
  }
}
