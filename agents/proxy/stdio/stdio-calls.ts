import { findEntry, textIn, type Value } from '../../../core/values/value.ts';
import type { TraceProtocol } from '../../../core/events/events.ts';
import { printId } from '../../../protocols/recognise/names.ts';
import { recogniseReply } from '../../../protocols/recognise/reply.ts';
import { isBackRequest } from '../../../protocols/recognise/reply-facts.ts';
import { recogniseRequest, type RecognisedRequest } from '../../../protocols/recognise/request.ts';
import { CallTracker } from '../../call-tracker.ts';
import { putRecent } from '../../recent.ts';
import { fromByteText } from '../../stored-bytes.ts';
import { readCancelled, type Cancelled } from '../recording/cancel.ts';
import { CauseNotes } from '../recording/cause.ts';
import type { ExchangeOutcome } from '../exchange.ts';
import type { StdioPiece } from './message-splitter.ts';
import { OpenCalls, type OpenCall } from './open-calls.ts';
import { CALLER, namesWithDepth, type Recording } from '../recording/recorder.ts';
import { describeBatch, readMessages, type StdioMessage } from './stdio-messages.ts';
import { StdioWords } from './stdio-words.ts';

/** How a process appears in traces. */
export interface ProcessFacts {
  /** Its command line, as it is shown to the user. */
  readonly line: string;
  readonly cwd: string;
  readonly pid: number;
}

/** The number of cancelled or ended calls for which late messages are recognised; older ones are forgotten. */
const MAX_ENDED = 100;

/**
 * Turns the messages between a process and its caller into calls. A reply is matched to its request by id,
 * else by session, else by order. Each message of a batch is a call of its own. Text that is not a message,
 * and the error output, are reported with the newest open call, else with the last call.
 */
export class StdioCalls {
  readonly #recording: Recording;
  readonly #facts: ProcessFacts;
  readonly #words: StdioWords;
  /** The open calls to the process. */
  readonly #open = new OpenCalls();
  /** The open calls from the process to its caller. */
  readonly #questions = new OpenCalls();
  /** The calls that were sent in the same batch as a call. */
  readonly #batches = new WeakMap<OpenCall, readonly OpenCall[]>();
  /** Calls that were cancelled and not answered since, by id. */
  readonly #cancelled = new Map<string, CallTracker>();
  /** The last calls that ended, by the tokens of their progress. */
  readonly #ended = new Map<string, CallTracker>();
  readonly #causes = new CauseNotes();
  #known: TraceProtocol | undefined;
  /** The call for the output of a process that writes much before it is called. */
  #own: CallTracker | undefined;

  constructor(recording: Recording, facts: ProcessFacts) {
    this.#recording = recording;
    this.#known = recording.protocol;
    this.#facts = facts;
    this.#words = new StdioWords(() => this.#startOwn());
  }

  /** Receives what was sent to the process. Returns the calls that wait for an answer. */
  sent(piece: StdioPiece): readonly OpenCall[] {
    if (piece.kind !== 'message') {
      this.#words.foreign('out', piece, this.#open.newest);
      return [];
    }
    const messages = readMessages(piece);
    const batch: OpenCall[] = [];
    let first = '';
    for (const [at, message] of messages.entries()) {
      const recognised = this.#recognise(message.text);
      if (at === 0) first = recognised.title;
      const isAnswer = recognised.kind === 'answer';
      const note = describeBatch('sent', { at, count: messages.length, first, isAnswer });
      const call = this.#send(message, recognised, note);
      if (call) batch.push(call);
    }
    if (batch.length > 1) for (const call of batch) this.#batches.set(call, batch);
    return batch;
  }

  /** Receives what the process wrote to its output. */
  came(piece: StdioPiece): void {
    const messages = piece.kind === 'message' ? readMessages(piece) : [];
    if (!messages[0]?.value) {
      this.#words.foreign('in', piece, this.#open.newest);
      return;
    }
    const first = this.#titleOf(messages[0], messages[0].value);
    for (const [at, message] of messages.entries()) {
      const { value } = message;
      if (!value) continue;
      const isAnswer = !findEntry(value, 'method');
      const note = describeBatch('received', { at, count: messages.length, first, isAnswer });
      if (isBackRequest(value)) this.#ask(message, note);
      else if (isAnswer) this.#reply(message, value, note);
      else this.#reportNotification(message, value, note);
    }
  }

  /** Receives what the process wrote to its error output. */
  warned(bytes: string): void {
    this.#words.warned(bytes, this.#open.newest);
  }

  /** The process has ended: open calls end as `unanswered`. `own` is the outcome of a process that was not called. */
  end(unanswered: ExchangeOutcome, own: ExchangeOutcome = unanswered): void {
    for (const call of [...this.#open.clear(), ...this.#questions.clear()]) call.tracker.end(unanswered);
    // Its output is stored even if it was never called.
    if (this.#words.hasEarly) this.#startOwn();
    this.#own?.end(own);
    this.#own = undefined;
  }

  /** Begins a call for what a process writes on its own. */
  #startOwn(): void {
    const title = this.#facts.line;
    this.#own = this.#start({ protocol: 'other', title, kind: 'request', names: [], notes: [] }, {}).tracker;
  }

  /** A process uses one protocol: one that was recognised before helps to recognise other messages. */
  #recognise(text: string): RecognisedRequest {
    const recognised = recogniseRequest({ headers: [], text, known: this.#known }, this.#recording.protocols);
    if (this.#known === undefined && recognised.protocol !== 'other') this.#known = recognised.protocol;
    return recognised;
  }

  #titleOf({ text }: StdioMessage, value: Value): string {
    if (findEntry(value, 'method')) return this.#recognise(text).title;
    return this.#findAsked(value)?.sign.title ?? 'an answer without a request';
  }

  /** Reports a message to the process. Returns its call if that waits for an answer. */
  #send(
    message: StdioMessage,
    recognised: RecognisedRequest,
    note: string | undefined,
  ): OpenCall | undefined {
    const question =
      recognised.kind === 'answer' && recognised.id !== undefined
        ? this.#questions.withId(recognised.id)
        : undefined;
    if (question) {
      this.#questions.delete(question);
      report(question.tracker, 'in', message, note);
      this.#finish(question, message);
      return undefined;
    }
    const call = this.#begin(recognised, message, note);
    const cancelled = readCancelled(this.#recording.protocols, recognised, message.text);
    if (cancelled) this.#cancel(cancelled);
    return call;
  }

  #begin(
    recognised: RecognisedRequest,
    message: StdioMessage,
    note: string | undefined,
  ): OpenCall | undefined {
    const call = this.#start(recognised, recognised.kind === 'answer' ? { back: true } : {});
    report(call.tracker, 'out', message, note);
    for (const each of recognised.notes) call.tracker.note(each);
    if (recognised.kind === 'request') {
      this.#open.add(call);
      return call;
    }
    call.tracker.end({ status: 'ok' });
    return undefined;
  }

  #start(recognised: RecognisedRequest, more: Partial<Parameters<CallTracker['begin']>[0]>): OpenCall {
    const { ids, now, emit, redactor, agent } = this.#recording;
    this.#own?.end({ status: 'ok' });
    this.#own = undefined;
    const tracker = new CallTracker(ids.newCall(), { now, emit }, redactor);
    const { trace = recognised.names.find(({ scheme }) => scheme === 'w3c')?.trace ?? ids.newTrace() } = more;
    const names = namesWithDepth(recognised, trace);
    const { protocol, title, session } = recognised;
    tracker.begin({
      trace,
      agent,
      protocol,
      title,
      seen: 'between',
      ...(names.length === 0 ? {} : { names }),
      ...(session === undefined ? {} : { session }),
      ...more,
    });
    const { line, cwd, pid } = this.#facts;
    tracker.head('out', `stdio ${line}`, [
      { name: 'cwd', value: cwd },
      { name: 'pid', value: String(pid) },
    ]);
    this.#words.began(tracker);
    return { tracker, sign: recognised, trace };
  }

  /** The process calls its caller, within the open call that causes it. */
  #ask(message: StdioMessage, note: string | undefined): void {
    const { cause } = this.#open;
    const within = cause?.call;
    // The bytes of a whole batch are recorded with the question alone.
    const own = note === undefined ? fromByteText(message.bytes) : Buffer.from(message.text);
    within?.tracker.bytes('in', own);
    const call = this.#start(this.#recognise(message.text), {
      agent: CALLER,
      from: this.#recording.agent,
      back: true,
      ...(within ? { parent: within.tracker.call, trace: within.trace } : {}),
    });
    report(call.tracker, 'out', message, note);
    this.#causes.add(call.tracker, cause);
    this.#questions.add(call);
  }

  /** The caller cancels a call: a server should not answer it any more, but still may. */
  #cancel({ id, outcome }: Cancelled): void {
    const call = this.#open.withId(id);
    if (!call) return;
    this.#open.delete(call);
    call.tracker.end(outcome);
    putRecent(this.#cancelled, id, call.tracker, MAX_ENDED);
    this.#rememberProgress(call);
  }

  #rememberProgress({ sign, tracker }: OpenCall): void {
    if (sign.progressToken !== undefined) putRecent(this.#ended, sign.progressToken, tracker, MAX_ENDED);
  }

  /**
   * Reports a notification of the process with the call whose progress it reports, also if that has ended, else with
   * the open call that causes it.
   */
  #reportNotification(message: StdioMessage, value: Value, note: string | undefined): void {
    const token = printId(findEntry(findEntry(value, 'params'), 'progressToken'));
    const found = token === undefined ? undefined : this.#open.withProgress(token);
    const ended = token === undefined || found ? undefined : this.#ended.get(token);
    if (ended) {
      this.#words.say(tracker => report(tracker, 'in', message, note), message.bytes.length, ended);
      return;
    }
    const { cause } = this.#open;
    const call = found ?? cause?.call;
    if (call) {
      report(call.tracker, 'in', message, note);
      if (!found) this.#causes.add(call.tracker, cause);
      return;
    }
    const recognised = this.#recognise(message.text);
    const { tracker } = this.#start(recognised, { agent: CALLER, from: this.#recording.agent, back: true });
    report(tracker, 'out', message, note);
    tracker.end({ status: 'ok' });
  }

  #reply(message: StdioMessage, value: Value, note: string | undefined): void {
    const call = this.#findAsked(value);
    if (!call && !ANSWERS.some(name => findEntry(value, name))) {
      // For example a line of a log.
      this.#words.foreign('in', { kind: 'foreign', bytes: message.bytes }, this.#open.newest);
      return;
    }
    if (!call) {
      this.#reportUnrequested(message, printId(findEntry(value, 'id')), note);
      return;
    }
    report(call.tracker, 'in', message, note);
    if (this.#recording.protocols.find(call.sign.protocol)?.replies.isPart?.(value)) return;
    // An answer without an id answers its whole batch, for example if the agent does not support batches.
    const isToAll = findEntry(value, 'id')?.kind === 'null';
    for (const each of (isToAll && this.#batches.get(call)) || [call]) {
      if (!this.#open.has(each)) continue;
      this.#open.delete(each);
      this.#finish(each, message);
      this.#rememberProgress(each);
    }
  }

  /** Reports an answer that nothing waits for, with the cancelled call that it answers if there is one. */
  #reportUnrequested(message: StdioMessage, id: string | undefined, note: string | undefined): void {
    const cancelled = id === undefined ? undefined : this.#cancelled.get(id);
    if (id !== undefined) this.#cancelled.delete(id);
    this.#words.say(
      tracker => {
        report(tracker, 'in', message, note);
        tracker.note(
          cancelled
            ? 'The process answered it after it was cancelled'
            : 'The process answered a request that was not sent',
        );
      },
      message.bytes.length,
      cancelled ?? this.#open.newest?.tracker,
    );
  }

  /** The call that a message answers. */
  #findAsked(message: Value): OpenCall | undefined {
    if (findEntry(message, 'msg_type') !== undefined)
      return this.#open.ofSession(textIn(findEntry(message, 'session_id')));
    const id = printId(findEntry(message, 'id'));
    if (id !== undefined) return this.#open.withId(id);
    // Agents of AIO need not echo the id (reading of AIO-MCP, section 4); others omit it in errors without a request.
    const { oldest } = this.#open;
    const isRefusal = findEntry(message, 'error') !== undefined;
    return oldest && (isRefusal || !this.#echoesId(oldest.sign)) ? oldest : undefined;
  }

  #echoesId({ protocol }: RecognisedRequest): boolean {
    return this.#recording.protocols.find(protocol)?.requests.echoesId === true;
  }

  /** Ends a call with the outcome of the last message of its reply. */
  #finish({ tracker, sign: recognised }: OpenCall, { text }: StdioMessage): void {
    const { session, notes, ...outcome } = recogniseReply(
      this.#recording.protocols.find(recognised.protocol),
      text,
    );
    for (const note of notes) tracker.note(note);
    if (session !== undefined && session !== recognised.session) tracker.learn({ session });
    tracker.end(outcome);
  }
}

/** A message without any of these members is no answer, unless its call is found otherwise. */
const ANSWERS = ['result', 'error', 'msg_type'];

/** Reports a complete message to its call, so that nothing of a request is held back. */
function report(
  tracker: CallTracker,
  direction: 'out' | 'in',
  { bytes }: StdioMessage,
  note: string | undefined,
): void {
  tracker.bytes(direction, fromByteText(bytes));
  if (direction === 'out') tracker.flush('out');
  if (note !== undefined) tracker.note(note);
}
