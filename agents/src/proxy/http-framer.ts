import type { KeptHeader } from '../../../protocol/src/trace/events.ts';
import { findHeader } from '../../../protocol/src/trace/headers.ts';
import { findHeadEnd, MAY_BE_HEAD, readFields, readHead, type MessageHead } from './http-head.ts';

/** How a message's body is told from what follows it (RFC 9112, section 6.3). */
export type Framing = 'none' | 'chunked' | 'until-close' | 'tunnel' | { readonly length: number };

/** Hears what the bytes of one direction of a connection are, in their order. */
export interface FrameListener {
  /** A head came; answers how its body is framed. */
  head(head: MessageHead): Framing;
  /** Bytes where a head should be, which are none; all that follows is foreign. */
  noHead(bytes: Buffer): void;
  /** Bytes behind a head as they stand, frames of chunks and trailers included, before what they are is told. */
  raw(bytes: Buffer): void;
  /** Bytes of a body, without the frames of its chunks. */
  body(bytes: Buffer): void;
  trailers(headers: readonly KeptHeader[]): void;
  /** A message is over. */
  over(): void;
  /** Bytes that are no HTTP, or that come after an upgrade: from here on all of them are. */
  foreign(bytes: Buffer): void;
}

/** Bytes of a head, and of a line of a chunk, before it counts as none. */
const LONGEST_HEAD = 256 * 1024;
const LONGEST_LINE = 16 * 1024;

type State = 'head' | 'length' | 'size' | 'data' | 'data-end' | 'trailers' | 'until-close' | 'foreign';

/**
 * Follows one direction of a connection of HTTP/1.1 without changing it: tells heads, bodies and ends of messages from the
 * bytes that pass (RFC 9112). It keeps no more than a head. What breaks the rules is foreign from there on. Linear.
 */
export class HttpFramer {
  readonly #listener: FrameListener;
  readonly #side: 'requests' | 'replies';
  #state: State = 'head';
  /** What came of a head or of a line. */
  #open: Buffer = EMPTY;
  /** Bytes of a body or a chunk that are still to come. */
  #left = 0;

  constructor(side: 'requests' | 'replies', listener: FrameListener) {
    this.#side = side;
    this.#listener = listener;
  }

  /** From here on the connection is no HTTP: both sides agreed on something else. */
  tunnel(): void {
    this.#state = 'foreign';
  }

  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) at = this.#step(bytes, at);
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
    if (!head) return this.#refuse(all, bytes.length);
    this.#open = EMPTY;
    this.#begin(this.#listener.head(head));
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
    this.#listener.raw(piece);
    const line = this.#open.length === 0 ? piece : Buffer.concat([this.#open, piece]);
    const isTrailer = this.#state === 'trailers';
    const next = at + piece.length;
    if (line.length > (isTrailer ? LONGEST_HEAD : LONGEST_LINE)) return this.#lose(line, next);
    if (end === -1) {
      this.#open = Buffer.from(line);
      return bytes.length;
    }
    if (isTrailer) return this.#takeTrailer(line) ? next : this.#lose(line, next);
    this.#open = EMPTY;
    return this.#takeFrame(line.toString('latin1')) ? next : this.#lose(line, next);
  }

  /** A line between chunks; false for one that is none. */
  #takeFrame(line: string): boolean {
    if (this.#state === 'data-end') {
      this.#state = 'size';
      return this.#isLineEnd(line);
    }
    const [, size, end = ''] = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n]*)?(\r?\n)$/.exec(line) ?? [];
    if (size === undefined || !this.#isLineEnd(end)) return false;
    this.#left = parseInt(size, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'data';
    return true;
  }

  #isLineEnd(text: string): boolean {
    return text === '\r\n' || (this.#side === 'replies' && text === '\n');
  }

  /** Trailers are kept until the empty line that ends them. */
  #takeTrailer(all: Buffer): boolean {
    const isEmpty = all.length <= END_OF_LINE.length;
    if (!isEmpty && findHeadEnd(all, Math.max(0, all.length - 3)) === -1) {
      this.#open = Buffer.from(all);
      return true;
    }
    this.#open = EMPTY;
    const headers = isEmpty ? [] : readFields(all, this.#side);
    if (!headers) return false;
    if (headers.length > 0) this.#listener.trailers(headers);
    this.#finish();
    return true;
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

  /** Gives up: what is held and all behind it is foreign. Answers `next`, where the rest begins. */
  #lose(held: Buffer, next: number): number {
    this.#open = EMPTY;
    this.#state = 'foreign';
    this.#listener.foreign(held);
    return next;
  }
}

const EMPTY = Buffer.alloc(0);
const CR = 13;
const LF = 10;
const END_OF_LINE = '\r\n';

/** How the body of a request is framed. */
export function frameRequest({ headers }: MessageHead): Framing {
  if (isChunked(headers)) return 'chunked';
  return findLength(headers) ?? 'none';
}

/** How the body of a reply to a request of this method is framed. */
export function frameReply({ line, headers }: MessageHead, method: string): Framing {
  const status = statusOf(line);
  if (status === 101) return 'tunnel';
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 'none';
  if (isChunked(headers)) return 'chunked';
  return findLength(headers) ?? 'until-close';
}

/** The status of a reply by its first line. */
export function statusOf(line: string): number {
  return Number(/^\S+ (\d{3})/.exec(line)?.[1] ?? 0);
}

function isChunked(headers: readonly KeptHeader[]): boolean {
  const codings = headers.filter(({ name }) => name.toLowerCase() === 'transfer-encoding');
  return /(?:^|,)\s*chunked\s*$/i.test(codings.map(({ value }) => value).join(','));
}

function findLength(headers: readonly KeptHeader[]): { readonly length: number } | undefined {
  const value = findHeader(headers, 'content-length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? { length: Number(value) } : undefined;
}

/** Headers in one line, for a sentence. */
export function printHeaders(headers: readonly KeptHeader[]): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join(', ');
}
