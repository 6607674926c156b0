import type { Carried, Protocol } from '../../protocols/protocol.ts';
import { quote } from '../../core/text/quote.ts';
import type { Outgoing, Reply } from '../connection.ts';

/** What a request continues. */
export interface Continued {
  /** What it says of it; nothing in the first request of a conversation. */
  readonly carried: Carried;
  /** What the user should know; undefined where all goes as it should. */
  readonly note: string | undefined;
}

interface Conversation {
  /** The session that its requests name themselves, as those of AICL must. */
  readonly named: string | undefined;
  readonly carried: Carried;
}

const NEW: Continued = { carried: {}, note: undefined };

/**
 * The conversations with one agent, by the names that `# @session` gives them: what the last reply of each called it, for
 * its next request.
 */
export class Conversations {
  readonly #byName = new Map<string, Conversation>();

  /**
   * What a request continues, which names the session `own` itself. That is the user's word for the conversation, and the
   * agent's takes its place; a request with another word than the one before it begins the conversation anew.
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

  /** Keeps what a reply says of its conversation. One that is no message of the protocol says nothing. */
  keep({ session }: Outgoing, protocol: Protocol, own: string | undefined, reply: Reply): void {
    if (session === undefined || !reply.isProtocol || !protocol.conversations) return;
    const known = this.#byName.get(session);
    const isSame = own === undefined || known?.named === undefined || own === known.named;
    const before = isSame ? known?.carried : undefined;
    const {
      session: told = before?.session,
      task,
      response = before?.response,
    } = protocol.conversations.readCarried(reply.text);
    const named = own ?? known?.named;
    this.#byName.set(session, { named, carried: { session: told, task, response } });
  }
}

function describeNone(protocol: Protocol): string {
  return `${protocol.facts.title} has nothing by which one request continues another: '# @session' changes nothing`;
}
