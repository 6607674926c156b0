import type { TraceEvent } from '../../../../core/events/events.ts';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { payloadOf } from '../../../../core/events/payload.ts';
import { Delay } from '../../base/delay.ts';
import { Changing } from '../../base/changing.ts';
import { SessionClock, type IdleSession } from './session-clock.ts';
import type { TraceChange, TraceStore } from '../../trace/trace-store.ts';

/** The maximum length of a message in which the session is searched; it is near the start. */
const LONGEST_MESSAGE = 1_000_000;

/** Tracks which sessions are idle with agents whose requests name one. This is only displayed; nothing is closed. */
export class AgentSessions extends Changing {
  readonly #traces: TraceStore;
  readonly #clock = new SessionClock();
  /** The session of each running call; empty if it names none. */
  readonly #calls = new Map<string, string>();
  readonly #next = this.own(
    new Delay(() => {
      this.changed.fire();
      this.#wait();
    }),
  );

  constructor(traces: TraceStore) {
    super();
    this.#traces = traces;
    this.own(traces.onDidChange(change => this.#take(change)));
  }

  /** The idle sessions of an agent, the one with the newest traffic first. */
  listIdle(agent: string): readonly IdleSession[] {
    return this.#clock.listIdle(agent, Date.now());
  }

  #take({ added }: TraceChange): void {
    if (!added) {
      if (this.#traces.trees().length > 0) return;
      this.#clock.clear();
      return this.#calls.clear();
    }
    const { event } = added;
    const call = this.#traces.findCall(event.call)?.node.call;
    const read = call && ALL_PROTOCOLS.find(call.protocol)?.conversations?.readSession;
    if (!read) return;
    const session = call.session ?? this.#calls.get(event.call) ?? readSession(event, read);
    if (event.type === 'end') this.#calls.delete(event.call);
    else if (session !== undefined) this.#calls.set(event.call, session);
    if (session === undefined || session === '') return;
    this.#clock.note(call.agent, session, event.at);
    this.#wait();
  }

  /** Schedules a change event for when the next session becomes idle, which happens without an event of its own. */
  #wait(): void {
    this.#next.dispose();
    const now = Date.now();
    const next = this.#clock.findNext(now);
    if (next !== undefined) this.#next.ask(next - now);
  }
}

/** The session in a message to the agent; undefined for any other event. */
function readSession(event: TraceEvent, read: (text: string) => string | undefined): string | undefined {
  const stored = event.type === 'wire' && event.direction === 'out' ? payloadOf(event) : undefined;
  if (!stored || !('text' in stored)) return undefined;
  const { text } = stored;
  return text.length > LONGEST_MESSAGE ? '' : read(text);
}
