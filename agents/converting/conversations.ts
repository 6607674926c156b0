import type { Carried, Protocol } from '../../protocols/protocol.ts';
import { quote } from '../../core/text/quote.ts';
import type { AgentQuestion } from '../../core/message/message.ts';
import type { Outgoing, Reply } from '../connection.ts';
import { putRecent } from '../recent.ts';

/** The state of the conversation that a request continues. */
export interface Continued {
  /** What the request carries from it; empty for the first request of a conversation. */
  readonly carried: Carried;
  /** What the user should know; undefined if everything is as expected. */
  readonly note: string | undefined;
}

interface Conversation {
  /** The session that its requests name themselves, as those of AICL must. */
  readonly named: string | undefined;
  readonly carried: Carried;
  /** The trace of the task that its next request continues; undefined if no task is open. */
  readonly trace: string | undefined;
}

/**
 * The maximum number of conversations that are stored, and of questions that wait for an answer; the one that was
 * continued least recently is forgotten first.
 */
const MAX_CONVERSATIONS = 1_000;

const NEW: Continued = { carried: {}, note: undefined };

/**
 * The conversations with one agent, by their `# @session` names: what the last reply of each contained for
 * its next request.
 */
export class Conversations {
  readonly #byName = new Map<string, Conversation>();
  /** The traces in which the agent waits for an answer, by session. */
  readonly #waiting = new Map<string, string>();

  /**
   * The trace that a request continues, because it answers the agent or belongs to an open task; undefined for any
   * other request.
   */
  findTrace({ wireText, session: named }: Outgoing, { conversations }: Protocol): string | undefined {
    const ofTask = named === undefined ? undefined : this.#byName.get(named)?.trace;
    if (ofTask !== undefined) return ofTask;
    if (this.#waiting.size === 0) return undefined;
    const session = conversations?.readAnswered?.(wireText);
    return session === undefined ? undefined : this.#waiting.get(session);
  }

  /** Stores whether the agent waits for an answer after a reply in a trace. */
  wait(trace: string, question: AgentQuestion | undefined): void {
    for (const [session, waiting] of this.#waiting) if (waiting === trace) this.#waiting.delete(session);
    if (question) putRecent(this.#waiting, question.session, trace, MAX_CONVERSATIONS);
  }

  /**
   * What a request continues that itself names the session `own`. This is the user's name for the conversation and is
   * replaced by the agent's. A request with another name than the one before begins a new conversation.
   */
  find({ session }: Outgoing, protocol: Protocol, own: string | undefined): Continued {
    if (session === undefined) return NEW;
    if (!protocol.conversations) return { carried: {}, note: describeNone(protocol) };
    const known = this.#byName.get(session);
    if (!known) return NEW;
    const { named, carried } = known;
    if (own === undefined || named === undefined || own === named || own === carried.session)
      return { carried, note: undefined };
    return {
      carried: {},
      note: `The request names the session ${quote(own)} and the one before it ${quote(named)}, so it begins a new conversation`,
    };
  }

  /** Stores what a reply contains about its conversation. A reply outside the protocol is ignored. */
  keep({ session, names }: Outgoing, protocol: Protocol, own: string | undefined, reply: Reply): void {
    if (session === undefined || !reply.isProtocol || !protocol.conversations) return;
    const known = this.#byName.get(session);
    const isSame = own === undefined || known?.named === undefined || own === known.named;
    const before = isSame ? known?.carried : undefined;
    const { session: reported = before?.session, task, response = before?.response } = reply.carried ?? {};
    const named = own ?? known?.named;
    const trace = task === undefined ? undefined : names?.trace;
    const carried = { session: reported, task, response };
    putRecent(this.#byName, session, { named, carried, trace }, MAX_CONVERSATIONS);
  }
}

function describeNone(protocol: Protocol): string {
  return `${protocol.facts.title} cannot continue a conversation: '# @session' has no effect`;
}
