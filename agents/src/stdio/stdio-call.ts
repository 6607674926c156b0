import type { Outcome } from '../../../protocol/src/message/outcome.ts';
import { quote } from '../../../protocol/src/text/quote.ts';
import type { Reply, WireListener } from '../connection.ts';
import { capTimer } from '../timer.ts';
import type { CallTerms } from './call-terms.ts';
import { describeCancelled, describeTimeout, type CallProgress, type StdioFailure } from './failure.ts';

/** How much of an output is looked at to quote its beginning, in characters. */
const LOOK = 10_000;

/** What the messages of one reply say together. */
export interface ReplyFold {
  push(text: string): void;
  end(): { readonly outcome: Outcome; readonly notes: readonly string[] };
}

/** A call to a process: gathers its reply and decides when that is over. What comes later is kept with it, up to a limit. */
export class StdioCall<Terms extends CallTerms = CallTerms> {
  readonly terms: Terms;
  readonly reply: Promise<Reply>;
  readonly #listener: WireListener;
  readonly #resolve: (reply: Reply) => void;
  readonly #onSettled: () => void;
  readonly #fold: ReplyFold;
  readonly #messages: string[] = [];
  readonly #foreign: Buffer[] = [];
  readonly #told = new Set<string>();
  #totalTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #end: Reply['status'] | 'open' | 'timeout' = 'open';
  #isSent = false;
  #received = 0;
  #errorOutput = 0;
  #late = 0;
  /** What of a message has come that is not whole; asked for where a call fails. */
  #findCut = (): string => '';

  constructor(terms: Terms, fold: ReplyFold, listener: WireListener, onSettled: () => void) {
    this.terms = terms;
    this.#fold = fold;
    this.#listener = listener;
    this.#onSettled = onSettled;
    let settle: (reply: Reply) => void = () => undefined;
    this.reply = new Promise(resolve => (settle = resolve));
    this.#resolve = settle;
  }

  get isOpen(): boolean {
    return this.#end === 'open';
  }

  get hasTimedOut(): boolean {
    return this.#end === 'timeout';
  }

  /** True where it was sent and given up before all of its reply came. */
  get isOwed(): boolean {
    return this.#isSent && (this.#end === 'timeout' || this.#end === 'cancelled');
  }

  /** Bytes of output that were kept with it. */
  get received(): number {
    return this.#received;
  }

  /** The request goes out now: `bytes` are what the process gets. */
  begin(bytes: Uint8Array, head: Parameters<WireListener['head']>, findCut: () => string): void {
    this.#isSent = true;
    this.#findCut = findCut;
    this.#listener.head(...head);
    this.#listener.bytes('out', bytes);
    const { total } = this.terms;
    if (total !== undefined)
      this.#totalTimer = setTimeout(() => this.#giveUp('total', total), capTimer(total));
    this.#waitIdle();
  }

  takeOutput(bytes: Uint8Array): void {
    this.#received += bytes.length;
    if (this.isOpen) {
      this.#waitIdle();
      this.#listener.bytes('in', bytes);
    } else this.#takeLate('in', bytes);
  }

  takeErrorOutput(bytes: Uint8Array): void {
    if (!this.isOpen) {
      this.#takeLate('stderr', bytes);
      return;
    }
    const room = this.terms.maxBytes - this.#errorOutput;
    if (room > 0) this.#listener.bytes('stderr', bytes.subarray(0, room));
    if (bytes.length > room)
      this.noteOnce('The agent writes more to its error output than is kept; the rest of it is left out');
    this.#errorOutput += bytes.length;
  }

  /** A whole message of its reply; of one that is the last the call ends. */
  takeMessage(text: string, place: 'more' | 'last'): void {
    if (!this.isOpen) return;
    const piece = this.#messages.length === 0 ? text : `\n${text}`;
    this.#messages.push(piece);
    this.#fold.push(piece);
    this.#listener.progress(piece);
    if (place === 'last') this.#finish(undefined);
  }

  /** Output that is no message. */
  takeForeign(bytes: Buffer): void {
    if (this.isOpen) this.#foreign.push(bytes);
  }

  noteOnce(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#listener.note(text);
  }

  fail(describe: (progress: CallProgress) => StdioFailure): void {
    if (this.isOpen) this.#finish(describe);
  }

  /** The user gives it up. */
  cancel(): Promise<Reply> {
    this.fail(describeCancelled);
    return this.reply;
  }

  #finish(describe: ((progress: CallProgress) => StdioFailure) | undefined): void {
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#idleTimer);
    const cut = describe ? this.#findCut() : '';
    const foreign = new TextDecoder().decode(Buffer.concat(this.#foreign)).trim();
    this.#foreign.length = 0;
    const start = this.terms.redactor.redactStart(foreign, LOOK);
    const failure = describe?.({
      line: this.terms.line,
      messages: this.#messages.length,
      isCut: cut !== '',
      foreign: this.#messages.length === 0 ? start : '',
      speech: this.terms.speech,
    });
    if (foreign !== '')
      this.noteOnce(
        `The agent wrote text to its output that is no ${this.terms.speech}, beginning ${quote(start)}; logs belong to its error output`,
      );
    const { outcome, notes } = this.#fold.end();
    const reply = this.#judge(failure, outcome, cut, foreign);
    // The call is kept for what comes late; its reply is not.
    this.#messages.length = 0;
    for (const note of notes) this.noteOnce(note);
    this.#end = failure?.kind === 'timeout' ? 'timeout' : reply.status;
    this.#onSettled();
    this.#resolve(reply);
  }

  #judge(failure: StdioFailure | undefined, outcome: Outcome, cut: string, foreign: string): Reply {
    const parts =
      cut === '' ? this.#messages : [...this.#messages, this.#messages.length === 0 ? cut : `\n${cut}`];
    const isProtocol = parts.length > 0;
    const came = { text: isProtocol ? parts.join('') : foreign, isProtocol };
    if (failure) {
      const broken = isProtocol ? 'incomplete' : 'error';
      const status = failure.kind === 'cancelled' ? 'cancelled' : broken;
      return { ...came, status, code: failure.code, message: failure.message };
    }
    if (outcome.kind !== 'error') return { ...came, status: 'ok' };
    const code = outcome.code === undefined ? {} : { code: outcome.code };
    return { ...came, status: 'error', ...code, message: outcome.text };
  }

  #takeLate(direction: 'in' | 'stderr', bytes: Uint8Array): void {
    const room = this.terms.maxLateBytes - this.#late;
    if (room > 0) this.#listener.bytes(direction, bytes.subarray(0, room));
    if (bytes.length > room)
      this.noteOnce('More came after the call had ended than is kept; the rest of it is left out');
    this.#late += bytes.length;
  }

  #waitIdle(): void {
    const { idle } = this.terms;
    if (this.#idleTimer) this.#idleTimer.refresh();
    else this.#idleTimer = setTimeout(() => this.#giveUp('idle', idle), capTimer(idle));
  }

  #giveUp(kind: 'idle' | 'total', limit: number): void {
    this.fail(progress => describeTimeout(kind, limit, progress));
  }
}
