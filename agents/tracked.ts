import { CHAIN_SCHEME, MESSAGE_SCHEME } from '../core/catalog/trace-names.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { decodeField } from '../language/aicf/codec.ts';
import { findAicfCredential } from '../language/aicf/parse.ts';
import { readAiclPieces } from '../language/values/aicl-reader.ts';
import { readJsonPieces, readWrittenJson } from '../language/values/json-reader.ts';
import type { ProgressStep } from '../core/message/message.ts';
import type { Value } from '../core/values/value.ts';
import type {
  ExchangeNumber,
  StoredHeader,
  TokenUsage,
  TraceName,
  WireEvent,
} from '../core/events/events.ts';
import { readNames } from '../protocols/recognise/names.ts';
import { LONGEST_READ } from '../protocols/recognise/request.ts';
import type { Secret } from '../core/text/secret.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { CallTracker, type CallBeginning, type CallTracking } from './call-tracker.ts';
import type {
  CallListener,
  Connection,
  Outgoing,
  Reply,
  ReportedFacts,
  TraceNames,
  WireListener,
} from './connection.ts';
import { GrowingReply } from './growing-reply.ts';
import { readWithin, UNLIMITED } from './slices.ts';
import { catchLibraryConsole } from './library-console.ts';
import { printTraceparent } from './traceparent.ts';
import { NOT_SENT } from '../core/events/events.ts';

/** What a tracked connection needs from outside. */
export interface Tracking extends CallTracking {
  readonly ids: IdSource;
  /** Replaces the agent's secrets. */
  readonly redactor: Redactor;
}

/** Generates unique ids in the form of W3C trace context: 32 and 16 hexadecimal digits. */
export interface IdSource {
  readonly newTrace: () => string;
  readonly newCall: () => string;
}

/** An agent, and how requests are sent to it. */
type SentTo = Pick<Connection, 'agent' | 'protocol' | 'send'>;

/** A request that was sent: the id of its call in traces, and its reply. */
export interface SentRequest {
  readonly call: string;
  readonly reply: Promise<Reply>;
}

/**
 * Sends a request as one call and emits its events. Credentials are replaced in events and in what the
 * caller's listener and reply show; what goes over the wire is unchanged. The request begins a trace of its
 * own unless it names one. Over HTTP it carries `traceparent`; a protocol with call chains also gets the
 * names of OpenStarry (`X-OpenStarry-Trace-ID`).
 */
export function sendTracked(
  sender: SentTo,
  tracking: Tracking,
  request: Outgoing,
  listener: CallListener,
  signal: AbortSignal,
): SentRequest {
  const { origin } = request;
  const trace = request.trace ?? tracking.ids.newTrace();
  const call = tracking.ids.newCall();
  const own = sender.protocol.requests.findSecrets?.(request.wireText) ?? [];
  const redactor = tracking.redactor.with([...listCredentials(request), ...own]);
  const tracker = new CallTracker(call, tracking, redactor, listener);
  const sent = new SentCall(tracker, sender.protocol, listener);
  tracker.begin(describeCall(sender, request, trace));
  const names = {
    trace,
    call,
    depth: origin?.depth ?? 0,
    chain: origin?.chain,
    ofMessage: origin?.ofMessage,
  };
  const headers = new Map([...nameTrace(sender.protocol, names), ...(request.headers ?? [])]);
  const traced = { ...request, headers, names, redactor };
  const reply = catchLibraryConsole(
    text => sent.note(`The client library says: ${text}`),
    () => sender.send(traced, sent, signal),
  ).then(came => sent.end(came));
  return { call, reply };
}

/** The secrets of a request, with a credential in its text in every form in which it may be repeated. */
function listCredentials({ wireText, secrets = [] }: Outgoing): readonly Secret[] {
  // A message in brackets is AICL and has no credential of AICF.
  const credential = wireText.startsWith('[') ? undefined : findAicfCredential(wireText);
  if (credential === undefined) return secrets;
  const plain = decodeField(credential, 'request');
  return [...secrets, ...nameCredential([credential, plain], plain, secrets)];
}

/** The template for `abc` also covers `Bearer abc`: the scheme is not secret. */
function nameCredential(
  forms: readonly string[],
  credential: string,
  secrets: readonly Secret[],
): readonly Secret[] {
  const scheme = /^[A-Za-z]+ +/.exec(credential)?.[0] ?? '';
  for (const before of new Set(['', scheme])) {
    const token = credential.slice(before.length);
    for (const secret of secrets)
      if (typeof secret !== 'string' && secret.value === token)
        return forms.map(value => ({ value, template: `${before}${secret.template}` }));
  }
  return forms;
}

function describeCall(
  { agent, protocol }: SentTo,
  { title, source, origin }: Outgoing,
  trace: string,
): CallBeginning {
  const chain = { scheme: CHAIN_SCHEME, trace: origin?.chain ?? trace, depth: origin?.depth ?? 0 } as const;
  return {
    trace,
    agent,
    protocol: protocol.facts.name,
    title: title ?? protocol.facts.title,
    ...(source ? { source } : {}),
    ...(origin ? { parent: origin.call } : {}),
    ...(protocol.requests.carriesChain ? { names: [chain] } : {}),
  };
}

function nameTrace({ requests }: Protocol, names: TraceNames): ReadonlyMap<string, string> {
  const { trace, call, depth, chain } = names;
  const traceparent = printTraceparent(trace, call);
  // An agent that was called with the names of OpenStarry passes them on, whatever protocol the next one speaks.
  const isOfChain = requests.carriesChain === true || chain !== undefined;
  return new Map([
    ...(isOfChain
      ? ([
          ['x-openstarry-trace-id', chain ?? trace],
          ['x-openstarry-trace-depth', String(depth)],
        ] as const)
      : []),
    ...(traceparent === undefined ? [] : ([['traceparent', traceparent]] as const)),
  ]);
}

/** The first LONGEST_READ bytes of a message that arrives in pieces. */
class Beginning {
  #pieces: Uint8Array[] = [];
  #left = LONGEST_READ;

  push(bytes: Uint8Array): void {
    if (this.#left > 0) this.#pieces.push(bytes.subarray(0, this.#left));
    this.#left = Math.max(0, this.#left - bytes.length);
  }

  /** Returns the text and begins the next message. */
  take(): string {
    const text = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#left = LONGEST_READ;
    return text;
  }
}

/** Reads a message that was sent; of a long one, the part that can be read at its beginning. */
function readSent({ facts }: Protocol, text: string): Value | undefined {
  if (facts.language === 'aicl') return readAiclPieces(text).pieces[0]?.value;
  return readWrittenJson(text) ?? readJsonPieces(text).pieces[0]?.value;
}

/** Records the traffic of one request and passes it on with its secrets replaced. */
class SentCall implements WireListener {
  readonly #tracker: CallTracker;
  readonly #protocol: Protocol;
  readonly #listener: CallListener;
  readonly #shown: GrowingReply;
  #session: string | undefined;
  /** The headers of the request. */
  #headers: readonly StoredHeader[] = [];
  readonly #request = new Beginning();
  #usage: TokenUsage | undefined;
  readonly #named = new Set<string>();

  constructor(tracker: CallTracker, protocol: Protocol, listener: CallListener) {
    this.#tracker = tracker;
    this.#protocol = protocol;
    this.#listener = listener;
    this.#shown = new GrowingReply(tracker.redactor.openText(), text => listener.progress(text));
  }

  head(
    direction: 'out' | 'in',
    line: string,
    headers: readonly StoredHeader[],
    exchange?: ExchangeNumber,
  ): void {
    if (direction === 'out') this.#headers = headers;
    else this.#learnSession(this.#protocol.requests.session?.(headers, undefined));
    this.#tracker.head(direction, line, headers, undefined, exchange);
  }

  bytes(
    direction: WireEvent['direction'],
    bytes: Uint8Array,
    rest?: 'more',
    exchange?: ExchangeNumber,
    chunks?: number,
  ): void {
    if (!this.#tracker.isObserved) return;
    this.#tracker.bytes(direction, bytes, { exchange, chunks });
    if (direction !== 'out') return;
    this.#request.push(bytes);
    if (rest === 'more') return;
    // The request is complete: nothing has to be held back.
    this.#tracker.flush('out', exchange);
    this.#learnSent(this.#request.take());
  }

  /** Learns names and session from a sent message. Our own traceparent names this call itself, not its caller. */
  #learnSent(sent: string): void {
    const { requests } = this.#protocol;
    if (!requests.session && !requests.names && !requests.carriesTrace) return;
    const message = requests.isNamedByHead ? undefined : readSent(this.#protocol, sent);
    const tasks = message ? this.#newTasks(requests.names?.(message) ?? []) : [];
    const names = [...readNames([], message).names.filter(name => name.scheme === MESSAGE_SCHEME), ...tasks];
    const found = requests.session?.(this.#headers, message);
    if (names.length > 0) this.#tracker.learn({ names });
    this.#learnSession(found);
  }

  #learnSession(found: string | undefined): void {
    if (found !== undefined && found !== this.#session) this.#tracker.learn({ session: found });
    this.#session = found ?? this.#session;
  }

  /** The names that were not reported before. */
  #newTasks(names: readonly TraceName[]): readonly TraceName[] {
    const added = names.filter(({ trace }) => !this.#named.has(trace));
    for (const { trace } of added) this.#named.add(trace);
    return added;
  }

  learn({ usage, session, tasks = [] }: ReportedFacts): void {
    this.#learnTasks(tasks);
    this.#learnSession(session);
    if (usage) this.#usage = { ...this.#usage, ...usage };
  }

  #learnTasks(found: readonly TraceName[]): void {
    const names = this.#newTasks(found);
    if (names.length > 0) this.#tracker.learn({ names });
  }

  note(text: string): void {
    this.#tracker.note(text);
  }

  progress(added: string): void {
    this.#shown.push(added);
  }

  step({ message, ...step }: ProgressStep): void {
    const shown = message === undefined ? {} : { message: this.#tracker.redactor.redactText(message) };
    this.#listener.step?.({ ...step, ...shown });
  }

  secret(value: string): void {
    this.#tracker.secret(value);
    this.#shown.continueWith(this.#tracker.redactor.openText());
  }

  async end(reply: Reply): Promise<Reply> {
    if (reply.question) this.note(reply.question.text);
    // Nothing failed where nothing was sent.
    const status = reply.code === NOT_SENT ? 'cancelled' : reply.status;
    const usage = this.#usage ? { usage: this.#usage } : {};
    const shownFailure = this.#tracker.end({ ...reply, status, ...usage });
    await this.#shown.end();
    const redacted = await readWithin(this.#tracker.redactor.redactSteps(reply.text), UNLIMITED);
    return { ...reply, text: redacted.ended === 'read' ? redacted.result : '', ...shownFailure };
  }
}
