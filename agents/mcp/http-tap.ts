import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import type { StreamEvent } from '../../core/text/event-stream.ts';
import type { ExchangeNumber, StoredHeader } from '../../core/events/events.ts';
import { findHeader, isEventStream } from '../../core/events/headers.ts';
import { NOT_UTF8, type WireListener } from '../connection.ts';
import { tried, type HttpFailure } from '../http/failure.ts';
import type { FetchedRequest } from '../http/fetch.ts';
import { ForeignEvents } from '../http/foreign-events.ts';
import { findPacking } from '../http/packing.ts';
import { ReplyText } from '../http/reply-text.ts';
import type { Answer } from './answer.ts';
import type { McpCall } from './call.ts';
import { EventReader } from './event-reader.ts';
import { isNameless, readAnsweredId, readMessageId, readMethod, type Routes } from './routes.ts';

/** Observes one exchange and passes what arrives on to the calls that it belongs to. */
export interface Tap extends WireListener {
  /** True for the exchange of a request. */
  readonly isRequest: boolean;
  /** Any of them ends the exchange. */
  readonly signals: readonly AbortSignal[];
  /** The part of a reply's bytes that the library receives; they were reported before. */
  pass(bytes: Uint8Array): Uint8Array;
  /** The reply is complete. */
  end(): void;
  fail(failure: HttpFailure): void;
}

/** How the library uses HTTP: a reply for each request, or one stream for all of them (2024-11-05). */
export type HttpForm = 'streamable' | 'sse';

/** Opens the tap for an exchange that begins. */
export function openTap(
  request: FetchedRequest,
  routes: Routes,
  form: HttpForm,
  onStreamEnd: () => void,
): Tap {
  const call = routes.sending?.call ?? routes.current;
  const message = isMessage(request) ? routes.sending?.message : undefined;
  if (request.method === 'GET' && request.headers.get('accept')?.includes('text/event-stream'))
    return new StreamTap(routes, form, onStreamEnd);
  if (!call) return new PlainTap(undefined, routes.newExchange(), 'hidden');
  const id = readMessageId(message);
  if (id !== undefined && readMethod(message) !== undefined)
    return new RequestTap({ request, call, routes, form, id, message });
  return new PlainTap(
    call,
    routes.newExchange(),
    message !== undefined || request.method === 'DELETE' ? 'shown' : 'hidden',
  );
}

/** True for a request that carries a JSON-RPC message: the others belong to a sign-in. */
function isMessage({ method, body }: FetchedRequest): boolean {
  return method === 'POST' && body !== undefined && Buffer.from(body).includes('"jsonrpc":"2.0"');
}

/** Milliseconds for the library to accept an answer whose stream has ended. */
const LIBRARY_TIME = 100;

interface TappedRequest {
  readonly request: FetchedRequest;
  readonly call: McpCall;
  readonly routes: Routes;
  readonly form: HttpForm;
  readonly id: string | number;
  readonly message: unknown;
}

/** The exchange of a JSON-RPC request: its reply is JSON, or events of which one is the answer. */
class RequestTap implements Tap {
  readonly isRequest = true;
  readonly #tapped: TappedRequest;
  readonly #exchange: ExchangeNumber;
  readonly #text = new ReplyText();
  readonly #events = new EventReader();
  readonly #foreign = new ForeignEvents();
  #status = 0;
  #type = '';
  #isStream = false;
  #isPacked = false;

  constructor(tapped: TappedRequest) {
    this.#tapped = tapped;
    this.#exchange = tapped.routes.newExchange();
    tapped.routes.over.delete(tapped.call);
    tapped.call.beginExchange(() => (this.#isReceipt ? '' : this.#text.text));
  }

  /** A request that establishes the connection or subscribes to changes outlives the call that it was sent for. */
  get signals(): readonly AbortSignal[] {
    const { call, message } = this.#tapped;
    return readMethod(message) === call.parsed.method ? [call.ended] : [];
  }

  head(direction: 'out' | 'in', line: string, headers: readonly StoredHeader[]): void {
    const { call } = this.#tapped;
    call.head(direction, line, headers, this.#exchange);
    if (direction === 'out') return;
    this.#status = Number.parseInt(line, 10);
    this.#type = findHeader(headers, 'content-type') ?? '';
    this.#isStream = isEventStream(headers);
    this.#isPacked = findPacking(headers) !== undefined;
    call.takeHead({ status: this.#status, line, headers });
  }

  bytes(...[direction, bytes, rest, , chunks]: Parameters<Tap['bytes']>): void {
    const { call } = this.#tapped;
    call.bytes(direction, bytes, rest, this.#exchange, chunks);
    if (direction !== 'in' || this.#isPacked) return;
    this.#text.push(bytes);
  }

  /**
   * Passes only the events that matter to the library: others would take it much time and cause up to a
   * million errors.
   */
  pass(bytes: Uint8Array): Uint8Array {
    if (!this.#isStream || this.#isPacked) return bytes;
    const passed = this.#events.push(bytes).filter(({ event }) => this.#passes(event));
    return Buffer.concat(passed.map(each => each.bytes));
  }

  note(text: string): void {
    this.#tapped.call.note(text);
  }

  progress(): void {
    // The call reports its answer itself.
  }

  end(): void {
    const { call, routes } = this.#tapped;
    routes.over.add(call);
    this.#text.end();
    if (!this.#text.isUtf8) call.note(NOT_UTF8);
    this.#noteForeign();
    if (this.#isStream) {
      // The library may reject an answer that is shown anyway; if it accepts the answer, it does so within this time.
      setTimeout(() => call.answerUnread(this.#tapped.id), LIBRARY_TIME);
      return;
    }
    const { text } = this.#text;
    const message = parseJson(text);
    this.#take({ text, value: message });
    if (!isNameless(message) && this.#isUnanswered(message)) call.failWith(this.#describeUnanswered(message));
  }

  fail(failure: HttpFailure): void {
    const { call, routes } = this.#tapped;
    routes.over.add(call);
    this.#noteForeign();
    call.takeFailure(failure);
  }

  #passes(event: StreamEvent | undefined): boolean {
    // A heartbeat, or an id for resuming the stream.
    if (!event || event.data === '') return true;
    const message = parseJson(event.data);
    this.#take({ text: event.data, value: message });
    const isMessage = this.#foreign.take(message);
    const isProgress = readMethod(message) === 'notifications/progress';
    // The library need not read it, unless the event has an id, from which it resumes the stream.
    if (isProgress && !event.hasId) this.#tapped.call.takeProgress(message);
    return event.hasId || (isMessage && !isProgress);
  }

  #noteForeign(): void {
    const { note } = this.#foreign;
    if (note !== undefined) this.#tapped.call.note(note);
  }

  #take(answer: Answer): void {
    const { routes, call } = this.#tapped;
    takeAnswer(answer, routes);
    // The status of a refusal is more informative than an error without an id.
    if (this.#status >= 200 && this.#status < 300 && isNameless(answer.value)) call.takeNameless(answer.text);
  }

  /** True for a reply to a POST whose answer arrives in the stream, for example `Accepted`. */
  get #isReceipt(): boolean {
    return this.#tapped.form === 'sse' && this.#status >= 200 && this.#status < 300;
  }

  /** True if the library would keep waiting, because the reply was another message or none. */
  #isUnanswered(message: unknown): boolean {
    if (this.#tapped.form === 'sse' || this.#status < 200 || this.#status > 299) return false;
    if (this.#status === 202) return true;
    const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
    return (
      /^application\/json\b/.test(this.#type) &&
      message !== undefined &&
      messages.every(each => readAnsweredId(each) !== this.#tapped.id)
    );
  }

  #describeUnanswered(message: unknown): HttpFailure {
    const { request } = this.#tapped;
    const id = readAnsweredId(message);
    const what =
      id === undefined
        ? 'no answer to it'
        : `the answer to another request (id ${quote(String(id))} in place of ${quote(String(this.#tapped.id))})`;
    return {
      kind: 'cut',
      code: `HTTP ${this.#status}`,
      message: `${tried(request)}: ${this.#status} came with ${what}; check that an MCP server runs at this address`,
    };
  }
}

/** A stream of events that is read by GET: each event belongs to its own call. */
class StreamTap implements Tap {
  readonly isRequest = false;
  readonly signals = [];
  readonly #routes: Routes;
  readonly #exchange: ExchangeNumber;
  readonly #form: HttpForm;
  readonly #onEnd: () => void;
  /** The call that it is opened for, for example to resume its answer. */
  readonly #call: McpCall | undefined;
  readonly #events = new EventReader();
  #isStream = false;

  constructor(routes: Routes, form: HttpForm, onEnd: () => void) {
    this.#routes = routes;
    this.#exchange = routes.newExchange();
    this.#form = form;
    this.#onEnd = onEnd;
    this.#call = routes.sending?.call;
  }

  head(direction: 'out' | 'in', line: string, headers: readonly StoredHeader[]): void {
    this.#routes.current?.head(direction, line, headers, this.#exchange);
    if (direction === 'in') this.#isStream = isEventStream(headers);
  }

  bytes(...[direction, bytes, rest, , chunks]: Parameters<Tap['bytes']>): void {
    if (direction !== 'in' || !this.#isStream) {
      this.#routes.current?.bytes(direction, bytes, rest, this.#exchange, chunks);
      return;
    }
    for (const { event, bytes: own } of this.#events.push(bytes)) {
      const message = event && parseJson(event.data);
      (this.#routes.findOwner(message) ?? this.#routes.current)?.bytes('in', own, undefined, this.#exchange);
      if (event) takeAnswer({ text: event.data, value: message }, this.#routes);
    }
  }

  pass(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  note(text: string): void {
    this.#routes.current?.note(text);
  }

  progress(): void {
    // Calls report their answers themselves.
  }

  end(): void {
    this.#flush();
    if (this.#form === 'sse' && this.#isStream)
      this.#failAll({ kind: 'cut', code: 'ECONNRESET', message: STREAM_ENDED });
  }

  fail(failure: HttpFailure): void {
    this.#flush();
    if (failure.kind === 'cancelled') return;
    if (this.#form !== 'sse') return this.#failLost(failure);
    // How much of the stream arrived does not matter to a call.
    this.#failAll(failure.kind === 'cut' ? { ...failure, message: STREAM_ENDED } : failure);
  }

  /** Ends a call whose own stream is over without its answer if its agent can no longer be reached. */
  #failLost(failure: HttpFailure): void {
    const call = this.#call;
    if (failure.kind !== 'unreachable' || !call?.isWaiting || !this.#routes.over.has(call)) return;
    call.failWith(call.failure ?? failure);
  }

  /** All answers arrive in this stream: without it, all open calls fail. */
  #failAll(failure: HttpFailure): void {
    for (const call of this.#routes.open) call.failWith(failure);
    this.#onEnd();
  }

  #flush(): void {
    const rest = this.#events.end();
    if (rest.length > 0) this.#routes.current?.bytes('in', rest, undefined, this.#exchange);
  }
}

const STREAM_ENDED =
  "The agent closed the event stream that carries its answers; send again to reconnect, and look at the agent's own log";

/** An exchange that carries no request. A sign-in's content is not stored, because it holds credentials. */
class PlainTap implements Tap {
  readonly isRequest = false;
  readonly signals = [];
  readonly #call: McpCall | undefined;
  readonly #exchange: ExchangeNumber;
  readonly #bodies: 'shown' | 'hidden';

  constructor(call: McpCall | undefined, exchange: ExchangeNumber, bodies: 'shown' | 'hidden') {
    this.#call = call;
    this.#exchange = exchange;
    this.#bodies = bodies;
  }

  head(direction: 'out' | 'in', line: string, headers: readonly StoredHeader[]): void {
    this.#call?.head(direction, line, headers, this.#exchange);
  }

  bytes(...[direction, bytes, rest, , chunks]: Parameters<Tap['bytes']>): void {
    if (this.#bodies === 'shown') this.#call?.bytes(direction, bytes, rest, this.#exchange, chunks);
    else this.#call?.note('The sign-in exchange is not recorded, because it contains credentials');
  }

  pass(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  note(text: string): void {
    this.#call?.note(text);
  }

  progress(): void {
    // This is not a reply.
  }

  end(): void {
    // Nothing waits for it.
  }

  fail(): void {
    // The library reports it where it matters.
  }
}

/** Passes an answer, or several in a list, to the calls that they belong to. */
export function takeAnswer(answer: Answer, routes: Routes): void {
  const { value } = answer;
  for (const each of Array.isArray(value) ? value : [value]) {
    const id = readAnsweredId(each);
    if (id !== undefined) routes.findOwner(each)?.takeAnswer(id, answer);
  }
}
