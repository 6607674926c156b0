import { defined } from '../../core/text/fields.ts';
import { NoteOnce } from '../../core/message/report.ts';
import { quote } from '../../core/text/quote.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import type { Reply, WireListener } from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';
import { readWithin, UNLIMITED } from '../slices.ts';
import { CallTimers } from '../timer.ts';
import type { CallTerms } from './call-terms.ts';
import { describeCancelled, describeTimeout, type CallProgress, type StdioFailure } from './failure.ts';

/** The number of characters of an output that are examined to quote its beginning. */
const LOOK = 10_000;

/** Pieces of foreign output are joined up to about this many bytes. */
const LONGEST_JOINED = 2 ** 16;

/**
 * A call to a process: collects its reply and decides when it is over. What arrives later is stored with it,
 * up to a limit.
 */
export class StdioCall<Terms extends CallTerms = CallTerms> {
  readonly terms: Terms;
  readonly reply: Promise<Reply>;
  readonly #listener: WireListener;
  readonly #resolve: (reply: Reply) => void;
  readonly #onSettled: () => void;
  readonly #reader: ExchangeReader;
  readonly #messages: string[] = [];
  readonly #foreign: Buffer[] = [];
  readonly #notes: NoteOnce;
  readonly #timers: CallTimers;
  #end: 'open' | 'ended' | 'cancelled' | 'timeout' = 'open';
  /** When its reply has to be read, on the clock of `performance.now`. */
  #deadline: number | undefined;
  readonly #stopped = new AbortController();
  #isSent = false;
  #received = 0;
  #errorOutput = 0;
  #late = 0;
  /** Returns the part of an incomplete message that has arrived; called if the call fails. */
  #findCut = (): string => '';

  constructor(terms: Terms, protocol: Protocol, listener: WireListener, onSettled: () => void) {
    this.terms = terms;
    this.#reader = new ExchangeReader(protocol, listener);
    this.#listener = listener;
    this.#notes = new NoteOnce(listener);
    this.#onSettled = onSettled;
    this.#timers = new CallTimers(terms.idle, terms.total, kind => this.#giveUp(kind));
    let settle: (reply: Reply) => void = () => undefined;
    this.reply = new Promise(resolve => (settle = resolve));
    this.#resolve = settle;
  }

  get isOpen(): boolean {
    return this.#end === 'open';
  }

  /** True once a message of its reply has arrived. */
  get hasBegun(): boolean {
    return this.#messages.length > 0;
  }

  get hasTimedOut(): boolean {
    return this.#end === 'timeout';
  }

  /** True if it was sent and then ended by the user or a time-out: the rest of its reply may still arrive. */
  get isOwed(): boolean {
    return this.#isSent && (this.#end === 'timeout' || this.#end === 'cancelled');
  }

  /** The number of bytes of output that were stored with it. */
  get received(): number {
    return this.#received;
  }

  /** The request is being sent: `bytes` are what the process receives. */
  begin(bytes: Uint8Array, head: Parameters<WireListener['head']>, findCut: () => string): void {
    this.#isSent = true;
    this.#findCut = findCut;
    this.#listener.head(...head);
    this.#listener.bytes('out', bytes);
    const { total } = this.terms;
    if (total !== undefined) this.#deadline = performance.now() + total;
    this.#timers.start();
  }

  takeOutput(bytes: Uint8Array): void {
    this.#received += bytes.length;
    if (this.isOpen) {
      this.#timers.touch();
      this.#listener.bytes('in', bytes);
    } else this.#takeLate('in', bytes);
  }

  takeErrorOutput(bytes: Uint8Array): void {
    if (!this.isOpen) {
      this.#takeLate('stderr', bytes);
      return;
    }
    const remaining = this.terms.maxBytes - this.#errorOutput;
    if (remaining > 0) this.#listener.bytes('stderr', bytes.subarray(0, remaining));
    if (bytes.length > remaining)
      this.noteOnce('The agent writes more to its error output than is recorded; the rest is left out');
    this.#errorOutput += bytes.length;
  }

  /** Takes a complete message of its reply; the last one ends the call. */
  takeMessage(text: string, place: 'more' | 'last'): void {
    if (!this.isOpen) return;
    const piece = this.#messages.length === 0 ? text : `\n${text}`;
    this.#messages.push(piece);
    this.#reader.push(piece);
    this.#listener.progress(piece);
    if (place === 'last') void this.#finish(undefined);
  }

  /** Takes output that is not a message. */
  takeForeign(bytes: Buffer): void {
    if (!this.isOpen) return;
    let joined = bytes;
    // Short pieces are joined: a million of them take far more memory than their content.
    for (let last = this.#foreign.at(-1); last && last.length <= joined.length; last = this.#foreign.at(-1)) {
      if (joined.length > LONGEST_JOINED) break;
      this.#foreign.pop();
      joined = Buffer.concat([last, joined]);
    }
    this.#foreign.push(joined);
  }

  noteOnce(text: string): void {
    this.#notes.note(text);
  }

  fail(describe: (progress: CallProgress) => StdioFailure): void {
    if (this.isOpen) void this.#finish(describe);
  }

  /** The user cancels the call. */
  cancel(): Promise<Reply> {
    this.#stopped.abort();
    this.fail(describeCancelled);
    return this.reply;
  }

  /** Nothing more arrives for it: reads what was received, unless the time-out or the user ends the reading. */
  async #finish(describe: ((progress: CallProgress) => StdioFailure) | undefined): Promise<void> {
    this.#timers.stop();
    const found = describe ? this.#findCut() : '';
    const cut = found === '' || this.#messages.length === 0 ? found : `\n${found}`;
    const foreign = new TextDecoder().decode(Buffer.concat(this.#foreign)).trim();
    this.#foreign.length = 0;
    const start = this.terms.redactor.redactStart(foreign, LOOK);
    const progress: CallProgress = {
      line: this.terms.line,
      messages: this.#messages.length,
      isCut: cut !== '',
      foreign: this.#messages.length === 0 ? start : '',
      speech: this.terms.speech,
    };
    const failure = describe?.(progress);
    if (foreign !== '')
      this.noteOnce(
        `The agent wrote text to its output that is not a valid ${this.terms.speech}, beginning ${quote(start)}; logs belong to its error output`,
      );
    this.#end = failure?.kind === 'timeout' || failure?.kind === 'cancelled' ? failure.kind : 'ended';
    this.#onSettled();
    const limits = failure ? UNLIMITED : { signals: [this.#stopped.signal], deadline: this.#deadline };
    const reading = await readWithin(this.#readSteps(cut), limits);
    const parts = cut === '' ? this.#messages : [...this.#messages, cut];
    const isProtocol = parts.length > 0;
    const came = { text: isProtocol ? parts.join('') : foreign, isProtocol };
    const reply =
      reading.ended === 'read'
        ? this.#judge(failure, came)
        : failWith(this.#describeUnread(reading.ended, progress), came);
    // The call stays for late output; its reply does not.
    this.#messages.length = 0;
    this.#resolve(reply);
  }

  #describeUnread(ended: 'cancelled' | 'timeout', progress: CallProgress): StdioFailure {
    return ended === 'cancelled'
      ? describeCancelled(progress)
      : describeTimeout('total', this.terms.allowed ?? 0, progress);
  }

  /** Reads the rest of the reply; `cut` is the beginning of a last message that did not arrive whole. */
  *#readSteps(cut: string): Generator<undefined, void> {
    // JSON that was cut off is read only for a listener that takes its messages.
    if (this.#reader.reply.body || this.#listener.messages) this.#reader.push(cut);
    yield* this.#reader.endSteps();
    this.#reader.deliver();
  }

  #judge(failure: StdioFailure | undefined, read: Pick<Reply, 'text' | 'isProtocol'>): Reply {
    const { notes, reply, ending } = this.#reader;
    for (const note of notes) this.noteOnce(note);
    const came = { ...read, ...ending.continuation };
    if (failure) return failWith(failure, came);
    const { body, outcome, isTooLarge, unfinished } = reply;
    const missing = body || !isTooLarge ? ending.cut : unfinished?.message;
    if (missing !== undefined) return { ...came, status: 'incomplete', message: missing };
    if (outcome.kind !== 'error') return defined({ ...came, status: 'ok', question: ending.question });
    return defined({ ...came, status: 'error', code: outcome.code, message: outcome.text });
  }

  #takeLate(direction: 'in' | 'stderr', bytes: Uint8Array): void {
    const remaining = this.terms.maxLateBytes - this.#late;
    if (remaining > 0) this.#listener.bytes(direction, bytes.subarray(0, remaining));
    if (bytes.length > remaining)
      this.noteOnce('More data arrived after the call had ended than is recorded; the rest is left out');
    this.#late += bytes.length;
  }

  #giveUp(kind: 'idle' | 'total'): void {
    const { idle, allowed = 0 } = this.terms;
    const limit = kind === 'idle' ? idle : allowed;
    this.fail(progress => describeTimeout(kind, limit, progress));
  }
}

/** The reply of a call that failed; it is incomplete if a part of it arrived. */
function failWith({ kind, code, message }: StdioFailure, came: Pick<Reply, 'text' | 'isProtocol'>): Reply {
  const broken = came.isProtocol ? 'incomplete' : 'error';
  return { ...came, status: kind === 'cancelled' ? 'cancelled' : broken, code, message };
}
