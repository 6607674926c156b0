import type { Protocol } from '../protocols/protocol.ts';
import { decodeField } from '../language/aicf/codec.ts';
import { readAiclPieces } from '../language/values/aicl-reader.ts';
import { readJsonPieces, readWrittenJson } from '../language/values/json-reader.ts';
import type { Value } from '../core/values/value.ts';
import { findAicfCredential } from '../protocols/aicf/credential.ts';
import type { KeptHeader, TraceName, WireEvent } from '../core/events/events.ts';
import { readNames } from '../protocols/recognise/names.ts';
import { LONGEST_READ } from '../protocols/recognise/request.ts';
import { readUsage } from '../protocols/recognise/usage.ts';
import type { Secret } from '../core/text/secret.ts';
import type { RedactedPiece, SecretStream } from '../core/secrets/redact-stream.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { CallTracker, type CallBeginning, type CallTracking } from './call-tracker.ts';
import type { Connection, Outgoing, Reply, WireListener } from './connection.ts';
import { ReplyNames } from './reply-names.ts';
import { catchLibraryConsole } from './library-console.ts';
import { printTraceparent } from './traceparent.ts';

/** What a tracked connection needs from outside. */
export interface Tracking extends CallTracking {
  readonly ids: IdSource;
  /** Knows the agent's secrets. */
  readonly redactor: Redactor;
}

/** Makes ids that nobody else makes: W3C trace context wants 32 and 16 hexadecimal digits. */
export interface IdSource {
  readonly newTrace: () => string;
  readonly newCall: () => string;
}

/** An agent, and how requests are sent to it. */
type SentTo = Pick<Connection, 'agent' | 'protocol' | 'send'>;

/** A request under way: the id of its call in the traces, and what comes of it. */
export interface SentRequest {
  readonly call: string;
  readonly reply: Promise<Reply>;
}

/**
 * Sends a request as one call, whose events are emitted. Credentials are replaced before an event leaves and in what the
 * caller's own listener and reply show; what goes over the wire is untouched. Each request is a trace of its own, unless it
 * names one, and carries the name where its protocol knows one (`traceparent`, `X-OpenStarry-Trace-ID`).
 */
export function sendTracked(
  sender: SentTo,
  tracking: Tracking,
  request: Outgoing,
  listener: WireListener,
  signal: AbortSignal,
): SentRequest {
  const trace = request.trace ?? tracking.ids.newTrace();
  const call = tracking.ids.newCall();
  const own = sender.protocol.requests.findSecrets?.(request.wireText) ?? [];
  const redactor = tracking.redactor.with([...listCredentials(request), ...own]);
  const tracker = new CallTracker(call, tracking, redactor, listener);
  const sent = new SentCall(tracker, sender.protocol, listener);
  tracker.begin(describeCall(sender, request, trace));
  const headers = new Map([...nameTrace(trace, call), ...(request.headers ?? [])]);
  const names = { trace, call, depth: 0 };
  const traced = { ...request, headers, names, redactor };
  const reply = catchLibraryConsole(
    text => sent.note(`The client library says: ${text}`),
    () => sender.send(traced, sent, signal),
  ).then(came => sent.end(came));
  return { call, reply };
}

/** A request's text with its secrets replaced, those of its agent and its own. */
export function redactRequest(redactor: Redactor, request: Outgoing): string {
  return redactor.with(listCredentials(request)).redactText(request.wireText);
}

/** The secrets of a request, and what it carries as a credential in its own text, in every form in which that may come back. */
function listCredentials({ wireText, secrets = [] }: Outgoing): readonly Secret[] {
  // A message in brackets is AICL, whose texts are what they are.
  const credential = wireText.startsWith('[') ? undefined : findAicfCredential(wireText);
  if (credential === undefined) return secrets;
  const plain = decodeField(credential, 'request');
  return [...secrets, ...nameCredential([credential, plain], plain, secrets)];
}

/** `Bearer abc` is known by the name of `abc`: the scheme before it is no secret. */
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
  { title, source }: Outgoing,
  trace: string,
): CallBeginning {
  return {
    trace,
    agent,
    protocol: protocol.facts.name,
    title: title ?? protocol.facts.title,
    ...(source ? { source } : {}),
    names: [{ scheme: 'openstarry', trace, depth: 0 }],
  };
}

function nameTrace(trace: string, call: string): ReadonlyMap<string, string> {
  const traceparent = printTraceparent(trace, call);
  return new Map([
    ['x-openstarry-trace-id', trace],
    // Ours is the first call of its trace.
    ['x-openstarry-trace-depth', '0'],
    ...(traceparent === undefined ? [] : ([['traceparent', traceparent]] as const)),
  ]);
}

/** A message that goes out; of a long one, what can be read of its beginning. */
function readSent({ facts }: Protocol, bytes: Uint8Array): Value | undefined {
  const text = new TextDecoder().decode(bytes).slice(0, LONGEST_READ);
  if (facts.language === 'aicl') return readAiclPieces(text).pieces[0]?.value;
  return readWrittenJson(text) ?? readJsonPieces(text).pieces[0]?.value;
}

/** Tells what one request of ours says on the wire, and passes it on with its secrets replaced. */
class SentCall implements WireListener {
  readonly #tracker: CallTracker;
  readonly #protocol: Protocol;
  readonly #listener: WireListener;
  #progress: SecretStream;
  #session: string | undefined;
  /** The headers of what goes out. */
  #headers: readonly KeptHeader[] = [];
  /** The beginning of what came last. */
  #heard: Uint8Array[] = [];
  #heardLength = 0;
  /** Reads the reply of an agent of A2A for the task that it is about. */
  #tasks: ReplyNames | undefined;
  readonly #named = new Set<string>();

  constructor(tracker: CallTracker, protocol: Protocol, listener: WireListener) {
    this.#tracker = tracker;
    this.#protocol = protocol;
    this.#listener = listener;
    this.#progress = tracker.redactor.openText();
  }

  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void {
    if (direction === 'out') this.#headers = headers;
    else this.#forgetHeard();
    this.#endTasks();
    const { names } = this.#protocol.requests;
    if (direction === 'in' && names) this.#tasks = new ReplyNames(headers, names);
    this.#tracker.head(direction, line, headers);
  }

  bytes(direction: WireEvent['direction'], bytes: Uint8Array): void {
    this.#tracker.bytes(direction, bytes);
    if (direction === 'in') this.#hear(bytes);
    if (direction !== 'out') return;
    // A request goes out in one piece: nothing of it has to wait.
    this.#tracker.flush('out');
    this.#forgetHeard();
    this.#learn(bytes);
  }

  /** What a message that goes out says of its place itself. Our own traceparent names this very call and no caller. */
  #learn(bytes: Uint8Array): void {
    const { requests } = this.#protocol;
    if (!requests.session && !requests.names && !requests.carriesTrace) return;
    const message = requests.isNamedByHead ? undefined : readSent(this.#protocol, bytes);
    const tasks = message ? this.#newTasks(requests.names?.(message) ?? []) : [];
    const names = [...readNames([], message).names.filter(name => name.scheme === 'aio'), ...tasks];
    const found = requests.session?.(this.#headers, message);
    const session = found === this.#session ? undefined : found;
    this.#session = found;
    if (names.length === 0 && session === undefined) return;
    this.#tracker.learn({
      ...(session === undefined ? {} : { session }),
      ...(names.length === 0 ? {} : { names }),
    });
  }

  /** Those that were not told yet. */
  #newTasks(names: readonly TraceName[]): readonly TraceName[] {
    const added = names.filter(({ trace }) => !this.#named.has(trace));
    for (const { trace } of added) this.#named.add(trace);
    return added;
  }

  #learnTasks(found: readonly TraceName[]): void {
    const names = this.#newTasks(found);
    if (names.length > 0) this.#tracker.learn({ names });
  }

  #endTasks(): void {
    this.#learnTasks(this.#tasks?.end() ?? []);
    this.#tasks = undefined;
  }

  #hear(bytes: Uint8Array): void {
    this.#learnTasks(this.#tasks?.push(bytes) ?? []);
    if (this.#heardLength < LONGEST_READ)
      this.#heard.push(bytes.subarray(0, LONGEST_READ - this.#heardLength));
    this.#heardLength += bytes.length;
  }

  #forgetHeard(): void {
    this.#heard = [];
    this.#heardLength = 0;
  }

  note(text: string): void {
    this.#tracker.note(text);
  }

  progress(added: string): void {
    this.#show(this.#progress.push(added));
  }

  secret(value: string): void {
    this.#show(this.#progress.end());
    this.#tracker.secret(value);
    this.#progress = this.#tracker.redactor.openText();
  }

  end(reply: Reply): Reply {
    this.#endTasks();
    const usage = readUsage(Buffer.concat(this.#heard).toString());
    const said = this.#tracker.end({ ...reply, ...(usage ? { usage } : {}) });
    this.#show(this.#progress.end());
    return { ...reply, text: this.#tracker.redactor.redactText(reply.text), ...said };
  }

  #show(piece: RedactedPiece): void {
    if (piece.text !== '') this.#listener.progress(piece.text);
  }
}
