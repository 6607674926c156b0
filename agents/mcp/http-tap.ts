import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { findHeader, isEventStream } from '../../core/events/headers.ts';
import { NOT_UTF8, type WireListener } from '../connection.ts';
import { tried, type HttpFailure } from '../http/failure.ts';
import type { FetchedRequest } from '../http/fetch.ts';
import { ForeignEvents } from '../http/foreign-events.ts';
import { findPacking } from '../http/packing.ts';
import { ReplyText } from '../http/reply-text.ts';
import type { Answer, McpCall } from './call.ts';
import { EventReader, type ReadEvent } from './event-reader.ts';
import { isNameless, readAnsweredId, readMessageId, readMethod, type Routes } from './routes.ts';

/** Hears one exchange and deals out what comes to the calls that it belongs to. */
export interface Tap extends WireListener {
  /** True for the exchange of a request, which is answered when it is answered. */
  readonly isRequest: boolean;
  /** End the exchange. */
  readonly signals: readonly AbortSignal[];
  /** What of the bytes of the reply, which were heard already, the library gets. */
  pass(bytes: Uint8Array): Uint8Array;
  /** The reply is whole. */
  end(): void;
  fail(failure: HttpFailure): void;
}

/** How the library speaks HTTP: each reply to its request, or all of them in one stream (2024-11-05). */
export type HttpForm = 'streamable' | 'sse';

/** The tap of an exchange that begins. */
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
  if (!call) return new PlainTap(undefined, 'hidden');
  const id = readMessageId(message);
  if (id !== undefined && readMethod(message) !== undefined)
    return new RequestTap({ request, call, routes, form, id, message });
  return new PlainTap(call, message !== undefined || request.method === 'DELETE' ? 'shown' : 'hidden');
}

/** True for a request that carries a JSON-RPC message: the others are a sign-in's. */
function isMessage({ method, body }: FetchedRequest): boolean {
  return method === 'POST' && body !== undefined && Buffer.from(body).includes('"jsonrpc":"2.0"');
}

/** Milliseconds for the library to take an answer whose stream has ended. */
const LIBRARY_TIME = 100;

interface Asked {
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
  readonly #asked: Asked;
  readonly #text = new ReplyText();
  readonly #events = new EventReader();
  readonly #foreign = new ForeignEvents();
  #status = 0;
  #type = '';
  #isStream = false;
  #isPacked = false;

  constructor(asked: Asked) {
    this.#asked = asked;
    asked.routes.over.delete(asked.call);
    asked.call.beginExchange();
  }

  /** A request that makes the connection, or one that hears of changes, outlives the call that it was sent for. */
  get signals(): readonly AbortSignal[] {
    const { call, message } = this.#asked;
    return readMethod(message) === call.asked.method ? [call.ended] : [];
  }

  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void {
    const { call } = this.#asked;
    call.head(direction, line, headers);
    if (direction === 'out') return;
    this.#status = Number.parseInt(line, 10);
    this.#type = findHeader(headers, 'content-type') ?? '';
    this.#isStream = isEventStream(headers);
    this.#isPacked = findPacking(headers) !== undefined;
    call.takeHead({ status: this.#status, line, headers });
  }

  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array): void {
    const { call } = this.#asked;
    call.bytes(direction, bytes);
    if (direction !== 'in' || this.#isPacked) return;
    const added = this.#text.push(bytes);
    if (!this.#isReceipt) call.takeBody(added);
  }

  /** Of events those that say something to the library: others cost it much time and us a million errors. */
  pass(bytes: Uint8Array): Uint8Array {
    if (!this.#isStream || this.#isPacked) return bytes;
    const passed = this.#events.push(bytes).filter(event => this.#passes(event));
    return Buffer.concat(passed.map(event => event.bytes));
  }

  note(text: string): void {
    this.#asked.call.note(text);
  }

  progress(): void {
    // The call tells its answer itself.
  }

  end(): void {
    const { call, routes } = this.#asked;
    routes.over.add(call);
    const added = this.#text.end();
    if (!this.#isReceipt) call.takeBody(added);
    if (!this.#text.isUtf8) call.note(NOT_UTF8);
    this.#noteForeign();
    if (this.#isStream) {
      // The library may not take what is an answer to the letter; it is quicker where it does.
      setTimeout(() => call.answerUnread(this.#asked.id), LIBRARY_TIME);
      return;
    }
    const { text } = this.#text;
    const message = parseJson(text);
    this.#take({ text, value: message });
    if (!isNameless(message) && this.#isUnanswered(message)) call.failWith(this.#describeUnanswered(message));
  }

  fail(failure: HttpFailure): void {
    const { call, routes } = this.#asked;
    routes.over.add(call);
    this.#noteForeign();
    call.takeFailure(failure);
  }

  #passes({ data, hasId }: ReadEvent): boolean {
    // A sign of life, or where to go on after a break.
    if (data === undefined || data === '') return true;
    const message = parseJson(data);
    this.#take({ text: data, value: message });
    const isMessage = this.#foreign.take(message);
    // The call has heard of its progress by the bytes.
    return hasId || (isMessage && readMethod(message) !== 'notifications/progress');
  }

  #noteForeign(): void {
    const { note } = this.#foreign;
    if (note !== undefined) this.#asked.call.note(note);
  }

  #take(answer: Answer): void {
    const { routes, call } = this.#asked;
    takeAnswer(answer, routes);
    // The status of a refusal says more than an error without an id.
    if (this.#status >= 200 && this.#status < 300 && isNameless(answer.value)) call.takeNameless(answer.text);
  }

  /** What answers a POST whose answer comes in the stream, such as `Accepted`. */
  get #isReceipt(): boolean {
    return this.#asked.form === 'sse' && this.#status >= 200 && this.#status < 300;
  }

  /** The library waits for the answer when the reply was another message, or none. */
  #isUnanswered(message: unknown): boolean {
    if (this.#asked.form === 'sse' || this.#status < 200 || this.#status > 299) return false;
    if (this.#status === 202) return true;
    const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
    return (
      /^application\/json\b/.test(this.#type) &&
      message !== undefined &&
      messages.every(each => readAnsweredId(each) !== this.#asked.id)
    );
  }

  #describeUnanswered(message: unknown): HttpFailure {
    const { request } = this.#asked;
    const id = readAnsweredId(message);
    const what =
      id === undefined
        ? 'no answer to it'
        : `the answer to another request (id ${quote(String(id))} in place of ${quote(String(this.#asked.id))})`;
    return {
      kind: 'cut',
      code: `HTTP ${this.#status}`,
      message: `${tried(request)}: ${this.#status} came with ${what}; check that an MCP server runs at this address`,
    };
  }
}

/** A stream of events that is read by GET: each event belongs to a call of its own. */
class StreamTap implements Tap {
  readonly isRequest = false;
  readonly signals = [];
  readonly #routes: Routes;
  readonly #form: HttpForm;
  readonly #onEnd: () => void;
  /** The call that it is opened for, such as to go on with its answer. */
  readonly #call: McpCall | undefined;
  readonly #events = new EventReader();
  #isStream = false;

  constructor(routes: Routes, form: HttpForm, onEnd: () => void) {
    this.#routes = routes;
    this.#form = form;
    this.#onEnd = onEnd;
    this.#call = routes.sending?.call;
  }

  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void {
    this.#routes.current?.head(direction, line, headers);
    if (direction === 'in') this.#isStream = isEventStream(headers);
  }

  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array): void {
    if (direction !== 'in' || !this.#isStream) {
      this.#routes.current?.bytes(direction, bytes);
      return;
    }
    for (const event of this.#events.push(bytes)) {
      const message = event.data === undefined ? undefined : parseJson(event.data);
      (this.#routes.findOwner(message) ?? this.#routes.current)?.bytes('in', event.bytes);
      if (event.data !== undefined) takeAnswer({ text: event.data, value: message }, this.#routes);
    }
  }

  pass(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  note(text: string): void {
    this.#routes.current?.note(text);
  }

  progress(): void {
    // Calls tell their answers themselves.
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
    // How much of the stream came says nothing of a call.
    this.#failAll(failure.kind === 'cut' ? { ...failure, message: STREAM_ENDED } : failure);
  }

  /** A call whose own stream is over without its answer, and whose agent cannot be reached any more, gets none. */
  #failLost(failure: HttpFailure): void {
    const call = this.#call;
    if (failure.kind !== 'unreachable' || !call?.isWaiting || !this.#routes.over.has(call)) return;
    call.failWith(call.failure ?? failure);
  }

  /** All answers come in this stream: without it none does. */
  #failAll(failure: HttpFailure): void {
    for (const call of this.#routes.open) call.failWith(failure);
    this.#onEnd();
  }

  #flush(): void {
    const rest = this.#events.end();
    if (rest.length > 0) this.#routes.current?.bytes('in', rest);
  }
}

const STREAM_ENDED =
  "The agent ended the stream of events in which its answers come; send again to connect anew, and look at the agent's own log";

/** An exchange that answers no request. What a sign-in exchanges is not kept: it holds credentials. */
class PlainTap implements Tap {
  readonly isRequest = false;
  readonly signals = [];
  readonly #call: McpCall | undefined;
  readonly #bodies: 'shown' | 'hidden';

  constructor(call: McpCall | undefined, bodies: 'shown' | 'hidden') {
    this.#call = call;
    this.#bodies = bodies;
  }

  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void {
    this.#call?.head(direction, line, headers);
  }

  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array): void {
    if (this.#bodies === 'shown') this.#call?.bytes(direction, bytes);
    else this.#call?.note('What was exchanged to sign in is not kept, because it holds credentials');
  }

  pass(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  note(text: string): void {
    this.#call?.note(text);
  }

  progress(): void {
    // It is no reply.
  }

  end(): void {
    // Nobody waits for it.
  }

  fail(): void {
    // The library tells, where it matters.
  }
}

/** Keeps an answer, or several in a list, with the calls that they are for. */
export function takeAnswer(answer: Answer, routes: Routes): void {
  const { value } = answer;
  for (const each of Array.isArray(value) ? value : [value]) {
    const id = readAnsweredId(each);
    if (id !== undefined) routes.findOwner(each)?.takeAnswer(id, answer);
  }
}
