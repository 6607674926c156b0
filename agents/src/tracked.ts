import { decodeField } from '../../protocol/src/aicf/codec.ts';
import { protocolRow } from '../../protocol/src/catalog/protocols.ts';
import { findAicfCredential } from '../../protocol/src/trace/aicf-credential.ts';
import type {
  CallEvent,
  KeptHeader,
  Redaction,
  TraceEvent,
  WireEvent,
} from '../../protocol/src/trace/events.ts';
import {
  redactRequestLine,
  type RedactedPiece,
  type Redactor,
  type SecretStream,
} from '../../protocol/src/trace/redact.ts';
import type { Connection, Outgoing, Reply, WireListener } from './connection.ts';
import { fromByteText, keepBytes, toByteText } from './kept-bytes.ts';

/** What a tracked connection needs from outside. */
export interface Tracking {
  /** Takes each event at once, in order. Secrets are out of it already. */
  readonly emit: (event: TraceEvent) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly ids: IdSource;
  /** Knows the agent's secrets. */
  readonly redactor: Redactor;
}

/** Makes ids that nobody else makes: W3C trace context wants 32 and 16 hexadecimal digits. */
export interface IdSource {
  readonly newTrace: () => string;
  readonly newCall: () => string;
}

/**
 * A connection that tells what it does as trace events. Credentials are replaced before an event leaves and in what
 * the caller's own listener and reply show; what goes over the wire is untouched. Each request is a trace of its own
 * and carries its name where its protocol knows one (`traceparent`, `X-OpenStarry-Trace-ID`).
 */
export function trackConnection(connection: Connection, tracking: Tracking): Connection {
  return {
    agent: connection.agent,
    protocol: connection.protocol,
    get peer() {
      return connection.peer;
    },
    send: (request, listener, signal) => sendTracked(connection, tracking, request, listener, signal),
    close: () => connection.close(),
  };
}

async function sendTracked(
  connection: Connection,
  tracking: Tracking,
  request: Outgoing,
  listener: WireListener,
  signal: AbortSignal,
): Promise<Reply> {
  const trace = tracking.ids.newTrace();
  const call = tracking.ids.newCall();
  const redactor = tracking.redactor.with(listCredentials(request));
  const tracker = new CallTracker(call, tracking, redactor, listener);
  tracking.emit(describeCall(connection, request, { call, trace, at: tracking.now() }, redactor));
  const headers = new Map([...nameTrace(trace, call), ...(request.headers ?? [])]);
  const names = { trace, call, depth: 0 };
  const traced = { ...request, headers, names, redactor };
  const reply = await connection.send(traced, tracker, signal);
  return tracker.end(reply);
}

/** A request's text with its secrets replaced, those of its agent and its own. */
export function redactRequest(redactor: Redactor, request: Outgoing): string {
  return redactor.with(listCredentials(request)).redactText(request.wireText);
}

/** The secrets of a request, and what it carries as a credential in its own text, in every form in which that may come back. */
function listCredentials({ wireText, secrets = [] }: Outgoing): readonly string[] {
  // A message in brackets is AICL, whose texts are what they are.
  const credential = wireText.startsWith('[') ? undefined : findAicfCredential(wireText);
  return credential === undefined ? secrets : [...secrets, credential, decodeField(credential)];
}

function describeCall(
  connection: Connection,
  request: Outgoing,
  ids: Pick<CallEvent, 'call' | 'trace' | 'at'>,
  redactor: Redactor,
): CallEvent {
  return {
    type: 'call',
    ...ids,
    agent: connection.agent,
    protocol: connection.protocol,
    title: redactor.redactText(request.title ?? protocolRow(connection.protocol).title),
    ...(request.source ? { source: request.source } : {}),
  };
}

/** W3C trace context, level 1: version, trace, parent, sampled. Ids of another form stay out of it. */
function nameTrace(trace: string, call: string): ReadonlyMap<string, string> {
  const headers = new Map([
    ['x-openstarry-trace-id', trace],
    // Ours is the first call of its trace.
    ['x-openstarry-trace-depth', '0'],
  ]);
  if (/^[0-9a-f]{32}$/.test(trace) && /^[0-9a-f]{16}$/.test(call))
    headers.set('traceparent', `00-${trace}-${call}-01`);
  return headers;
}

/** The most characters of a code and of a message that notifications, lists and trace files have to hold. */
const LONGEST_CODE = 40;
const LONGEST_MESSAGE = 1_000;
/** How much of one is looked at: a secret that begins in what is shown ends in this. */
const LOOK = 100_000;

type Direction = WireEvent['direction'];

/** Turns what one call's wire says into events, and passes it on with its secrets replaced. */
class CallTracker implements WireListener {
  readonly #call: string;
  readonly #tracking: Tracking;
  readonly #listener: WireListener;
  readonly #streams = new Map<Direction, SecretStream>();
  readonly #secrets = new Set<string>();
  #redactor: Redactor;
  #progress: SecretStream;

  constructor(call: string, tracking: Tracking, redactor: Redactor, listener: WireListener) {
    this.#call = call;
    this.#tracking = tracking;
    this.#redactor = redactor;
    this.#listener = listener;
    this.#progress = redactor.openText();
  }

  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void {
    // The body of the request is whole once the reply begins.
    if (direction === 'in') this.#flush('out');
    const shownLine = this.#redactor.redactText(direction === 'out' ? redactRequestLine(line) : line);
    const kept = this.#redactor.redactHeaders(headers);
    this.#emit({
      type: 'head',
      call: this.#call,
      at: this.#tracking.now(),
      direction,
      line: shownLine,
      headers: kept,
    });
    this.#listener.head(direction, shownLine, kept);
  }

  bytes(direction: Direction, bytes: Uint8Array): void {
    if (this.#redactor.isEmpty) {
      this.#keepWhole(direction, bytes);
      return;
    }
    const stream = this.#streams.get(direction) ?? this.#redactor.openBytes();
    this.#streams.set(direction, stream);
    this.#keep(direction, stream.push(toByteText(bytes)));
    // A request goes out in one piece: nothing of it has to wait.
    if (direction === 'out') this.#flush('out');
  }

  note(text: string): void {
    const shown = this.#redactor.redactText(text);
    this.#emit({ type: 'note', call: this.#call, at: this.#tracking.now(), text: shown });
    this.#listener.note(shown);
  }

  progress(added: string): void {
    this.#show(this.#progress.push(added));
  }

  secret(value: string): void {
    if (this.#secrets.has(value)) return;
    this.#secrets.add(value);
    for (const direction of this.#streams.keys()) this.#flush(direction);
    this.#streams.clear();
    this.#show(this.#progress.end());
    this.#redactor = this.#redactor.with([value]);
    this.#progress = this.#redactor.openText();
  }

  end(reply: Reply): Reply {
    for (const direction of this.#streams.keys()) this.#flush(direction);
    this.#show(this.#progress.end());
    const { status, code, message } = reply;
    const said = {
      ...(code === undefined ? {} : { code: this.#shorten(code, LONGEST_CODE) }),
      ...(message === undefined ? {} : { message: this.#shorten(message, LONGEST_MESSAGE) }),
    };
    this.#emit({ type: 'end', call: this.#call, at: this.#tracking.now(), status, ...said });
    return { ...reply, text: this.#redactor.redactText(reply.text), ...said };
  }

  /** Both are the agent's words, of any length; the whole of them is in the reply. Secrets go before the cut. */
  #shorten(text: string, length: number): string {
    const shown = this.#redactor.redactStart(text, LOOK);
    return shown.length > length ? `${shown.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : shown;
  }

  #show(piece: RedactedPiece): void {
    if (piece.text !== '') this.#listener.progress(piece.text);
  }

  #flush(direction: Direction): void {
    const stream = this.#streams.get(direction);
    if (stream) this.#keep(direction, stream.end());
  }

  #keep(direction: Direction, piece: RedactedPiece): void {
    if (piece.text !== '') this.#keepWhole(direction, fromByteText(piece.text), piece.redacted);
  }

  #keepWhole(direction: Direction, bytes: Uint8Array, replaced: readonly Redaction[] = []): void {
    const redacted = replaced.length === 0 ? {} : { redacted: replaced };
    const at = this.#tracking.now();
    this.#emit({ type: 'wire', call: this.#call, at, direction, bytes: keepBytes(bytes), ...redacted });
    this.#listener.bytes(direction, bytes);
  }

  #emit(event: TraceEvent): void {
    this.#tracking.emit(event);
  }
}
