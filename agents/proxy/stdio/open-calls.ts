import type { RecognisedRequest } from '../../../protocols/recognise/request.ts';
import type { CallTracker } from '../../call-tracker.ts';
import type { Cause } from '../recording/cause.ts';

/** A call that is not answered yet. */
export interface OpenCall {
  readonly tracker: CallTracker;
  readonly sign: RecognisedRequest;
  readonly trace: string;
}

/** The number of answered calls that may stay in the stack in any case. */
const SPARE = 16;

/** Calls of which the newest is found at once. */
class Stack {
  readonly #all = new Set<OpenCall>();
  /** The newest last, with some that were removed. */
  #stack: OpenCall[] = [];

  add(call: OpenCall): void {
    this.#all.add(call);
    this.#stack.push(call);
  }

  delete(call: OpenCall): void {
    this.#all.delete(call);
    if (this.#stack.length > 2 * this.#all.size + SPARE) this.#stack = [...this.#all];
  }

  get all(): ReadonlySet<OpenCall> {
    return this.#all;
  }

  get newest(): OpenCall | undefined {
    for (let call = this.#stack.at(-1); call; call = this.#stack.at(-1)) {
      if (this.#all.has(call)) return call;
      this.#stack.pop();
    }
    return undefined;
  }
}

/** Open calls, indexed by what their answers carry, so that any number of them is searched fast. */
export class OpenCalls {
  readonly #calls = new Stack();
  /** Those for which an agent may log and ask. */
  readonly #working = new Stack();
  readonly #byId = new Map<string, Set<OpenCall>>();
  readonly #bySession = new Map<string, Set<OpenCall>>();
  readonly #byProgress = new Map<string, Set<OpenCall>>();

  add(call: OpenCall): void {
    this.#calls.add(call);
    if (!call.sign.isLookup) this.#working.add(call);
    const { id, session, progressToken } = call.sign;
    put(this.#byId, id, call);
    put(this.#bySession, session ?? '', call);
    put(this.#byProgress, progressToken, call);
  }

  has(call: OpenCall): boolean {
    return this.#calls.all.has(call);
  }

  delete(call: OpenCall): void {
    this.#calls.delete(call);
    this.#working.delete(call);
    const { id, session, progressToken } = call.sign;
    take(this.#byId, id, call);
    take(this.#bySession, session ?? '', call);
    take(this.#byProgress, progressToken, call);
  }

  get oldest(): OpenCall | undefined {
    return first(this.#calls.all);
  }

  get newest(): OpenCall | undefined {
    return this.#calls.newest;
  }

  /** The call for which the agent logs or asks something. */
  get cause(): Cause<OpenCall> | undefined {
    const working = this.#working.newest;
    const call = working ?? this.newest;
    return call && { call, isCertain: (working ? this.#working : this.#calls).all.size === 1 };
  }

  /** The oldest one with an id. */
  withId(id: string): OpenCall | undefined {
    return first(this.#byId.get(id));
  }

  /** The oldest one of a session, or without a session. */
  ofSession(session: string | undefined): OpenCall | undefined {
    return first(this.#bySession.get(session ?? ''));
  }

  /** The oldest one with this progress token. */
  withProgress(token: string): OpenCall | undefined {
    return first(this.#byProgress.get(token));
  }

  /** Removes all of them and returns them. */
  clear(): readonly OpenCall[] {
    const all = [...this.#calls.all];
    for (const call of all) this.delete(call);
    return all;
  }
}

function put(calls: Map<string, Set<OpenCall>>, name: string | undefined, call: OpenCall): void {
  if (name === undefined) return;
  const found = calls.get(name);
  if (found) found.add(call);
  else calls.set(name, new Set([call]));
}

function take(calls: Map<string, Set<OpenCall>>, name: string | undefined, call: OpenCall): void {
  if (name === undefined) return;
  const found = calls.get(name);
  found?.delete(call);
  if (found?.size === 0) calls.delete(name);
}

function first(calls: ReadonlySet<OpenCall> | undefined): OpenCall | undefined {
  return calls?.values().next().value;
}
