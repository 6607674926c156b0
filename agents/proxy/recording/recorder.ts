import { findEntry } from '../../../core/values/value.ts';
import type { Protocols } from '../../../protocols/protocol.ts';
import type { TraceEvent, TraceName, TraceProtocol } from '../../../core/events/events.ts';
import { findCredentials, type Redactor } from '../../../core/secrets/redact.ts';
import { printId } from '../../../protocols/recognise/names.ts';
import type { StreamMessage } from '../../../protocols/recognise/reply-facts.ts';
import {
  recogniseRequest,
  type BatchMessage,
  type RecognisedRequest,
  END_SESSION,
} from '../../../protocols/recognise/request.ts';
import { LISTENING } from '../../../core/catalog/protocols.ts';
import { quote } from '../../../core/text/quote.ts';
import { CallTracker, type CallTracking } from '../../call-tracker.ts';
import { NO_LIMIT, type Capacity } from '../../store/trace-file.ts';
import type { IdSource } from '../../tracked.ts';
import { readCancelled, type Cancelled } from './cancel.ts';
import { CauseNotes, type Cause } from './cause.ts';
import { LateAnswers } from './late-answers.ts';
import type { ExchangeOutcome, ExchangeRecorder, PassingRequest, Verdict } from '../exchange.ts';
import { ExchangeRecord, type ExchangeHost } from './exchange-record.ts';
import { writeGuardReply } from '../guard-reply.ts';
import { BackCalls } from './back-calls.ts';
import { BatchCalls, type BatchCall } from './batch-calls.ts';
import type { RecursionGuard } from '../guard.ts';

/** What a recording of one agent needs from outside. */
export interface Recording extends CallTracking {
  readonly protocols: Protocols;
  /** The name of the agent in traces. */
  readonly agent: string;
  /** The protocol that it is known to use. */
  readonly protocol?: string | undefined;
  readonly ids: IdSource;
  /** Replaces the agent's secrets. */
  readonly redactor: Redactor;
  /** Refuses calls that are too deep; without it every call passes. */
  readonly guard?: RecursionGuard | undefined;
  /** While it is full, traffic is held back. Without it, traffic never is. */
  readonly capacity?: Capacity | undefined;
}

/** The name in traces for the caller of an agent, if the agent calls it on the same connection. */
export const CALLER = 'caller';

/** Milliseconds between the messages of a batch, which preserve their order. */
const NEXT = 0.001;

/** The maximum number of known sign-in paths; one authorization server names about ten. */
const MAX_SIGN_IN = 1_000;
/** The maximum number of paths whose protocol is stored. */
const MAX_PATHS = 1_000;

/** Turns the traffic in front of one agent into trace events: each exchange is a call. */
export class Recorder implements ExchangeRecorder {
  readonly #recording: Recording;
  readonly #capacity: Capacity;
  readonly #back = new BackCalls();
  readonly #late: LateAnswers;
  readonly #causes = new CauseNotes();
  /** Exchanges that are not over, with the trace of each once its call was emitted. */
  readonly #open = new Map<ExchangeRecord, string>();
  /** The paths at which clients sign in, as far as replies have named them. */
  readonly #signIn = new Set<string>();
  /** The protocol that was recognised at each path, and the first one. */
  readonly #knownAt = new Map<string, TraceProtocol>();
  #first: TraceProtocol | undefined;
  #redactor: { readonly key: string; readonly redactor: Redactor } | undefined;

  constructor(recording: Recording) {
    this.#recording = recording;
    this.#late = new LateAnswers(recording.protocols);
    this.#capacity = recording.capacity ?? NO_LIMIT;
  }

  get isGuarded(): boolean {
    return this.#recording.guard !== undefined;
  }

  /** Traffic is recorded at once, so this is full only while its events cannot be stored. */
  get isFull(): boolean {
    return this.#capacity.isFull;
  }

  whenFree(act: () => void): void {
    this.#capacity.whenFree(act);
  }

  open(request: PassingRequest, origin: string): ExchangeRecord {
    const host: ExchangeHost = {
      origin,
      known: this.#knownFor(request.path),
      protocols: this.#recording.protocols,
      now: this.#recording.now,
      begin: (record, recognised, text) => this.#begin(record, recognised, text),
      observed: (record, recognised, message) => this.#observe(record, recognised, message),
      listens: record => this.#late.listens(record),
      waits: (record, recognised, reply) => this.#late.waits(record, recognised, reply),
      judge: (record, recognised) => this.#judge(record, recognised),
      isSignIn: path => this.#signIn.has(withoutQuery(path)),
      learnSignIn: paths => this.#learnSignIn(paths),
      over: record => this.#close(record),
    };
    const record = new ExchangeRecord(this.#newTracker(request), host, request);
    this.#open.set(record, '');
    return record;
  }

  /** The trace of an open exchange, once its call was emitted. */
  traceOf(record: ExchangeRecord): string | undefined {
    return this.#open.get(record) || undefined;
  }

  async stop(outcome: ExchangeOutcome): Promise<void> {
    this.#late.stop(outcome);
    const open = [...this.#open.keys()];
    for (const record of open) record.fail(outcome);
    await Promise.all(open.flatMap(record => record.settled ?? []));
    this.#back.stop(outcome);
  }

  #learnSignIn(paths: readonly string[]): void {
    for (const path of paths) if (this.#signIn.size < MAX_SIGN_IN) this.#signIn.add(path);
  }

  /** Only the recursion guard refuses, and only calls: requests for a card or for a stream lead to none. */
  #judge(record: ExchangeRecord, recognised: RecognisedRequest): Verdict {
    const isCall =
      recognised.kind === 'request' && (record.method === 'POST' || recognised.protocol === 'other');
    const calls = isCall ? [record.tracker.call, ...(record.batch?.calls ?? [])] : [];
    const [why] = calls.flatMap(call => this.#recording.guard?.findFault(call) ?? []);
    if (why === undefined) return { kind: 'passes' };
    return {
      kind: 'refused',
      why,
      reply: writeGuardReply(this.#recording.protocols, recognised, { text: record.requestText, why }),
    };
  }

  #newTracker({ line, headers }: PassingRequest): CallTracker {
    const address = line.slice(line.indexOf(' ') + 1);
    const found = findCredentials(
      address,
      headers.map(({ name, value }) => [name, value] as const),
    );
    const key = found.join('\n');
    // Most requests carry the same credentials as the one before.
    if (this.#redactor?.key !== key) this.#redactor = { key, redactor: this.#recording.redactor.with(found) };
    return this.#track(this.#redactor.redactor);
  }

  #track(redactor: Redactor): CallTracker {
    const { ids, now, emit, guard } = this.#recording;
    const guarded = (event: TraceEvent): void => {
      guard?.take(event);
      emit?.(event);
    };
    return new CallTracker(ids.newCall(), { now, emit: guard ? guarded : emit }, redactor);
  }

  /** Begins the calls of a request: one per message of a batch, of which the first is the exchange's own. */
  #begin(record: ExchangeRecord, recognised: RecognisedRequest, text: string): BatchCalls | undefined {
    const [first, ...others] = recognised.batch ?? [];
    if (!first) {
      this.#beginOne(record, recognised, text);
      return undefined;
    }
    const trace = this.#beginOne(record, first.request, first.text);
    record.tracker.note(
      `One of ${others.length + 1} messages that were sent together as a batch; the bytes of all of them are recorded here`,
    );
    return new BatchCalls(
      this.#recording.protocols,
      first.request,
      others.map((message, index) =>
        this.#beginOther(record, message, {
          trace,
          title: first.request.title,
          at: record.startedAt + (index + 1) * NEXT,
        }),
      ),
    );
  }

  #beginOther(
    record: ExchangeRecord,
    { request: recognised, text }: BatchMessage,
    first: { readonly trace: string; readonly title: string; readonly at: number },
  ): BatchCall {
    const tracker = this.#track(record.tracker.redactor);
    const { line, headers } = record.request;
    const names = namesWithDepth(recognised, first.trace);
    const { protocol, title, session } = recognised;
    tracker.begin({
      at: first.at,
      trace: first.trace,
      agent: this.#recording.agent,
      protocol,
      title,
      seen: 'between',
      ...fromOf(record),
      ...(names.length === 0 ? {} : { names }),
      ...(session === undefined ? {} : { session }),
    });
    tracker.head('out', line, headers, first.at);
    tracker.bytes('out', Buffer.from(text), { at: first.at });
    tracker.flush('out');
    for (const note of recognised.notes) tracker.note(note);
    tracker.note(
      `Sent in a batch with ${quote(first.title)}, where all bytes are recorded; here is its own part`,
    );
    return { sign: recognised, tracker };
  }

  /**
   * The protocol that helps to recognise a message: that of the agent's entry, or of earlier messages at the path. A
   * server may have another one at each path; those over JSON-RPC share messages, so there the first one helps, too.
   */
  #knownFor(path: string): TraceProtocol | undefined {
    const { protocol, protocols } = this.#recording;
    const first = protocols.find(this.#first)?.isRpc === true ? this.#first : undefined;
    return protocol ?? this.#knownAt.get(withoutQuery(path)) ?? first;
  }

  #learnProtocol(path: string, protocol: TraceProtocol): void {
    if (protocol === 'other') return;
    this.#first ??= protocol;
    if (this.#knownAt.size < MAX_PATHS && !this.#knownAt.has(withoutQuery(path)))
      this.#knownAt.set(withoutQuery(path), protocol);
  }

  /** Begins the call of an exchange. Returns its trace. */
  #beginOne(record: ExchangeRecord, recognised: RecognisedRequest, text: string): string {
    const answered =
      recognised.kind === 'answer' && recognised.id !== undefined
        ? this.#back.find(record.conversation, recognised.id)
        : undefined;
    const { agent, ids } = this.#recording;
    this.#learnProtocol(record.request.path, recognised.protocol);
    const trace =
      answered?.trace ?? recognised.names.find(({ scheme }) => scheme === 'w3c')?.trace ?? ids.newTrace();
    const names = namesWithDepth(recognised, trace);
    this.#open.set(record, trace);
    record.tracker.begin({
      at: record.startedAt,
      trace,
      agent,
      protocol: recognised.protocol,
      title: answered ? `answer to ${answered.title}` : recognised.title,
      seen: 'between',
      ...fromOf(record),
      ...(answered ? { parent: answered.tracker.call, back: true } : {}),
      ...(recognised.kind === 'answer' || recognised.isUpdate ? { back: true } : {}),
      ...(names.length === 0 ? {} : { names }),
      ...(recognised.session === undefined ? {} : { session: recognised.session }),
    });
    if (answered) this.#back.answer(answered, text);
    const cancelled = readCancelled(this.#recording.protocols, recognised, text);
    if (cancelled) this.#cancel(record, cancelled);
    return trace;
  }

  #observe(record: ExchangeRecord, recognised: RecognisedRequest, message: StreamMessage): void {
    if (message.kind === 'answer') this.#late.take(record, message);
    else if (message.kind === 'request') this.#ask(record, recognised, message);
    else this.#notify(record, message);
  }

  /** Passes a notification to the exchange that it is about. */
  #notify(stream: ExchangeRecord, { text, message }: StreamMessage): void {
    const token = printId(findEntry(findEntry(message, 'params'), 'progressToken'));
    if (token !== undefined) {
      const named = this.#listOpen(stream).find(({ sign }) => sign?.progressToken === token);
      named?.messageElsewhere(text);
      return;
    }
    const cause = this.#findCause(stream);
    cause?.call.messageElsewhere(text);
    if (cause) this.#causes.add(cause.call.tracker, cause);
  }

  /** The other open requests of a conversation, the oldest first. */
  #listOpen(stream: ExchangeRecord): readonly ExchangeRecord[] {
    return [...this.#open].flatMap(([each, trace]) =>
      each !== stream && each.conversation === stream.conversation && each.sign?.kind === 'request' && trace
        ? [each]
        : [],
    );
  }

  /**
   * The exchange for which a server of 2024-11-05 logs or asks something: all that it sends comes over one stream.
   * In later versions, what comes over a stream of its own belongs to no exchange.
   */
  #findCause(stream: ExchangeRecord): Cause<ExchangeRecord> | undefined {
    if (stream.endpoint === undefined) return undefined;
    const open = this.#listOpen(stream);
    const working = open.filter(({ sign }) => !sign?.isLookup);
    const meant = working.length > 0 ? working : open;
    const call = meant.at(-1);
    return call && { call, isCertain: meant.length === 1 };
  }

  /** A cancelled request ends without an answer, unless one is already under way. */
  #cancel({ conversation }: ExchangeRecord, cancelled: Cancelled): void {
    if (this.#late.cancel(conversation, cancelled)) return;
    for (const record of this.#open.keys())
      if (record.conversation === conversation && record.sign?.id === cancelled.id)
        record.cancel(cancelled.outcome);
  }

  #ask(
    record: ExchangeRecord,
    { protocol, title }: RecognisedRequest,
    { text, message }: StreamMessage,
  ): void {
    const id = printId(findEntry(message, 'id'));
    const cause = this.#findCause(record);
    const enclosing = cause?.call ?? record;
    const trace = this.#open.get(enclosing);
    if (id === undefined || trace === undefined) return;
    const recognised = recogniseRequest({ headers: [], text, known: protocol }, this.#recording.protocols);
    cause?.call.messageElsewhere(text);
    const tracker = this.#track(record.tracker.redactor);
    tracker.begin({
      trace,
      parent: enclosing.tracker.call,
      agent: CALLER,
      from: this.#recording.agent,
      protocol: recognised.protocol,
      title: recognised.title,
      seen: 'between',
      back: true,
    });
    tracker.bytes('out', Buffer.from(text));
    tracker.flush('out');
    this.#causes.add(tracker, cause);
    const { conversation, endpoint } = record;
    // A server's own stream may end and be opened again within a session; in 2024-11-05 it is the session.
    const outlives = title === LISTENING && endpoint === undefined;
    const within = outlives ? undefined : enclosing.tracker;
    this.#back.add({ tracker, title: recognised.title, trace, conversation, id, within });
  }

  #close(record: ExchangeRecord): void {
    this.#open.delete(record);
    this.#late.close(record);
    this.#back.endWithin(record.tracker);
    if (record.sign?.title !== END_SESSION) return;
    this.#late.endConversation(record.conversation);
    this.#back.endConversation(record.conversation);
  }
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? '';
}

function fromOf({ request: { from } }: ExchangeRecord): { readonly from?: string } {
  return from === undefined ? {} : { from };
}

/** A depth that is carried without an OpenStarry trace id belongs to the trace of the call. */
export function namesWithDepth({ names, depth }: RecognisedRequest, trace: string): readonly TraceName[] {
  if (depth === undefined) return names;
  const w3c = names.find(({ scheme }) => scheme === 'w3c');
  const others = names.filter(name => name !== w3c);
  return [...others, { ...(w3c ?? { scheme: 'w3c', trace }), depth }];
}
