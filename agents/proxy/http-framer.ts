import { quote } from '../../core/text/quote.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { NO_SECRETS } from '../../core/secrets/redact.ts';
import { findTrailerFault, type Framing, type FramingResult } from './http-framing.ts';
import {
  BEGINS_REPLY,
  findHeadEnd,
  hasBareLineEnd,
  MAY_BE_HEAD,
  readFields,
  readHead,
  type MessageHead,
} from './http-head.ts';

/** Hears what the bytes of one direction of a connection are, in their order. */
export interface FrameListener {
  /** A head came; answers how its body is framed. */
  head(head: MessageHead): FramingResult;
  /** Bytes where a head should be, which are none; all that follows is foreign. */
  noHead(bytes: Buffer): void;
  /** Bytes behind a head, with the lines of chunks and trailers: whole lines that were checked, before what they are is reported. */
  raw(bytes: Buffer): void;
  /** Bytes of a body, without the frames of its chunks. */
  body(bytes: Buffer): void;
  trailers(headers: readonly KeptHeader[]): void;
  /** A message is over. */
  over(): void;
  /** Bytes that are no HTTP, or that come after an upgrade: from here on all of them are. */
  foreign(bytes: Buffer): void;
  /** Readers could differ in where the message ends: why, for a sentence. What follows is not looked at. */
  broken(fault: string): void;
}

/** Bytes of a head, and of a line of a chunk, before it counts as none. */
const LONGEST_HEAD = 256 * 1024;
const LONGEST_LINE = 16 * 1024;

type State =
  'head' | 'length' | 'size' | 'data' | 'data-end' | 'trailers' | 'until-close' | 'foreign' | 'broken';

/**
 * Follows one direction of a connection of HTTP/1.1 without changing it: reports heads, bodies and ends of messages among the
 * bytes that pass (RFC 9112). It holds no more than a head. What breaks the rules between messages is foreign, and within a
 * message broken. Linear. The parser of Node.js reports no bytes as they were sent, so that nothing could be passed untouched.
 */
export class HttpFramer {
  readonly #listener: FrameListener;
  readonly #side: 'requests' | 'replies';
  #state: State = 'head';
  /** What came of a head or of a line. */
  #open: Buffer = EMPTY;
  /** Bytes of a body or a chunk that are still to come. */
  #left = 0;
  /** True where a head is what broke. */
  #isBrokenHead = false;

  constructor(side: 'requests' | 'replies', listener: FrameListener) {
    this.#side = side;
    this.#listener = listener;
  }

  /** True where what broke, if anything did, is the body of a message. */
  get isInBody(): boolean {
    return !this.#isBrokenHead;
  }

  /** From here on the connection is no HTTP: both sides agreed on something else. */
  tunnel(): void {
    this.#state = 'foreign';
    const held = this.#open;
    this.#open = EMPTY;
    if (held.length > 0) this.#takeRest(held, held.length);
  }

  /** Answers how many of the bytes may pass, and whether some of the message that is broken passed before them. */
  push(bytes: Buffer): { readonly good: number; readonly isCut: boolean } {
    let at = 0;
    let begin = 0;
    let held = 0;
    while (at < bytes.length && this.#state !== 'broken') {
      begin = at;
      held = this.#open.length;
      at = this.#step(bytes, at);
    }
    if (this.#state !== 'broken') return { good: bytes.length, isCut: false };
    return { good: Math.max(0, begin - held), isCut: begin < held || !this.#isBrokenHead };
  }

  /** The other side has ended: a body that only that ends is over. */
  end(): void {
    this.flush();
    if (this.#state === 'until-close') this.#finish();
  }

  /** The connection broke off: a head that is not whole is none. */
  flush(): void {
    if (this.#state === 'head' && this.#open.length > 0) this.#refuse(this.#open, 0);
  }

  /** Takes what the state wants; answers where the rest begins. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(bytes, at);
      case 'length':
      case 'data':
        return this.#takeBody(bytes, at);
      case 'size':
      case 'data-end':
      case 'trailers':
        return this.#takeLine(bytes, at);
      case 'until-close':
      case 'foreign':
        return this.#takeRest(bytes.subarray(at), bytes.length);
      case 'broken':
        return bytes.length;
    }
  }

  #takeRest(piece: Buffer, next: number): number {
    this.#listener.raw(piece);
    if (this.#state === 'foreign') this.#listener.foreign(piece);
    else this.#listener.body(piece);
    return next;
  }

  #takeHead(bytes: Buffer, from: number): number {
    let at = from;
    // Line ends before a message belong to none (RFC 9112, section 2.2).
    if (this.#open.length === 0) while (bytes[at] === CR || bytes[at] === LF) at++;
    if (at === bytes.length) return at;
    const before = this.#open.length;
    const all = before === 0 ? bytes.subarray(at) : Buffer.concat([this.#open, bytes.subarray(at)]);
    const end = findHeadEnd(all, Math.max(0, before - 3));
    if (end === -1) {
      // What begins no head is told at once: whoever waits for it may wait for ever.
      if (all.length > LONGEST_HEAD || !MAY_BE_HEAD.test(all.toString('latin1', 0, 32)))
        return this.#refuse(all, bytes.length);
      this.#open = Buffer.from(all);
      return bytes.length;
    }
    const head = readHead(all.subarray(0, end), this.#side);
    if (!head && this.#side === 'replies' && BEGINS_REPLY.test(all.toString('latin1', 0, 16)))
      return this.#breakOff('a line of its head is none of HTTP/1.1', bytes.length, true);
    if (!head) return this.#refuse(all, bytes.length);
    this.#open = EMPTY;
    const result = this.#listener.head(head);
    if ('fault' in result) return this.#breakOff(result.fault, bytes.length, true);
    this.#begin(result.framing);
    return at + end - before;
  }

  #begin(framing: Framing): void {
    if (framing === 'none') this.#finish();
    else if (framing === 'chunked') this.#state = 'size';
    else if (framing === 'until-close') this.#state = 'until-close';
    else if (framing === 'tunnel') this.#state = 'foreign';
    else if (framing.length === 0) this.#finish();
    else {
      this.#left = framing.length;
      this.#state = 'length';
    }
  }

  #takeBody(bytes: Buffer, at: number): number {
    const piece = bytes.subarray(at, at + this.#left);
    this.#left -= piece.length;
    this.#listener.raw(piece);
    this.#listener.body(piece);
    if (this.#left === 0) {
      if (this.#state === 'length') this.#finish();
      else this.#state = 'data-end';
    }
    return at + piece.length;
  }

  #takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    const piece = bytes.subarray(at, end === -1 ? bytes.length : end + 1);
    const line = this.#open.length === 0 ? piece : Buffer.concat([this.#open, piece]);
    const isTrailer = this.#state === 'trailers';
    const next = at + piece.length;
    if (line.length > (isTrailer ? LONGEST_HEAD : LONGEST_LINE))
      return this.#breakOff(`a line between its chunks is longer than ${LONGEST_LINE} bytes`, next);
    if (end === -1) {
      this.#open = Buffer.from(line);
      return bytes.length;
    }
    const fault = isTrailer ? this.#takeTrailer(line) : this.#takeFrame(line);
    return fault === undefined ? next : this.#breakOff(fault, next);
  }

  /** Takes a line between chunks. Answers why it is none. */
  #takeFrame(line: Buffer): string | undefined {
    this.#open = EMPTY;
    const text = line.toString('latin1');
    if (this.#state === 'data-end') {
      if (text !== END_OF_LINE) return `a chunk of it is longer than its size says`;
      this.#state = 'size';
    } else {
      const [, size] = (this.#side === 'requests' ? CHUNK : LOOSE_CHUNK).exec(text) ?? [];
      if (size === undefined) return `${quote(text.trimEnd())} is no size of a chunk`;
      this.#left = parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailers' : 'data';
    }
    this.#listener.raw(line);
    return undefined;
  }

  /** Holds trailers until the empty line that ends them. Answers why they are none. */
  #takeTrailer(all: Buffer): string | undefined {
    const isEmpty = all.length <= END_OF_LINE.length;
    if (!isEmpty && findHeadEnd(all, Math.max(0, all.length - 3)) === -1) {
      this.#open = Buffer.from(all);
      return undefined;
    }
    this.#open = EMPTY;
    const headers = isEmpty ? [] : readFields(all, 'requests');
    if (!headers || hasBareLineEnd(all)) return 'a trailer of it is none of HTTP/1.1';
    const fault = findTrailerFault(headers);
    if (fault !== undefined) return fault;
    this.#listener.raw(all);
    if (headers.length > 0) this.#listener.trailers(headers);
    this.#finish();
    return undefined;
  }

  #finish(): void {
    this.#state = 'head';
    this.#listener.over();
  }

  #refuse(held: Buffer, next: number): number {
    this.#open = EMPTY;
    this.#state = 'foreign';
    this.#listener.noHead(held);
    return next;
  }

  /** Gives up within a message. Answers `next`, where the rest begins. */
  #breakOff(fault: string, next: number, isHead = false): number {
    this.#open = EMPTY;
    this.#state = 'broken';
    this.#isBrokenHead = isHead;
    this.#listener.broken(fault);
    return next;
  }
}

const EMPTY = Buffer.alloc(0);
const CR = 13;
const LF = 10;
const END_OF_LINE = '\r\n';

/** The line before a chunk: its size and extensions (RFC 9112, section 7.1). */
const CHUNK = /^([0-9a-fA-F]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n$/;

/** Some agents fill sizes up with blanks, and all callers that take that read the same. */
const LOOSE_CHUNK = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n]*)?\r\n$/;

/** Headers in one line, for a sentence, without the credentials among them. */
export function printHeaders(headers: readonly KeptHeader[]): string {
  return NO_SECRETS.redactHeaders(headers)
    .map(({ name, value }) => `${name}: ${value}`)
    .join(', ');
}
