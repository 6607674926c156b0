import { isUtf8 } from 'node:buffer';
import { quote } from '../../core/text/quote.ts';
import { NOT_UTF8 } from '../connection.ts';
import type { CallTerms } from '../stdio/call-terms.ts';
import type { Dialogue, DialogueLimits } from '../stdio/conversation.ts';
import { describeTooLong } from '../stdio/failure.ts';
import type { StdioCall } from '../stdio/stdio-call.ts';
import { readAnswer, type AioAnswer } from './reply.ts';

/** What a call is to an AIO agent. */
export interface AioTerms extends CallTerms {
  /** Of the request, as text. */
  readonly id: string;
  readonly trace: string;
}

export type AioCall = StdioCall<AioTerms>;

const LINE_FEED = 0x0a;
const MOST_REMEMBERED = 1_000;

/** Output of one call, and the lines of it that are no reply. */
interface Untold {
  readonly call: AioCall;
  readonly bytes: Buffer[];
  readonly foreign: Buffer[];
}

/** What names no request while none is open. */
const LATE = 'More came after the call had ended; that is kept with it and answers no other request';

/**
 * The calls of one AIO process, and what it writes dealt out to them: one JSON a line. A reply belongs to the call of its id,
 * else of its trace, else to the oldest open one. What belongs to no open call is kept with the call that ended last.
 * Bytes go to a call at once where it is the only one that is open; where there are several, with their line.
 */
export class LineDialogue implements Dialogue<AioCall> {
  readonly #limits: DialogueLimits;
  readonly #open = new Set<AioCall>();
  /** Calls that were given up before their reply came: it may still come. */
  readonly #abandoned = new Set<AioCall>();
  #last: AioCall | undefined;
  /** Calls that were answered, by id, as far as they are remembered. */
  readonly #answered = new Map<string, AioCall>();
  /** The line that is not whole. */
  #line: Buffer[] = [];
  #lineBytes = 0;
  /** How many of its pieces a call was told of. */
  #told = 0;
  /** What a call is told of next: a piece of output may be many thousand lines. */
  #next: Untold | undefined;
  /** True once a reply named the id or the trace of its request. */
  #namesRequests = false;
  /** True from a time-out on until something comes. */
  #isSilent = false;

  constructor(limits: DialogueLimits) {
    this.#limits = limits;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** True where a reply that is still owed could not be told from the one to a new request. */
  get owes(): boolean {
    return this.#isSilent || (this.#abandoned.size > 0 && !this.#namesRequests);
  }

  add(call: AioCall): void {
    this.#open.add(call);
  }

  settle(call: AioCall, whole: 'whole' | 'owed'): void {
    this.#open.delete(call);
    this.#last = call;
    if (call.hasTimedOut) this.#isSilent = true;
    if (whole === 'owed') this.#abandoned.add(call);
    else this.#answered.set(call.terms.id, call);
    const [oldest] = this.#answered.keys();
    if (this.#answered.size > MOST_REMEMBERED && oldest !== undefined) this.#answered.delete(oldest);
  }

  failAll(fail: (call: AioCall) => void): void {
    for (const call of [...this.#open]) fail(call);
  }

  findCut(call: AioCall): string {
    const start = Buffer.concat(this.#line).toString('utf8').trimStart();
    return this.#oldest() === call && start.startsWith('{') ? start : '';
  }

  takeErrorOutput(bytes: Buffer): void {
    (this.#oldest() ?? this.#last)?.takeErrorOutput(bytes);
  }

  takeOutput(bytes: Buffer): void {
    this.#isSilent = false;
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      this.#push(bytes.subarray(from, end + 1));
      this.#takeLine();
      from = end + 1;
    }
    // A flood is cut at a line: the beginning of the next one is no reply that was cut.
    this.#flush();
    this.#checkReceived();
    if (from < bytes.length) this.#push(bytes.subarray(from));
    // While several calls are open nobody knows whose a line is that has only begun.
    if (this.#open.size < 2) this.#tell(this.#oldest() ?? this.#last);
    this.#flush();
    this.#checkLength();
  }

  takeEnd(): void {
    const rest = Buffer.concat(this.#line).toString('utf8').trim();
    // What began as a reply and is none was cut; it is told as that.
    if (rest !== '' && (!rest.startsWith('{') || readAnswer(rest))) this.#takeLine();
    this.#flush();
  }

  #push(bytes: Buffer): void {
    this.#line.push(bytes);
    this.#lineBytes += bytes.length;
  }

  /** A whole line, with its end. */
  #takeLine(): void {
    const line = Buffer.concat(this.#line);
    const text = line
      .toString('utf8')
      .replace(/^\u{feff}/u, '')
      .trim();
    const answer = text === '' ? undefined : readAnswer(text);
    if (answer) this.#flush();
    const call = answer ? this.#findCall(answer) : (this.#oldest() ?? this.#last);
    this.#tell(call);
    this.#line = [];
    this.#lineBytes = 0;
    this.#told = 0;
    if (!answer && text !== '') this.#next?.foreign.push(line);
    if (!answer) return;
    this.#flush();
    this.#checkReceived();
    if (!call?.isOpen) return;
    if (!isUtf8(line)) call.noteOnce(NOT_UTF8);
    call.takeMessage(text, 'last');
  }

  /** Bytes of the line that nobody was told of are for a call. */
  #tell(call: AioCall | undefined): void {
    const pieces = this.#line.slice(this.#told);
    this.#told = this.#line.length;
    if (this.#next?.call !== call) this.#flush();
    if (call) this.#next ??= { call, bytes: [], foreign: [] };
    for (const piece of pieces) this.#next?.bytes.push(piece);
  }

  /** Tells a call of its output so far. */
  #flush(): void {
    if (!this.#next) return;
    const { call, bytes, foreign } = this.#next;
    this.#next = undefined;
    const lines = Buffer.concat(foreign);
    // Output over the limit ends the call: what it says is taken before.
    if (lines.length > 0 && call.isOpen) {
      if (!isUtf8(lines)) call.noteOnce(NOT_UTF8);
      call.takeForeign(lines);
    } else if (lines.length > 0) call.noteOnce(LATE);
    const all = Buffer.concat(bytes);
    if (all.length > 0) call.takeOutput(all);
  }

  #findCall({ id, trace }: AioAnswer): AioCall | undefined {
    const named =
      this.#findNamed(call => call.terms.id === id) ?? this.#findNamed(call => call.terms.trace === trace);
    if (named) {
      this.#namesRequests = true;
      return named;
    }
    const oldest = this.#oldest();
    const answered = this.#answered.get(id ?? '');
    if (answered && id !== undefined) {
      answered.noteOnce('Another reply to it came after its first one; that is kept with it');
      oldest?.noteOnce(
        `A reply with the id ${quote(id)} came, whose request was answered before; it answers no other`,
      );
      return answered;
    }
    if (oldest && id !== undefined)
      oldest.noteOnce(
        `A reply with the id ${quote(id)} came, which no open request has; it was taken for the reply to the oldest one`,
      );
    if (!oldest) this.#last?.noteOnce(LATE);
    return oldest ?? this.#last;
  }

  /** The call that is meant; one that was given up is owed nothing any more. */
  #findNamed(isMeant: (call: AioCall) => boolean): AioCall | undefined {
    const open = [...this.#open].find(isMeant);
    const late = open ? undefined : [...this.#abandoned].find(isMeant);
    if (late) {
      this.#abandoned.delete(late);
      late.noteOnce('Its reply came after the call had ended; that is kept with it');
    }
    return open ?? late;
  }

  #oldest(): AioCall | undefined {
    return this.#open.values().next().value;
  }

  #checkReceived(): void {
    const { maxBytes, giveUp } = this.#limits;
    const long = [...this.#open].filter(call => call.received > maxBytes);
    if (long.length === 0) return;
    giveUp();
    for (const call of long) call.fail(progress => describeTooLong(maxBytes, progress));
  }

  #checkLength(): void {
    const { maxBytes, giveUp } = this.#limits;
    if (this.#lineBytes <= maxBytes) return this.#checkReceived();
    giveUp();
    this.failAll(call => call.fail(progress => describeTooLong(maxBytes, progress)));
  }
}
