import type { RecognisedRequest } from '../../../protocols/recognise/request.ts';
import type { CallTracker } from '../../call-tracker.ts';

/** A call that is not answered yet. */
export interface OpenCall {
  readonly tracker: CallTracker;
  readonly sign: RecognisedRequest;
  readonly trace: string;
}

/** The number of answered calls that may stay in the stack in any case. */
const SPARE = 16;

/** Open calls, indexed by what their answers carry, so that any number of them is searched fast. */
export class OpenCalls {
  /** The oldest first. */
  readonly #all = new Set<OpenCall>();
  readonly #byId = new Map<string, Set<OpenCall>>();
  readonly #bySession = new Map<string, Set<OpenCall>>();
  readonly #byProgress = new Map<string, Set<OpenCall>>();
  /** The newest last, with some that are already answered. */
  #stack: OpenCall[] = [];

  add(call: OpenCall): void {
    this.#all.add(call);
    this.#stack.push(call);
    const { id, session, progressToken } = call.sign;
    put(this.#byId, id, call);
    put(this.#bySession, session ?? '', call);
    put(this.#byProgress, progressToken, call);
  }

  has(call: OpenCall): boolean {
    return this.#all.has(call);
  }

  delete(call: OpenCall): void {
    this.#all.delete(call);
    const { id, session, progressToken } = call.sign;
    take(this.#byId, id, call);
    take(this.#bySession, session ?? '', call);
    take(this.#byProgress, progressToken, call);
    if (this.#stack.length > 2 * this.#all.size + SPARE) this.#stack = [...this.#all];
  }

  get oldest(): OpenCall | undefined {
    return first(this.#all);
  }

  get newest(): OpenCall | undefined {
    for (let call = this.#stack.at(-1); call; call = this.#stack.at(-1)) {
      if (this.#all.has(call)) return call;
      this.#stack.pop();
    }
    return undefined;
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
    const all = [...this.#all];
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
