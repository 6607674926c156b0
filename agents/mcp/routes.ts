import { AsyncLocalStorage } from 'node:async_hooks';
import { readFields } from '../../core/text/fields.ts';
import type { McpCall, McpId, Refuse } from './call.ts';

/** What goes on for whom: follows a call through the library, which knows nothing of calls. */
export interface Sending {
  readonly call: McpCall;
  /** The message that is being sent. */
  readonly message?: unknown;
}

/** So many calls that have ended are known by their ids, for what comes late. */
const MOST_KNOWN = 100;

/** The calls of a connection, and which of them something on the wire belongs to. */
export class Routes {
  readonly #context = new AsyncLocalStorage<Sending>();
  readonly #open = new Set<McpCall>();
  readonly #byId = new Map<McpId, McpCall>();
  /** Calls whose reply over HTTP is over: an answer that is not here can only come in another stream. */
  readonly over = new WeakSet<McpCall>();
  #last: McpCall | undefined;

  /** A call begins; it is known until it has ended, and by its ids after that. */
  begin(call: McpCall): void {
    this.#open.add(call);
    this.#last = call;
    // What is sent because it has ended, such as that it is cancelled, is sent for it.
    call.endWithin(act => this.run({ call }, act));
    void call.reply.then(() => this.#open.delete(call));
  }

  get open(): ReadonlySet<McpCall> {
    return this.#open;
  }

  run<T>(sending: Sending, act: () => T): T {
    return this.#context.run(sending, act);
  }

  /** What `act` begins belongs to no call: a process writes for all of them. */
  runOutside<T>(act: () => T): T {
    return this.#context.exit(act);
  }

  /** What is being sent; undefined for what nobody here began. */
  get sending(): Sending | undefined {
    return this.#context.getStore();
  }

  /** A request goes out for a call. Ids begin anew with a connection. */
  own(id: McpId, call: McpCall, method: string, refuse: Refuse): void {
    this.#byId.delete(id);
    this.#byId.set(id, call);
    call.sends(id, method, refuse);
    for (const [known, owner] of this.#byId) {
      if (this.#byId.size <= this.#open.size + MOST_KNOWN) break;
      if (!owner.isOpen) this.#byId.delete(known);
    }
  }

  /** The call that a message from the agent names: by the id of an answer or the token of its progress. */
  findOwner(message: unknown): McpCall | undefined {
    const id = readAnsweredId(message) ?? readId(readParameter(message, 'progressToken'));
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /**
   * The call that what names none belongs to: the one at work, as long as it is open; else the one that began last of those
   * that are; else the last one there was.
   */
  get current(): McpCall | undefined {
    const atWork = this.sending?.call;
    if (atWork?.isOpen) return atWork;
    return [...this.#open].at(-1) ?? this.#last;
  }
}

/** The id of the request that a message answers; undefined for a request, a notification and what is no message. */
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

/** The id of a message, whatever it is. */
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
