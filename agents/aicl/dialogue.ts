import { isUtf8 } from 'node:buffer';
import {
  readAiclDelivery,
  type AiclDelivery,
  isAiclType,
  findCutMessage,
  isMessage,
} from '../../language/aicl/replies/reply.ts';
import { AiclFramer, type AiclFrame } from '../../language/aicl/replies/frames.ts';
import { quote } from '../../core/text/quote.ts';
import { NOT_UTF8 } from '../connection.ts';
import type { DialogueLimits } from '../stdio/conversation.ts';
import type { CallTerms } from '../stdio/call-terms.ts';
import { ParallelDialogue } from '../stdio/parallel-dialogue.ts';
import { Quiet } from '../stdio/quiet.ts';
import type { StdioCall } from '../stdio/stdio-call.ts';

/**
 * The maximum number of bytes of an incomplete message that wait until its session is known, while several
 * calls are open.
 */
const MAX_HELD = 65_536;

/** The length of the longest line end. */
const LINE_END = 2;

/** The settings of a call to an AICL agent. */
export interface AiclTerms extends CallTerms {
  /** The session of the request; empty if it names none. */
  readonly session: string;
  readonly messageType: string;
}

type AiclCall = StdioCall<AiclTerms>;

/**
 * The calls of one process; its output is assigned to them. Messages are separated by their outer brackets,
 * without brackets inside texts. A message belongs to the oldest open call of its session. One without a
 * session, or of an unknown session, belongs to the oldest open call of all, with a note. Output that belongs
 * to no open call is stored with the call that ended last. Bytes are reported before they are read if a
 * single call is open; if there are several, with their message.
 */
export class AiclDialogue extends ParallelDialogue<AiclCall> {
  readonly #framer = new AiclFramer();
  readonly #sessions = new Set<string>();
  /** The number of bytes of output that have arrived. */
  #offset = 0;
  /** The latest bytes, as far as they are not assigned to a call. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Bytes that are assigned to a call but not reported yet. */
  #waiting: { readonly call: AiclCall; readonly bytes: Buffer[] } | undefined;
  /** The part of a message that was cut off by the end of the process. */
  #cutText = '';
  readonly #quiet: Quiet;

  constructor(limits: DialogueLimits) {
    super(limits);
    this.#quiet = new Quiet(() => this.#endMessage(), limits.quiet);
  }

  /**
   * True if a reply in this session could not be distinguished from a missing reply to a call that has ended,
   * or if the process has written nothing since a call timed out.
   */
  owes(session: string): boolean {
    return this.isSilent || [...this.abandoned].some(call => call.terms.session === session);
  }

  override add(call: AiclCall): void {
    super.add(call);
    this.#sessions.add(call.terms.session);
  }

  /** The part that has arrived of an incomplete message for a call. */
  findCut(call: AiclCall): string {
    // What made us end the process is no part of a reply.
    if (this.isGivenUp && this.#framer.isForeign) return '';
    const openText = this.#framer.openStart === undefined ? this.#cutText : this.#framer.openText;
    if (this.oldest !== call || !openText.startsWith('[d:')) return '';
    return Buffer.from(openText, 'latin1').toString('utf8');
  }

  /** All output of the process has arrived: it ends an open message, unless that was cut off. */
  takeEnd(): void {
    this.#quiet.stop();
    if (this.isGivenUp) return this.#report();
    const frames = this.#framer.end();
    const cut = findCutMessage(frames);
    if (cut) this.#cutText = cut.text;
    this.#takeFrames(cut ? frames.slice(0, -1) : frames, '');
    this.#report();
  }

  /** Takes output. Each byte is read as one character: message brackets are ASCII, and offsets count bytes. */
  takeOutput(bytes: Buffer): void {
    if (this.isGivenUp) return;
    const base = this.#offset;
    this.#offset += bytes.length;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    this.isSilent = false;
    const piece = bytes.toString('latin1');
    const read = this.#takeFrames(this.#framer.push(piece), piece);
    const openStart = this.#framer.openStart;
    const outside = openStart ?? this.#offset;
    if (outside > read) this.#takeForeign(piece.slice(read - base, outside - base));
    this.#give(this.nearest, this.#mayHold() ? outside : this.#offset);
    this.#report();
    this.#quiet.observe(bytes, this.#framer);
    const openBytes = this.#offset - (openStart ?? this.#offset);
    this.checkLength(openBytes, this.#framer.isForeign ? openBytes : 0);
  }

  /** Takes the frames that the last piece completed. Returns the offset up to which output was read. */
  #takeFrames(frames: readonly AiclFrame[], piece: string): number {
    const base = this.#offset - piece.length;
    let read = base;
    for (const frame of frames) {
      if (frame.start > read) this.#takeForeign(piece.slice(read - base, frame.start - base));
      // The line end after a message belongs to it.
      const behind = frame.end < base ? '' : piece.slice(frame.end - base, frame.end - base + LINE_END);
      const blanks = /^[\r\n]*/.exec(behind)?.[0] ?? '';
      if (isMessage(frame)) this.#takeMessage(frame, frame.end + blanks.length);
      else this.#takeForeign(frame.text);
      read = Math.max(read, frame.end);
    }
    return read;
  }

  /** Ends the open message, because nothing arrived for a while after a line end. */
  #endMessage(): void {
    this.#takeFrames(this.#framer.end(), '');
    this.#report();
  }

  /** True while the beginning of a message waits: it cannot be assigned while several calls are open. */
  #mayHold(): boolean {
    return this.open.size > 1 && this.#heldBytes < MAX_HELD;
  }

  #takeMessage({ text, start }: AiclFrame, end: number): void {
    this.foreign.clear();
    const utf8 = Buffer.from(text, 'latin1');
    const message = utf8.toString('utf8');
    const delivery = readAiclDelivery(message);
    const call = this.#findCall(delivery);
    this.#give(this.nearest, start);
    this.#give(call, end);
    // The last message of a reply ends its call, so its bytes are reported before.
    if (call && endsReply(call, delivery)) this.#report();
    if (!isUtf8(utf8)) call?.noteOnce(NOT_UTF8);
    if (call) deliver(call, message, delivery);
  }

  #findCall({ session, isLast }: AiclDelivery): AiclCall | undefined {
    const named = this.#findOldest(session);
    if (named) {
      // The last message of a late reply: nothing more is expected for that call.
      if (isLast) this.abandoned.delete(named);
      return named;
    }
    if (this.#sessions.has(session)) return this.last;
    const unnamed = this.#findOldest('') ?? this.oldest;
    if (unnamed && unnamed.terms.session !== '')
      unnamed.noteOnce(
        session === ''
          ? 'A message without a session came; it was treated as the reply to the oldest open request'
          : `A message of the session ${quote(session)} came, which has no open request; it was treated as the reply to the oldest open request`,
      );
    return unnamed ?? this.last;
  }

  /** The oldest call of a session that waits for a reply, or has ended without its whole reply. */
  #findOldest(session: string): AiclCall | undefined {
    for (const calls of [this.abandoned, this.open])
      for (const call of calls) if (call.terms.session === session) return call;
    return undefined;
  }

  #takeForeign(text: string): void {
    this.foreign.add(text.length);
    if (!/[^ \t\r\n]/.test(text)) return;
    this.oldest?.takeForeign(Buffer.from(text, 'latin1'));
  }

  /** Assigns all unassigned bytes up to an offset to a call. */
  #give(call: AiclCall | undefined, upTo: number): void {
    if (!call) return;
    if (this.#waiting?.call !== call) {
      this.#report();
      this.#waiting = { call, bytes: [] };
    }
    let count = upTo - (this.#offset - this.#heldBytes);
    while (count > 0) {
      const first = this.#held.shift();
      if (!first) return;
      const part = first.subarray(0, count);
      if (part.length < first.length) this.#held.unshift(first.subarray(part.length));
      this.#waiting?.bytes.push(part);
      this.#heldBytes -= part.length;
      count -= part.length;
    }
  }

  #report(): void {
    const { call, bytes = [] } = this.#waiting ?? {};
    this.#waiting = undefined;
    if (bytes.length > 0) call?.takeOutput(Buffer.concat(bytes));
  }
}

function deliver(call: AiclCall, message: string, delivery: AiclDelivery): void {
  if (!call.isOpen) {
    call.noteOnce(
      'More of its session arrived after the call had ended; it was recorded with this call and not used as a reply to another request',
    );
    return;
  }
  // Terms that the agent offers by itself, for example after a protocol error, do not answer another request.
  const isOffer =
    delivery.messageType === 'protocol_negotiate' && call.terms.messageType !== 'protocol_negotiate';
  call.takeMessage(message, endsReply(call, delivery) && !isOffer ? 'last' : 'more');
}

/**
 * True if a message ends the reply. A first message of a type that AICL does not have does, because nothing
 * else would.
 */
function endsReply(call: AiclCall, { isLast, messageType }: AiclDelivery): boolean {
  return isLast || (!call.hasBegun && !isAiclType(messageType));
}
