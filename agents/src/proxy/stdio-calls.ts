import { findEntry, textIn, type Value } from '../../../protocol/src/message/value.ts';
import { readAiclPieces } from '../../../protocol/src/convert/text/aicl-reader.ts';
import { readWrittenJson } from '../../../protocol/src/convert/text/json-reader.ts';
import type { TraceProtocol } from '../../../protocol/src/trace/events.ts';
import { printId } from '../../../protocol/src/trace/recognise/names.ts';
import { isBackRequest, ReplySignReader } from '../../../protocol/src/trace/recognise/reply.ts';
import { recogniseRequest, type RequestSign } from '../../../protocol/src/trace/recognise/request.ts';
import { CallTracker } from '../call-tracker.ts';
import { fromByteText } from '../kept-bytes.ts';
import { readCancelled, type Cancelled } from './cancel.ts';
import type { ExchangeOutcome } from './exchange.ts';
import type { StdioPiece } from './message-splitter.ts';
import { CALLER, namesWithDepth, type Recording } from './recorder.ts';

/** A call to a process that is not answered yet. */
interface OpenCall {
  readonly tracker: CallTracker;
  readonly sign: RequestSign;
  readonly trace: string;
}

/** What a process is known by in traces. */
export interface ProcessFacts {
  /** Its command line as people read it. */
  readonly line: string;
  readonly cwd: string;
  readonly pid: number;
}

/** So many bytes of what a process says wait for its first call. */
const LONGEST_EARLY = 64 * 1024;

/** Of so many calls that were taken back a late answer is known; of those before them no more. */
const MOST_CANCELLED = 100;

/**
 * Makes calls of the messages that pass between a process and its caller: a request and its reply belong together by their id,
 * else by their session, else by their order. What is no message, and what the process writes to its error output, is told
 * with the call that is under way, or else with the last one.
 */
export class StdioCalls {
  readonly #recording: Recording;
  readonly #facts: ProcessFacts;
  readonly #open = new Set<OpenCall>();
  readonly #asked = new Map<string, OpenCall>();
  /** Calls that were taken back and not answered since, by their ids. */
  readonly #cancelled = new Map<string, CallTracker>();
  #last: CallTracker | undefined;
  #known: TraceProtocol | undefined;
  /** What came before the first call, which it is told with, and how many bytes that is. */
  #early: ((tracker: CallTracker) => void)[] = [];
  #earlySize = 0;
  /** A process that says more than that before it is called has a call of its own until then. */
  #own: CallTracker | undefined;

  constructor(recording: Recording, facts: ProcessFacts) {
    this.#recording = recording;
    this.#known = recording.protocol;
    this.#facts = facts;
  }

  /** Something went to the process. */
  sent({ kind, bytes }: StdioPiece): void {
    if (kind === 'foreign') {
      this.#tellForeign('out', bytes);
      return;
    }
    const sign = this.#recognise(bytes);
    const asked = sign.kind === 'answer' && sign.id !== undefined ? this.#asked.get(sign.id) : undefined;
    if (asked && sign.id !== undefined) this.#answer(sign.id, asked, bytes);
    else this.#begin(sign, bytes);
    const cancelled = readCancelled(sign, textOf(bytes));
    if (cancelled) this.#cancel(cancelled);
  }

  /** The process wrote something to its output. */
  came({ kind, bytes }: StdioPiece): void {
    const message = kind === 'message' ? readMessage(textOf(bytes)) : undefined;
    if (!message) this.#tellForeign('in', bytes);
    else if (isBackRequest(message)) this.#ask(message, bytes);
    else if (findEntry(message, 'method')) this.#tellNews(message, bytes);
    else this.#reply(message, bytes);
  }

  /** The process wrote something to its error output. */
  warned(bytes: string): void {
    this.#tell(tracker => tracker.bytes('stderr', fromByteText(bytes)), bytes.length);
  }

  /** The process has ended: what is not answered never will be. */
  end(outcome: ExchangeOutcome): void {
    for (const call of [...this.#open, ...this.#asked.values()]) call.tracker.end(outcome);
    this.#open.clear();
    this.#asked.clear();
    // What it wrote is kept also where nobody called it.
    if (this.#early.length > 0) this.#startOwn();
    this.#own?.end(outcome);
    this.#own = undefined;
  }

  /** The call that stands for what a process says on its own. */
  #startOwn(): void {
    const title = this.#facts.line;
    this.#own = this.#start({ protocol: 'other', title, kind: 'request', names: [], notes: [] }, {}).tracker;
  }

  /** A process speaks one protocol: what it was heard to speak tells what else may be. */
  #recognise(bytes: string): RequestSign {
    const sign = recogniseRequest({ headers: [], text: textOf(bytes), known: this.#known });
    if (this.#known === undefined && sign.protocol !== 'other') this.#known = sign.protocol;
    return sign;
  }

  #begin(sign: RequestSign, bytes: string): void {
    const call = this.#start(sign, sign.kind === 'answer' ? { back: true } : {});
    call.tracker.bytes('out', fromByteText(bytes));
    call.tracker.flush('out');
    for (const note of sign.notes) call.tracker.note(note);
    if (sign.kind === 'request') this.#open.add(call);
    else call.tracker.end({ status: 'ok' });
  }

  #start(sign: RequestSign, more: Partial<Parameters<CallTracker['begin']>[0]>): OpenCall {
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
    this.#last = tracker;
    for (const tell of this.#early) tell(tracker);
    this.#early = [];
    this.#earlySize = 0;
    return { tracker, sign, trace };
  }

  #ask(message: Value, bytes: string): void {
    const sign = this.#recognise(bytes);
    const within = [...this.#open].at(-1);
    const call = this.#start(sign, {
      agent: CALLER,
      from: this.#recording.agent,
      back: true,
      ...(within ? { parent: within.tracker.call, trace: within.trace } : {}),
    });
    call.tracker.bytes('out', fromByteText(bytes));
    call.tracker.flush('out');
    this.#asked.set(printId(findEntry(message, 'id')) ?? '', call);
  }

  #answer(id: string, call: OpenCall, bytes: string): void {
    this.#asked.delete(id);
    call.tracker.bytes('in', fromByteText(bytes));
    this.#finish(call, bytes);
  }

  /** The caller takes back what it asked: a server should not answer that any more, and it still may. */
  #cancel({ id, outcome }: Cancelled): void {
    const call = [...this.#open].find(({ sign }) => sign.id === id);
    if (!call) return;
    this.#open.delete(call);
    call.tracker.end(outcome);
    this.#cancelled.set(id, call.tracker);
    const [oldest] = this.#cancelled.keys();
    if (oldest !== undefined && this.#cancelled.size > MOST_CANCELLED) this.#cancelled.delete(oldest);
  }

  /** An answer that nobody waits for any more stands with the call that it answers. */
  #tellLate(id: string | undefined, bytes: string): boolean {
    const tracker = id === undefined ? undefined : this.#cancelled.get(id);
    if (id === undefined || !tracker) return false;
    this.#cancelled.delete(id);
    tracker.bytes('in', fromByteText(bytes));
    tracker.note('The process answered it after it was cancelled');
    return true;
  }

  /** Tells what the last message of a reply makes of the call. */
  #finish({ tracker, sign }: OpenCall, bytes: string): void {
    const reader = new ReplySignReader(sign.protocol, undefined);
    reader.push(textOf(bytes));
    const { session, notes, ...outcome } = reader.end();
    for (const note of notes) tracker.note(note);
    if (session !== undefined && session !== sign.session) tracker.learn({ session });
    tracker.end(outcome);
  }

  /** A notification of the process: it belongs to the call whose progress it tells, else to what is under way. */
  #tellNews(message: Value, bytes: string): void {
    const token = printId(findEntry(findEntry(message, 'params'), 'progressToken'));
    const found =
      token === undefined ? undefined : [...this.#open].find(({ sign }) => sign.progressToken === token);
    const tracker = found?.tracker ?? [...this.#open].at(-1)?.tracker;
    if (tracker) {
      tracker.bytes('in', fromByteText(bytes));
      return;
    }
    const sign = this.#recognise(bytes);
    const call = this.#start(sign, { agent: CALLER, from: this.#recording.agent, back: true });
    call.tracker.bytes('out', fromByteText(bytes));
    call.tracker.end({ status: 'ok' });
  }

  #reply(message: Value, bytes: string): void {
    const call = this.#findAsked(message);
    if (!call) {
      if (this.#tellLate(printId(findEntry(message, 'id')), bytes)) return;
      const tell = (tracker: CallTracker): void => {
        tracker.bytes('in', fromByteText(bytes));
        tracker.note('The process answered something that nobody asked');
      };
      this.#tell(tell, bytes.length);
      return;
    }
    call.tracker.bytes('in', fromByteText(bytes));
    // A reply of AICL may come in parts (reading of LightAICL, section 1.3).
    const isFinal = findEntry(message, 'is_final');
    if (call.sign.protocol === 'aicl' && isFinal?.kind === 'bool' && !isFinal.bool) return;
    this.#open.delete(call);
    this.#finish(call, bytes);
  }

  /** The call that a message answers. */
  #findAsked(message: Value): OpenCall | undefined {
    const open = [...this.#open];
    const session = textIn(findEntry(message, 'session_id'));
    const isAicl = findEntry(message, 'msg_type') !== undefined;
    if (isAicl) return open.find(({ sign }) => sign.session === session);
    const id = printId(findEntry(message, 'id'));
    // Agents of AIO need not echo the id (reading of AIO-MCP, section 4).
    return id === undefined ? open[0] : open.find(({ sign }) => sign.id === id);
  }

  /** Blanks between messages are none of anybody's business; all else is told. */
  #tellForeign(direction: 'out' | 'in', bytes: string): void {
    const tell = (tracker: CallTracker): void => {
      tracker.bytes(direction, fromByteText(bytes));
      if (bytes.trim() !== '')
        tracker.note(
          direction === 'in'
            ? 'The process wrote text to its output that is no message'
            : 'The process got text that is no message',
        );
    };
    this.#tell(tell, bytes.length);
  }

  #tell(act: (tracker: CallTracker) => void, size: number): void {
    const tracker = [...this.#open].at(-1)?.tracker ?? this.#last;
    if (tracker) {
      act(tracker);
      return;
    }
    this.#early.push(act);
    this.#earlySize += size;
    if (this.#earlySize > LONGEST_EARLY) this.#startOwn();
  }
}

function readMessage(text: string): Value | undefined {
  if (/^\s*\[[sifbldt]:/.test(text)) return readAiclPieces(text).pieces[0]?.value;
  return readWrittenJson(text);
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
