import { isUtf8 } from 'node:buffer';
import { quote } from '../../core/text/quote.ts';
import { NOT_UTF8 } from '../connection.ts';
import { putRecent } from '../recent.ts';
import type { CallTerms } from '../stdio/call-terms.ts';
import { mayBeJson } from '../stdio/foreign-output.ts';
import { ParallelDialogue } from '../stdio/parallel-dialogue.ts';
import type { StdioCall } from '../stdio/stdio-call.ts';
import { readAnswer, type AioAnswer } from './reply.ts';

/** The settings of a call to an AIO agent. */
export interface AioTerms extends CallTerms {
  /** The id of the request, as text. */
  readonly id: string;
  readonly trace: string;
}

export type AioCall = StdioCall<AioTerms>;

const LINE_FEED = 0x0a;
const MAX_REMEMBERED = 1_000;

/** Output of one call, and the lines of it that are not a reply. */
interface UnreportedOutput {
  readonly call: AioCall;
  readonly bytes: Buffer[];
  readonly foreign: Buffer[];
}

/** The note for output that names no request while none is open. */
const LATE =
  'More data arrived after the call had ended; it was recorded with this call and not used as a reply to another request';

/**
 * The calls of one AIO process. Its output, one JSON value per line, is assigned to them: a reply belongs to
 * the call with its id, else with its trace, else to the oldest open one. Output that belongs to no open call
 * is stored with the call that ended last. Bytes are reported at once if a single call is open; if there are
 * several, with their whole line.
 */
export class LineDialogue extends ParallelDialogue<AioCall> {
  /** Answered calls by id, up to a limit. */
  readonly #answered = new Map<string, AioCall>();
  /** The incomplete line. */
  #line: Buffer[] = [];
  #lineBytes = 0;
  /** The number of its pieces that were reported to a call. */
  #reported = 0;
  /** The output to report next, collected because a piece of output may contain many thousand lines. */
  #next: UnreportedOutput | undefined;
  /** True once a reply had the id or the trace of its request. */
  #namesRequests = false;

  /** True if a missing reply could not be distinguished from the reply to a new request. */
  get owes(): boolean {
    return this.isSilent || (this.abandoned.size > 0 && !this.#namesRequests);
  }

  override settle(call: AioCall, whole: 'whole' | 'owed'): void {
    super.settle(call, whole);
    if (whole === 'whole') putRecent(this.#answered, call.terms.id, call, MAX_REMEMBERED);
  }

  findCut(call: AioCall): string {
    const start = Buffer.concat(this.#line).toString('utf8').trimStart();
    return this.oldest === call && start.startsWith('{') ? start : '';
  }

  takeOutput(bytes: Buffer): void {
    this.isSilent = false;
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      this.#push(bytes.subarray(from, end + 1));
      this.#takeLine();
      from = end + 1;
    }
    // Long output is cut at a line, so the beginning of the next line is not taken for a reply that was cut off.
    this.#flush();
    this.checkReceived();
    if (from < bytes.length) this.#push(bytes.subarray(from));
    // While several calls are open, an incomplete line cannot be assigned.
    if (this.open.size < 2) this.#report(this.nearest);
    this.#flush();
    const foreign = mayBeJson(this.#line) ? 0 : this.#lineBytes;
    // What made us end the process is no part of a reply.
    if (this.foreign.isTooMuch(foreign)) this.#line = [];
    this.checkLength(this.#lineBytes, foreign);
  }

  takeEnd(): void {
    const rest = Buffer.concat(this.#line).toString('utf8').trim();
    // A text that began as a reply and is none was cut off, and is reported as that.
    if (rest !== '' && (!rest.startsWith('{') || readAnswer(rest))) this.#takeLine();
    this.#flush();
  }

  #push(bytes: Buffer): void {
    this.#line.push(bytes);
    this.#lineBytes += bytes.length;
  }

  /** Takes a complete line with its end. */
  #takeLine(): void {
    const line = Buffer.concat(this.#line);
    const text = line
      .toString('utf8')
      .replace(/^\u{feff}/u, '')
      .trim();
    const answer = text === '' ? undefined : readAnswer(text);
    if (answer) {
      this.#flush();
      this.foreign.clear();
    } else this.foreign.add(line.length);
    const call = answer ? this.#findCall(answer) : this.nearest;
    this.#report(call);
    this.#line = [];
    this.#lineBytes = 0;
    this.#reported = 0;
    if (!answer && text !== '') this.#next?.foreign.push(line);
    if (!answer) return;
    this.#flush();
    this.checkReceived();
    if (!call?.isOpen) return;
    if (!isUtf8(line)) call.noteOnce(NOT_UTF8);
    call.takeMessage(text, 'last');
  }

  /** Assigns the unreported bytes of the line to a call. */
  #report(call: AioCall | undefined): void {
    const pieces = this.#line.slice(this.#reported);
    this.#reported = this.#line.length;
    if (this.#next?.call !== call) this.#flush();
    if (call) this.#next ??= { call, bytes: [], foreign: [] };
    for (const piece of pieces) this.#next?.bytes.push(piece);
  }

  /** Reports the collected output to its call. */
  #flush(): void {
    if (!this.#next) return;
    const { call, bytes, foreign } = this.#next;
    this.#next = undefined;
    const lines = Buffer.concat(foreign);
    // Output over the limit ends the call, so its text is passed on before.
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
    const oldest = this.oldest;
    const answered = this.#answered.get(id ?? '');
    if (answered && id !== undefined) {
      answered.noteOnce('Another reply arrived after the first one; it was recorded with this call');
      oldest?.noteOnce(
        `A reply with the id ${quote(id)} came, but its request was already answered; it was not used as another reply`,
      );
      return answered;
    }
    if (oldest && id !== undefined)
      oldest.noteOnce(
        `A reply with the id ${quote(id)} came, which no open request has; it was treated as the reply to the oldest one`,
      );
    if (!oldest) this.last?.noteOnce(LATE);
    return oldest ?? this.last;
  }

  /** Finds the call that a reply names. A call that ended before its reply then waits for nothing more. */
  #findNamed(isMeant: (call: AioCall) => boolean): AioCall | undefined {
    const open = [...this.open].find(isMeant);
    const late = open ? undefined : [...this.abandoned].find(isMeant);
    if (late) {
      this.abandoned.delete(late);
      late.noteOnce('Its reply arrived after the call had ended; it was recorded with this call');
    }
    return open ?? late;
  }
}
