import { AsyncLocalStorage } from 'node:async_hooks';
import type { ExchangeNumber } from '../../core/events/events.ts';
import { readFields } from '../../core/text/fields.ts';
import type { McpCall, McpId, Refuse } from './call.ts';

/** The call for which something is done. It is carried through the library, which does not know calls. */
export interface Sending {
  readonly call: McpCall;
  /** The message that is being sent. */
  readonly message?: unknown;
}

/** The maximum number of ended calls that are known by their ids, for late messages. */
const MAX_KNOWN = 100;

/** The calls of a connection. Finds the call that a message belongs to. */
export class Routes {
  readonly #context = new AsyncLocalStorage<Sending>();
  readonly #open = new Set<McpCall>();
  readonly #byId = new Map<McpId, McpCall>();
  /** Calls whose reply over HTTP is over: a missing answer can only arrive in another stream. */
  readonly over = new WeakSet<McpCall>();
  #last: McpCall | undefined;
  #exchanges = 0;

  /** The number of an exchange that begins. */
  newExchange(): ExchangeNumber {
    return ++this.#exchanges;
  }

  /** Adds a call. It is known until it has ended, and after that by its ids. */
  begin(call: McpCall): void {
    this.#open.add(call);
    this.#last = call;
    // What is sent because the call has ended, for example its cancellation, belongs to it.
    call.endWithin(act => this.run({ call }, act));
    void call.reply.then(() => this.#open.delete(call));
  }

  get open(): ReadonlySet<McpCall> {
    return this.#open;
  }

  run<T>(sending: Sending, act: () => T): T {
    return this.#context.run(sending, act);
  }

  /** Runs `act` outside of any call: a process writes for all of them. */
  runOutside<T>(act: () => T): T {
    return this.#context.exit(act);
  }

  /** What is being sent; undefined for what was not started by a call. */
  get sending(): Sending | undefined {
    return this.#context.getStore();
  }

  /** A request is sent for a call. Ids begin again with each connection. */
  own(id: McpId, call: McpCall, method: string, refuse: Refuse): void {
    this.#byId.delete(id);
    this.#byId.set(id, call);
    call.sends(id, method, refuse);
    for (const [known, owner] of this.#byId) {
      if (this.#byId.size <= this.#open.size + MAX_KNOWN) break;
      if (!owner.isOpen) this.#byId.delete(known);
    }
  }

  /** The call that a message of the agent belongs to, by the id of an answer or by its progress token. */
  findOwner(message: unknown): McpCall | undefined {
    const id = readAnsweredId(message) ?? readId(readParameter(message, 'progressToken'));
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /**
   * The call for messages that name none: the one being processed if it is open, else the newest open call,
   * else the last call.
   */
  get current(): McpCall | undefined {
    const atWork = this.sending?.call;
    if (atWork?.isOpen) return atWork;
    return [...this.#open].at(-1) ?? this.#last;
  }
}

/** The id of the request that a message answers; undefined for a request, a notification and anything else. */
export function readAnsweredId(message: unknown): McpId | undefined {
  const fields = readFields(message);
  return fields && (fields.has('result') || fields.has('error')) ? readId(fields.get('id')) : undefined;
}

/** True for an error without the id of the request that it answers. */
export function isNameless(message: unknown): boolean {
  const fields = readFields(message);
  return (
    fields !== undefined &&
    readFields(fields.get('error')) !== undefined &&
    !fields.has('method') &&
    readId(fields.get('id')) === undefined
  );
}

/** The id of a message of any kind. */
export function readMessageId(message: unknown): McpId | undefined {
  return readId(readFields(message)?.get('id'));
}

/** The method of a request or a notification. */
export function readMethod(message: unknown): string | undefined {
  const method = readFields(message)?.get('method');
  return typeof method === 'string' ? method : undefined;
}

function readParameter(message: unknown, name: string): unknown {
  return readFields(readFields(message)?.get('params'))?.get(name);
}

function readId(value: unknown): McpId | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
