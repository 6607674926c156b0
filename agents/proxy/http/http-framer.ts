import { quote } from '../../../core/text/quote.ts';
import type { StoredHeader } from '../../../core/events/events.ts';
import { NO_SECRETS } from '../../../core/secrets/redact.ts';
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

/** Receives the parts of one direction of a connection, in order. */
export interface FrameListener {
  /** A head; returns how its body is framed. */
  head(head: MessageHead): FramingResult;
  /** Bytes in place of a head that are not one; everything after them is foreign. */
  noHead(bytes: Buffer): void;
  /**
   * All bytes after a head, with the lines of chunks and trailers. Lines are complete and were checked.
   * Called before the call that reports what the bytes are.
   */
  raw(bytes: Buffer): void;
  /** Bytes of a body, without the lines of its chunks. */
  body(bytes: Buffer): void;
  trailers(headers: readonly StoredHeader[]): void;
  /** A message is complete. */
  over(): void;
  /** Bytes that are not HTTP, or that follow an upgrade: all later bytes are foreign too. */
  foreign(bytes: Buffer): void;
  /** The end of the message is ambiguous: `fault` says why, for a sentence. What follows is not examined. */
  broken(fault: string): void;
}

/** The maximum number of bytes of a head, and of a line between chunks. */
const LONGEST_HEAD = 256 * 1024;
const LONGEST_LINE = 16 * 1024;

type State =
  | 'head'
  | 'length'
  | 'size'
  | 'data'
  | 'data-end'
  | 'trailers'
  | 'until-close'
  | 'foreign'
  | 'broken';

/**
 * Parses one direction of an HTTP/1.1 connection without changing it: reports heads, bodies and message ends
 * among the bytes that pass (RFC 9112). Buffers at most a head. What breaks the rules between messages is
 * foreign; within a message it breaks the message. Takes linear time. The parser of Node.js does not report
 * the original bytes, so they could not be passed on unchanged.
 */
export class HttpFramer {
  readonly #listener: FrameListener;
  readonly #side: 'requests' | 'replies';
  #state: State = 'head';
  /** The part of a head or of a line that has arrived. */
  #open: Buffer = EMPTY;
  /** The number of bytes of a body or a chunk that are still to come. */
  #left = 0;
  /** True if a head is what broke. */
  #isBrokenHead = false;

  constructor(side: 'requests' | 'replies', listener: FrameListener) {
    this.#side = side;
    this.#listener = listener;
  }

  /** True unless a message broke in its head. */
  get isInBody(): boolean {
    return !this.#isBrokenHead;
  }

  /** Both sides agreed on another protocol: from here on the connection is not HTTP. */
  tunnel(): void {
    this.#state = 'foreign';
    const held = this.#open;
    this.#open = EMPTY;
    if (held.length > 0) this.#takeRest(held, held.length);
  }

  /** Returns how many of the bytes may pass, and whether part of a broken message passed before them. */
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

  /** The other side has ended: a body that lasts until the connection ends is complete. */
  end(): void {
    this.flush();
    if (this.#state === 'until-close') this.#finish();
  }

  /** The connection broke off: an incomplete head counts as foreign. */
  flush(): void {
    if (this.#state === 'head' && this.#open.length > 0) this.#refuse(this.#open, 0);
  }

  /** Takes what the state expects; returns the index of the remaining bytes. */
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
    // Line ends before a message belong to no message (RFC 9112, section 2.2).
    if (this.#open.length === 0) while (bytes[at] === CR || bytes[at] === LF) at++;
    if (at === bytes.length) return at;
    const before = this.#open.length;
    const all = before === 0 ? bytes.subarray(at) : Buffer.concat([this.#open, bytes.subarray(at)]);
    const end = findHeadEnd(all, Math.max(0, before - 3));
    if (end === -1) {
      // What cannot begin a head is reported at once: the other side may wait for it forever.
      if (all.length > LONGEST_HEAD || !MAY_BE_HEAD.test(all.toString('latin1', 0, 32)))
        return this.#refuse(all, bytes.length);
      this.#open = Buffer.from(all);
      return bytes.length;
    }
    const head = readHead(all.subarray(0, end), this.#side);
    if (!head && this.#side === 'replies' && BEGINS_REPLY.test(all.toString('latin1', 0, 16)))
      return this.#breakOff('a line of its head is not valid HTTP/1.1', bytes.length, true);
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

  /** Takes a line between chunks. Returns what is wrong with it. */
  #takeFrame(line: Buffer): string | undefined {
    this.#open = EMPTY;
    const text = line.toString('latin1');
    if (this.#state === 'data-end') {
      if (text !== END_OF_LINE) return `a chunk of it is longer than its size says`;
      this.#state = 'size';
    } else {
      const [, size] = (this.#side === 'requests' ? CHUNK : LOOSE_CHUNK).exec(text) ?? [];
      if (size === undefined) return `${quote(text.trimEnd())} is not a chunk size`;
      this.#left = parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailers' : 'data';
    }
    this.#listener.raw(line);
    return undefined;
  }

  /** Holds trailers until the empty line that ends them. Returns what is wrong with them. */
  #takeTrailer(all: Buffer): string | undefined {
    const isEmpty = all.length <= END_OF_LINE.length;
    if (!isEmpty && findHeadEnd(all, Math.max(0, all.length - 3)) === -1) {
      this.#open = Buffer.from(all);
      return undefined;
    }
    this.#open = EMPTY;
    const headers = isEmpty ? [] : readFields(all, 'requests');
    if (!headers || hasBareLineEnd(all)) return 'one of its trailers is not valid HTTP/1.1';
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

  /** Gives up within a message. Returns `next`, the index of the remaining bytes. */
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

/** Some agents pad sizes with blanks; all callers that accept this read the same size. */
const LOOSE_CHUNK = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n]*)?\r\n$/;

/** Headers in one line, for a sentence, without the credentials among them. */
export function printHeaders(headers: readonly StoredHeader[]): string {
  return NO_SECRETS.redactHeaders(headers)
    .map(({ name, value }) => `${name}: ${value}`)
    .join(', ');
}
