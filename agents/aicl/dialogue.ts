import { isUtf8 } from 'node:buffer';
import { readAiclDelivery, type AiclDelivery } from '../../language/aicl/replies/delivery.ts';
import { AiclFramer, type AiclFrame } from '../../language/aicl/replies/frames.ts';
import { isAiclType, findCutMessage, isMessage } from '../../language/aicl/replies/reply.ts';
import { quote } from '../../core/text/quote.ts';
import { NOT_UTF8 } from '../connection.ts';
import { describeTooLong } from '../stdio/failure.ts';
import type { Dialogue, DialogueLimits } from '../stdio/conversation.ts';
import type { CallTerms } from '../stdio/call-terms.ts';
import { Quiet } from '../stdio/quiet.ts';
import type { StdioCall } from '../stdio/stdio-call.ts';

/** Bytes of a message that is not whole that wait for its session to be known, where several calls are open. */
const MOST_HELD = 65_536;

/** The longest line end. */
const LINE_END = 2;

/** What a call is to an AICL agent. */
export interface AiclTerms extends CallTerms {
  /** The session of the request; empty where it names none. */
  readonly session: string;
  readonly messageType: string;
}

type AiclCall = StdioCall<AiclTerms>;

/**
 * The calls of one process, and what it writes dealt out to them. Messages are told apart by their outer brackets, a
 * bracket inside a text not counted. A message belongs to the oldest open call of its session; one without a session,
 * or of a session that was never asked in, to the oldest open call of all, with a note. What belongs to no open call is
 * kept with the call that ended last. Bytes go to a call before they are read where it is the only one that is open;
 * where there are several, with their message.
 */
export class AiclDialogue implements Dialogue<AiclCall> {
  readonly #limits: DialogueLimits;
  readonly #framer = new AiclFramer();
  readonly #open = new Set<AiclCall>();
  /** Calls that were given up before their reply was whole: it may still come. */
  readonly #abandoned = new Set<AiclCall>();
  readonly #sessions = new Set<string>();
  #last: AiclCall | undefined;
  /** How many bytes of output came. */
  #offset = 0;
  /** Bytes that no call has yet; the end of what came. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Bytes for a call that were not told yet. */
  #waiting: { readonly call: AiclCall; readonly bytes: Buffer[] } | undefined;
  /** What came of a message that the end of the process cut. */
  #cutText = '';
  readonly #quiet: Quiet;
  /** True from a time-out on until something comes. */
  #isSilent = false;

  constructor(limits: DialogueLimits) {
    this.#limits = limits;
    this.#quiet = new Quiet(() => this.#endMessage(), limits.quiet);
  }

  /** True where no call is open. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /**
   * True where a reply in this session could not be told from one that is still owed to a call that was given up, or
   * where the process has said nothing since a call timed out.
   */
  owes(session: string): boolean {
    return this.#isSilent || [...this.#abandoned].some(call => call.terms.session === session);
  }

  add(call: AiclCall): void {
    this.#open.add(call);
    this.#sessions.add(call.terms.session);
  }

  /** A call has ended. `whole` says whether all of its reply came. */
  settle(call: AiclCall, whole: 'whole' | 'owed'): void {
    this.#open.delete(call);
    this.#last = call;
    if (call.hasTimedOut) this.#isSilent = true;
    if (whole === 'owed') this.#abandoned.add(call);
  }

  /** Ends every open call. */
  failAll(fail: (call: AiclCall) => void): void {
    for (const call of [...this.#open]) fail(call);
  }

  /** What of a message has come for a call, where that message is not whole. */
  findCut(call: AiclCall): string {
    const openText = this.#framer.openStart === undefined ? this.#cutText : this.#framer.openText;
    if (this.#oldest() !== call || !openText.startsWith('[d:')) return '';
    return Buffer.from(openText, 'latin1').toString('utf8');
  }

  /** All that the process wrote has come: a message that is open ends with it, unless it was cut. */
  takeEnd(): void {
    this.#quiet.stop();
    const frames = this.#framer.end();
    const cut = findCutMessage(frames);
    if (cut) this.#cutText = cut.text;
    this.#takeFrames(cut ? frames.slice(0, -1) : frames, '');
    this.#tell();
  }

  takeErrorOutput(bytes: Buffer): void {
    (this.#oldest() ?? this.#last)?.takeErrorOutput(bytes);
  }

  /** Output, as it came. Each byte is read as one character: what frames a message is ASCII, and offsets count bytes. */
  takeOutput(bytes: Buffer): void {
    const base = this.#offset;
    this.#offset += bytes.length;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    this.#isSilent = false;
    const piece = bytes.toString('latin1');
    const read = this.#takeFrames(this.#framer.push(piece), piece);
    const openStart = this.#framer.openStart;
    const outside = openStart ?? this.#offset;
    if (outside > read) this.#takeForeign(piece.slice(read - base, outside - base));
    this.#give(this.#oldest() ?? this.#last, this.#mayHold() ? outside : this.#offset);
    this.#tell();
    this.#quiet.heard(bytes, this.#framer);
    this.#checkLength(openStart);
  }

  /** Takes the frames that the last piece ended; answers up to where output was read. */
  #takeFrames(frames: readonly AiclFrame[], piece: string): number {
    const base = this.#offset - piece.length;
    let read = base;
    for (const frame of frames) {
      if (frame.start > read) this.#takeForeign(piece.slice(read - base, frame.start - base));
      // The line end after a message is the message's.
      const behind = frame.end < base ? '' : piece.slice(frame.end - base, frame.end - base + LINE_END);
      const blanks = /^[\r\n]*/.exec(behind)?.[0] ?? '';
      if (isMessage(frame)) this.#takeMessage(frame, frame.end + blanks.length);
      else this.#takeForeign(frame.text);
      read = Math.max(read, frame.end);
    }
    return read;
  }

  /** Nothing came for a while behind a line end. */
  #endMessage(): void {
    this.#takeFrames(this.#framer.end(), '');
    this.#tell();
  }

  /** While several calls are open nobody knows whose a message is that has only begun. */
  #mayHold(): boolean {
    return this.#open.size > 1 && this.#heldBytes < MOST_HELD;
  }

  #takeMessage({ text, start }: AiclFrame, end: number): void {
    const utf8 = Buffer.from(text, 'latin1');
    const message = utf8.toString('utf8');
    const delivery = readAiclDelivery(message);
    const call = this.#findCall(delivery);
    this.#give(this.#oldest() ?? this.#last, start);
    this.#give(call, end);
    // The last message of a call ends it: its bytes come first.
    if (call && endsReply(call, delivery)) this.#tell();
    if (!isUtf8(utf8)) call?.noteOnce(NOT_UTF8);
    if (call) deliver(call, message, delivery);
  }

  #findCall({ session, isLast }: AiclDelivery): AiclCall | undefined {
    const named = this.#findOldest(session);
    if (named) {
      // The last message of a reply that nobody waits for any more pays what was owed.
      if (isLast) this.#abandoned.delete(named);
      return named;
    }
    if (this.#sessions.has(session)) return this.#last;
    const unnamed = this.#findOldest('') ?? this.#oldest();
    if (unnamed && unnamed.terms.session !== '')
      unnamed.noteOnce(
        session === ''
          ? 'A message without a session came; it was taken for the reply to the oldest open request'
          : `A message of the session ${quote(session)} came, in which nothing was asked; it was taken for the reply to the oldest open request`,
      );
    return unnamed ?? this.#last;
  }

  /** The oldest call of a session that waits for a reply, or did until it was given up. */
  #findOldest(session: string): AiclCall | undefined {
    for (const calls of [this.#abandoned, this.#open])
      for (const call of calls) if (call.terms.session === session) return call;
    return undefined;
  }

  #takeForeign(text: string): void {
    if (!/[^ \t\r\n]/.test(text)) return;
    this.#oldest()?.takeForeign(Buffer.from(text, 'latin1'));
  }

  #oldest(): AiclCall | undefined {
    return this.#open.values().next().value;
  }

  /** Gives a call all that nobody has up to an offset. */
  #give(call: AiclCall | undefined, upTo: number): void {
    if (!call) return;
    if (this.#waiting?.call !== call) {
      this.#tell();
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

  #tell(): void {
    const { call, bytes = [] } = this.#waiting ?? {};
    this.#waiting = undefined;
    if (bytes.length > 0) call?.takeOutput(Buffer.concat(bytes));
  }

  #checkLength(openStart: number | undefined): void {
    const { maxBytes, giveUp } = this.#limits;
    const isLong = this.#offset - (openStart ?? this.#offset) > maxBytes;
    const long = [...this.#open].filter(call => call.received > maxBytes);
    if (!isLong && long.length === 0) return;
    giveUp();
    for (const call of isLong ? this.#open : long) call.fail(progress => describeTooLong(maxBytes, progress));
  }
}

function deliver(call: AiclCall, message: string, delivery: AiclDelivery): void {
  if (!call.isOpen) {
    call.noteOnce(
      'More came of its session after the call had ended; that is kept with it and answers no other request',
    );
    return;
  }
  // Terms that the agent offers by itself, as after an error of protocol, are no answer to another request.
  const isOffer =
    delivery.messageType === 'protocol_negotiate' && call.terms.messageType !== 'protocol_negotiate';
  call.takeMessage(message, endsReply(call, delivery) && !isOffer ? 'last' : 'more');
}

/** A reply that begins with a message of a type that AICL does not have is over with it: nothing says what else would end it. */
function endsReply(call: AiclCall, { isLast, messageType }: AiclDelivery): boolean {
  return isLast || (!call.hasBegun && !isAiclType(messageType));
}
