import { findEntry } from '../../core/values/value.ts';
import type { Protocols } from '../../protocols/protocol.ts';
import type { TraceName, TraceProtocol } from '../../core/events/events.ts';
import { findCredentials, type Redactor } from '../../core/secrets/redact.ts';
import { printId } from '../../protocols/recognise/names.ts';
import type { StreamMessage } from '../../protocols/recognise/reply.ts';
import {
  recogniseRequest,
  type BatchMessage,
  type RecognisedRequest,
} from '../../protocols/recognise/request.ts';
import { END_SESSION, LISTENING } from '../../protocols/recognise/titles.ts';
import { quote } from '../../core/text/quote.ts';
import { CallTracker, type CallTracking } from '../call-tracker.ts';
import { NO_LIMIT, type Room } from '../store/event-sink.ts';
import type { IdSource } from '../tracked.ts';
import { readCancelled, type Cancelled } from './cancel.ts';
import { LateAnswers } from './late-answers.ts';
import type { ExchangeOutcome, ExchangeRecorder, PassingRequest, Verdict } from './exchange.ts';
import { ExchangeRecord, type ExchangeHost } from './exchange-record.ts';
import { writeGuardReply } from './guard-reply.ts';
import { BackCalls } from './back-calls.ts';
import { BatchCalls, type BatchCall } from './batch-calls.ts';
import type { RecursionGuard } from './guard.ts';

/** What a recording of one agent needs from outside. */
export interface Recording extends CallTracking {
  readonly protocols: Protocols;
  /** What traces call the agent. */
  readonly agent: string;
  /** What it is known to speak. */
  readonly protocol?: string | undefined;
  readonly ids: IdSource;
  /** Knows the agent's secrets. */
  readonly redactor: Redactor;
  /** Without it every call passes. */
  readonly guard?: RecursionGuard | undefined;
  /** What passes waits while there is none; without it, it never does. */
  readonly room?: Room | undefined;
}

/** Whom an agent asks on the connection of its caller. */
export const CALLER = 'caller';

/** Messages of a batch stand in their order: each begins a microsecond after the one before it. */
const NEXT = 0.001;

/** The most paths of sign-ins that are known; one authorization server names about ten. */
const MOST_SIGN_IN = 1_000;

/** Makes trace events of what passes in front of one agent, whatever carries it: each exchange is a call. */
export class Recorder implements ExchangeRecorder {
  readonly #recording: Recording;
  readonly #room: Room;
  readonly #back = new BackCalls();
  readonly #late = new LateAnswers();
  /** Exchanges that are not over, with the trace of each once its call was told. */
  readonly #open = new Map<ExchangeRecord, string>();
  /** The paths at which clients sign in, as far as replies have named them. */
  readonly #signIn = new Set<string>();
  #known: TraceProtocol | undefined;
  #redactor: { readonly key: string; readonly redactor: Redactor } | undefined;

  constructor(recording: Recording) {
    this.#recording = recording;
    this.#known = recording.protocol;
    this.#room = recording.room ?? NO_LIMIT;
  }

  get isGuarded(): boolean {
    return this.#recording.guard !== undefined;
  }

  /** What is told is recorded at once: it is full while nothing more is taken of that. */
  get isFull(): boolean {
    return this.#room.isFull;
  }

  whenFree(act: () => void): void {
    this.#room.whenFree(act);
  }

  openMemory(): undefined {}

  open(request: PassingRequest, origin: string): ExchangeRecord {
    const host: ExchangeHost = {
      origin,
      known: this.#known,
      protocols: this.#recording.protocols,
      now: this.#recording.now,
      begin: (record, sign, text) => this.#begin(record, sign, text),
      said: (record, sign, message) => this.#hear(record, sign, message),
      listens: record => this.#late.listens(record),
      waits: (record, sign, reply) => this.#late.waits(record, sign, reply),
      judge: (record, sign) => this.#judge(record, sign),
      isSignIn: path => this.#signIn.has(path.split('?', 1)[0] ?? ''),
      learnSignIn: paths => this.#learnSignIn(paths),
      over: record => this.#close(record),
    };
    const record = new ExchangeRecord(this.#newTracker(request), host, request);
    this.#open.set(record, '');
    return record;
  }

  async stop(outcome: ExchangeOutcome): Promise<void> {
    this.#late.stop(outcome);
    const open = [...this.#open.keys()];
    for (const record of open) record.fail(outcome);
    await Promise.all(open.flatMap(record => record.settled ?? []));
    this.#back.stop(outcome);
  }

  #learnSignIn(paths: readonly string[]): void {
    for (const path of paths) if (this.#signIn.size < MOST_SIGN_IN) this.#signIn.add(path);
  }

  /** The recursion guard alone refuses, and calls alone: to ask for a card, or to listen, leads to none. */
  #judge(record: ExchangeRecord, sign: RecognisedRequest): Verdict {
    const isCall = sign.kind === 'request' && (record.method === 'POST' || sign.protocol === 'other');
    const calls = isCall ? [record.tracker.call, ...(record.batch?.calls ?? [])] : [];
    const [why] = calls.flatMap(call => this.#recording.guard?.findFault(call) ?? []);
    if (why === undefined) return { kind: 'passes' };
    return {
      kind: 'refused',
      why,
      reply: writeGuardReply(this.#recording.protocols, sign, { text: record.requestText, why }),
    };
  }

  #newTracker({ line, headers }: PassingRequest): CallTracker {
    const address = line.slice(line.indexOf(' ') + 1);
    const found = findCredentials(
      address,
      headers.map(({ name, value }) => [name, value] as const),
    );
    const key = found.join('\n');
    // Most requests carry the credentials of the one before them.
    if (this.#redactor?.key !== key) this.#redactor = { key, redactor: this.#recording.redactor.with(found) };
    return this.#track(this.#redactor.redactor);
  }

  #track(redactor: Redactor): CallTracker {
    const { ids, now, emit, guard } = this.#recording;
    return new CallTracker(
      ids.newCall(),
      {
        now,
        emit(event) {
          guard?.take(event);
          emit(event);
        },
      },
      redactor,
    );
  }

  /** A batch is told message by message: the exchange is the call of the first one. */
  #begin(record: ExchangeRecord, sign: RecognisedRequest, text: string): BatchCalls | undefined {
    const [first, ...others] = sign.batch ?? [];
    if (!first) {
      this.#beginOne(record, sign, text);
      return undefined;
    }
    const trace = this.#beginOne(record, first.request, first.text);
    record.tracker.note(
      `One of ${others.length + 1} messages that went together as a batch; the bytes of all of them are kept here`,
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
    { request: sign, text }: BatchMessage,
    first: { readonly trace: string; readonly title: string; readonly at: number },
  ): BatchCall {
    const tracker = this.#track(record.tracker.redactor);
    const { line, headers } = record.request;
    const names = namesWithDepth(sign, first.trace);
    const { protocol, title, session } = sign;
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
    tracker.bytes('out', Buffer.from(text), first.at);
    tracker.flush('out');
    for (const note of sign.notes) tracker.note(note);
    tracker.note(
      `Went in a batch with ${quote(first.title)}, where all bytes are kept; here is its own part`,
    );
    return { sign, tracker };
  }

  /** Answers the trace. */
  #beginOne(record: ExchangeRecord, sign: RecognisedRequest, text: string): string {
    const answered =
      sign.kind === 'answer' && sign.id !== undefined
        ? this.#back.find(record.conversation, sign.id)
        : undefined;
    const { agent, ids } = this.#recording;
    // An agent speaks one protocol: what it was heard to speak tells what else may be.
    if (this.#known === undefined && sign.protocol !== 'other') this.#known = sign.protocol;
    const trace =
      answered?.trace ?? sign.names.find(({ scheme }) => scheme === 'w3c')?.trace ?? ids.newTrace();
    const names = namesWithDepth(sign, trace);
    this.#open.set(record, trace);
    record.tracker.begin({
      at: record.startedAt,
      trace,
      agent,
      protocol: sign.protocol,
      title: answered ? `answer to ${answered.title}` : sign.title,
      seen: 'between',
      ...fromOf(record),
      ...(answered ? { parent: answered.tracker.call, back: true } : {}),
      ...(sign.kind === 'answer' || sign.isUpdate ? { back: true } : {}),
      ...(names.length === 0 ? {} : { names }),
      ...(sign.session === undefined ? {} : { session: sign.session }),
    });
    if (answered) this.#back.answer(answered, text);
    const cancelled = readCancelled(sign, text);
    if (cancelled) this.#cancel(record, cancelled);
    return trace;
  }

  #hear(record: ExchangeRecord, sign: RecognisedRequest, message: StreamMessage): void {
    if (message.kind === 'request') this.#ask(record, sign, message);
    else this.#late.take(record, message);
  }

  /** What is taken back ends without an answer, unless one is on its way. */
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
    const trace = this.#open.get(record);
    if (id === undefined || trace === undefined) return;
    const sign = recogniseRequest({ headers: [], text, known: protocol }, this.#recording.protocols);
    const tracker = this.#track(record.tracker.redactor);
    tracker.begin({
      trace,
      parent: record.tracker.call,
      agent: CALLER,
      from: this.#recording.agent,
      protocol: sign.protocol,
      title: sign.title,
      seen: 'between',
      back: true,
    });
    tracker.bytes('out', Buffer.from(text));
    tracker.flush('out');
    const { conversation, endpoint } = record;
    // A stream of a server's own may end and be opened again within a session; that of 2024-11-05 is its session.
    const outlives = title === LISTENING && endpoint === undefined;
    const within = outlives ? undefined : record.tracker;
    this.#back.add({ tracker, title: sign.title, trace, conversation, id, within });
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

function fromOf({ request: { from } }: ExchangeRecord): { readonly from?: string } {
  return from === undefined ? {} : { from };
}

/** A depth that is carried without an OpenStarry trace id belongs to the trace that the call is in. */
export function namesWithDepth({ names, depth }: RecognisedRequest, trace: string): readonly TraceName[] {
  if (depth === undefined) return names;
  const w3c = names.find(({ scheme }) => scheme === 'w3c');
  const others = names.filter(name => name !== w3c);
  return [...others, { ...(w3c ?? { scheme: 'w3c', trace }), depth }];
}
