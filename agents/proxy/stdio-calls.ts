import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import type { TraceProtocol } from '../../core/events/events.ts';
import { printId } from '../../protocols/recognise/names.ts';
import { isBackRequest, recogniseReply } from '../../protocols/recognise/reply.ts';
import { recogniseRequest, type RecognisedRequest } from '../../protocols/recognise/request.ts';
import { CallTracker } from '../call-tracker.ts';
import { fromByteText } from '../kept-bytes.ts';
import { readCancelled, type Cancelled } from './cancel.ts';
import type { ExchangeOutcome } from './exchange.ts';
import type { StdioPiece } from './message-splitter.ts';
import { OpenCalls, type OpenCall } from './open-calls.ts';
import { CALLER, namesWithDepth, type Recording } from './recorder.ts';
import { describeBatch, readMessages, type StdioMessage } from './stdio-messages.ts';
import { StdioWords } from './stdio-words.ts';

/** What a process is known by in traces. */
export interface ProcessFacts {
  /** Its command line as people read it. */
  readonly line: string;
  readonly cwd: string;
  readonly pid: number;
}

/** Of so many calls that were taken back a late answer is known; of those before them no more. */
const MOST_CANCELLED = 100;

/** Agents that answer with the id of the request, whatever came of it. */
const ECHOES_ID: ReadonlySet<TraceProtocol> = new Set(['mcp', 'a2a']);

/**
 * Makes calls of the messages that pass between a process and its caller: a request and its reply belong together by their id,
 * else by their session, else by their order. Each message of a batch is one of its own. What is no message, and what the
 * process writes to its error output, is told with the call that is under way, or else with the last one.
 */
export class StdioCalls {
  readonly #recording: Recording;
  readonly #facts: ProcessFacts;
  readonly #words: StdioWords;
  /** What the process was asked. */
  readonly #open = new OpenCalls();
  /** What it asked its caller. */
  readonly #asked = new OpenCalls();
  /** What went together with a call, where something did. */
  readonly #batches = new WeakMap<OpenCall, readonly OpenCall[]>();
  /** Calls that were taken back and not answered since, by their ids. */
  readonly #cancelled = new Map<string, CallTracker>();
  #known: TraceProtocol | undefined;
  /** A process that says much before it is called has a call of its own until then. */
  #own: CallTracker | undefined;

  constructor(recording: Recording, facts: ProcessFacts) {
    this.#recording = recording;
    this.#known = recording.protocol;
    this.#facts = facts;
    this.#words = new StdioWords(() => this.#startOwn());
  }

  /** Something went to the process. */
  sent(piece: StdioPiece): void {
    if (piece.kind !== 'message') {
      this.#words.foreign('out', piece, this.#open.newest);
      return;
    }
    const messages = readMessages(piece);
    const batch: OpenCall[] = [];
    let first = '';
    for (const [at, message] of messages.entries()) {
      const sign = this.#recognise(message.text);
      if (at === 0) first = sign.title;
      const isAnswer = sign.kind === 'answer';
      const note = describeBatch('went', { at, count: messages.length, first, isAnswer });
      const call = this.#send(message, sign, note);
      if (call) batch.push(call);
    }
    if (batch.length > 1) for (const call of batch) this.#batches.set(call, batch);
  }

  /** The process wrote something to its output. */
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
      const note = describeBatch('came', { at, count: messages.length, first, isAnswer });
      if (isBackRequest(value)) this.#ask(message, note);
      else if (isAnswer) this.#reply(message, value, note);
      else this.#tellNews(message, value, note);
    }
  }

  /** The process wrote something to its error output. */
  warned(bytes: string): void {
    this.#words.warned(bytes, this.#open.newest);
  }

  /** The process has ended: what is not answered never will be. `own` is what came of a process that was asked nothing. */
  end(unanswered: ExchangeOutcome, own: ExchangeOutcome = unanswered): void {
    for (const call of [...this.#open.clear(), ...this.#asked.clear()]) call.tracker.end(unanswered);
    // What it wrote is kept also where nobody called it.
    if (this.#words.hasEarly) this.#startOwn();
    this.#own?.end(own);
    this.#own = undefined;
  }

  /** The call that stands for what a process says on its own. */
  #startOwn(): void {
    const title = this.#facts.line;
    this.#own = this.#start({ protocol: 'other', title, kind: 'request', names: [], notes: [] }, {}).tracker;
  }

  /** A process speaks one protocol: what it was heard to speak tells what else may be. */
  #recognise(text: string): RecognisedRequest {
    const sign = recogniseRequest({ headers: [], text, known: this.#known }, this.#recording.protocols);
    if (this.#known === undefined && sign.protocol !== 'other') this.#known = sign.protocol;
    return sign;
  }

  #titleOf({ text }: StdioMessage, value: Value): string {
    if (findEntry(value, 'method')) return this.#recognise(text).title;
    return this.#findAsked(value)?.sign.title ?? 'an answer to nothing';
  }

  /** Answers the call that waits for an answer because of it. */
  #send(message: StdioMessage, sign: RecognisedRequest, note: string | undefined): OpenCall | undefined {
    const asked = sign.kind === 'answer' && sign.id !== undefined ? this.#asked.withId(sign.id) : undefined;
    if (asked) {
      this.#asked.delete(asked);
      tell(asked.tracker, 'in', message, note);
      this.#finish(asked, message);
      return undefined;
    }
    const call = this.#begin(sign, message, note);
    const cancelled = readCancelled(sign, message.text);
    if (cancelled) this.#cancel(cancelled);
    return call;
  }

  #begin(sign: RecognisedRequest, message: StdioMessage, note: string | undefined): OpenCall | undefined {
    const call = this.#start(sign, sign.kind === 'answer' ? { back: true } : {});
    tell(call.tracker, 'out', message, note);
    for (const each of sign.notes) call.tracker.note(each);
    if (sign.kind === 'request') {
      this.#open.add(call);
      return call;
    }
    call.tracker.end({ status: 'ok' });
    return undefined;
  }

  #start(sign: RecognisedRequest, more: Partial<Parameters<CallTracker['begin']>[0]>): OpenCall {
    const { ids, now, emit, redactor, agent } = this.#recording;
    this.#own?.end({ status: 'ok' });
    this.#own = undefined;
    const tracker = new CallTracker(ids.newCall(), { now, emit }, redactor);
    const { trace = sign.names.find(({ scheme }) => scheme === 'w3c')?.trace ?? ids.newTrace() } = more;
    const names = namesWithDepth(sign, trace);
    const { protocol, title, session } = sign;
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
    return { tracker, sign, trace };
  }

  /** The process asks its caller, within what it was asked last. */
  #ask(message: StdioMessage, note: string | undefined): void {
    const within = this.#open.newest;
    const call = this.#start(this.#recognise(message.text), {
      agent: CALLER,
      from: this.#recording.agent,
      back: true,
      ...(within ? { parent: within.tracker.call, trace: within.trace } : {}),
    });
    tell(call.tracker, 'out', message, note);
    this.#asked.add(call);
  }

  /** The caller takes back what it asked: a server should not answer that any more, and it still may. */
  #cancel({ id, outcome }: Cancelled): void {
    const call = this.#open.withId(id);
    if (!call) return;
    this.#open.delete(call);
    call.tracker.end(outcome);
    this.#cancelled.set(id, call.tracker);
    const [oldest] = this.#cancelled.keys();
    if (oldest !== undefined && this.#cancelled.size > MOST_CANCELLED) this.#cancelled.delete(oldest);
  }

  /** A notification of the process: it belongs to the call whose progress it tells, else to what is under way. */
  #tellNews(message: StdioMessage, value: Value, note: string | undefined): void {
    const token = printId(findEntry(findEntry(value, 'params'), 'progressToken'));
    const found = token === undefined ? undefined : this.#open.withProgress(token);
    const call = found ?? this.#open.newest;
    if (call) {
      tell(call.tracker, 'in', message, note);
      return;
    }
    const sign = this.#recognise(message.text);
    const { tracker } = this.#start(sign, { agent: CALLER, from: this.#recording.agent, back: true });
    tell(tracker, 'out', message, note);
    tracker.end({ status: 'ok' });
  }

  #reply(message: StdioMessage, value: Value, note: string | undefined): void {
    const call = this.#findAsked(value);
    if (!call && !ANSWERS.some(name => findEntry(value, name))) {
      // Such as a line of a log.
      this.#words.foreign('in', { kind: 'foreign', bytes: message.bytes }, this.#open.newest);
      return;
    }
    if (!call) {
      this.#tellUnasked(message, printId(findEntry(value, 'id')), note);
      return;
    }
    tell(call.tracker, 'in', message, note);
    // A reply of AICL may come in parts (reading of LightAICL, section 1.3).
    const isFinal = findEntry(value, 'is_final');
    if (call.sign.protocol === 'aicl' && isFinal?.kind === 'bool' && !isFinal.bool) return;
    // An answer without an id is to all that it went with: such as where an agent takes no batches.
    const isToAll = findEntry(value, 'id')?.kind === 'null';
    for (const each of (isToAll && this.#batches.get(call)) || [call]) {
      if (!this.#open.has(each)) continue;
      this.#open.delete(each);
      this.#finish(each, message);
    }
  }

  /** An answer that nobody waits for any more stands with the call that it answers. */
  #tellUnasked(message: StdioMessage, id: string | undefined, note: string | undefined): void {
    const cancelled = id === undefined ? undefined : this.#cancelled.get(id);
    if (id !== undefined) this.#cancelled.delete(id);
    this.#words.say(
      tracker => {
        tell(tracker, 'in', message, note);
        tracker.note(
          cancelled
            ? 'The process answered it after it was cancelled'
            : 'The process answered something that nobody asked',
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
    // Agents of AIO need not echo the id (reading of AIO-MCP, section 4); others leave it out of what answers no request.
    const { oldest } = this.#open;
    const isRefusal = findEntry(message, 'error') !== undefined;
    return oldest && (isRefusal || !ECHOES_ID.has(oldest.sign.protocol)) ? oldest : undefined;
  }

  /** Tells what the last message of a reply makes of the call. */
  #finish({ tracker, sign }: OpenCall, { text }: StdioMessage): void {
    const { session, notes, ...outcome } = recogniseReply(
      this.#recording.protocols.find(sign.protocol),
      text,
    );
    for (const note of notes) tracker.note(note);
    if (session !== undefined && session !== sign.session) tracker.learn({ session });
    tracker.end(outcome);
  }
}

/** A message that has none of these answers nothing, unless its call is known otherwise. */
const ANSWERS = ['result', 'error', 'msg_type'];

/** Tells a call a message of its own, whole, so that nothing of it waits for more. */
function tell(
  tracker: CallTracker,
  direction: 'out' | 'in',
  { bytes }: StdioMessage,
  note: string | undefined,
): void {
  tracker.bytes(direction, fromByteText(bytes));
  if (direction === 'out') tracker.flush('out');
  if (note !== undefined) tracker.note(note);
}
