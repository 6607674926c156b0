import type { Protocol } from '../protocols/protocol.ts';
import type { CallEvent, KeptHeader } from '../core/events/events.ts';
import type { Secret } from '../core/text/secret.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import type { AgentQuestions } from './questions.ts';

/** A request as it goes out. */
export interface Outgoing {
  /**
   * The exact text of the body, sent as UTF-8: in the connection's own protocol. For MCP it is a JSON-RPC request whose id
   * the connection gives itself. For A2A it is a JSON-RPC request, or `CARD_REQUEST`.
   */
  readonly wireText: string;
  /** Milliseconds until the call is given up; undefined takes the agent's. */
  readonly timeout?: number;
  /** Milliseconds that were allowed for the whole call, where `timeout` is what is left of them: messages state these. */
  readonly allowed?: number;
  /** What a list of calls shows for it: the tool, query or message type. */
  readonly title?: string;
  /** Where the request stands in a file. */
  readonly source?: NonNullable<CallEvent['source']>;
  /** Headers for this request alone, by name; where the agent has one of the same name, the agent's goes. */
  readonly headers?: ReadonlyMap<string, string>;
  /** The conversation that it continues, by the name that `# @session` gives it. */
  readonly session?: string;
  /** The W3C id of the trace that it belongs to; without it each request is a trace of its own. */
  readonly trace?: string;
  /** The names of its trace, for protocols that carry them in the message. */
  readonly names?: TraceNames;
  /** Values in it that are never stored nor shown, beside those that its agent is known by. */
  readonly secrets?: readonly Secret[];
  /** Knows the secrets of this request: what a message quotes of a reply goes through it before it is shortened. */
  readonly redactor?: Redactor;
  /** Whether it goes out although there is a doubt about it; without it `hold`: the reply is `NOT_SENT` and says why. */
  readonly doubtful?: 'hold' | 'send';
  /** Answers what the agent asks while the call is open; without it such questions are declined, with a note. */
  readonly questions?: AgentQuestions;
}

/** What a call is called (reading of trace identity, section 7). */
export interface TraceNames {
  /** W3C trace context: 32 and 16 hexadecimal digits. */
  readonly trace: string;
  readonly call: string;
  /** The count of calls above this one (reading of OpenStarry, section 5). */
  readonly depth: number;
}

/** Hears what is on the wire, as it is, before anyone reads it. */
export interface WireListener {
  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void;
  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array): void;
  note(text: string): void;
  /** The text of the reply that may be shown in addition to what was told before. */
  progress(added: string): void;
  /** A secret that the connection came by itself, such as a token: it is to be replaced in all that is told from now on. */
  secret?(value: string): void;
}

/** What is noted of a reply that is not UTF-8. */
export const NOT_UTF8 = 'The reply is not UTF-8; what could not be read shows as U+FFFD';

/** What came of a request. A failure is an answer too: nothing here throws. */
export interface Reply {
  readonly status: 'ok' | 'error' | 'cancelled' | 'incomplete';
  /** All that came, as text; what is not UTF-8 shows as U+FFFD and is noted. Kept whatever the status. */
  readonly text: string;
  /**
   * The protocol's code (`404`, `3001`) or, without one, the transport's (`HTTP 502`, `ECONNREFUSED`), or `NOT_SENT` for
   * a request that somebody should look at before it goes out.
   */
  readonly code?: string;
  /** One sentence for a person: for an error what was tried and what came. */
  readonly message?: string;
  /** True where the text is the protocol's own language and can be shown as such. */
  readonly isProtocol: boolean;
}

/** What an agent says of itself when a connection comes about. */
export interface Peer {
  /** The version of the protocol that both speak. */
  readonly version?: string;
  /** Its name and version, as it tells them. */
  readonly name?: string;
  /** What of its protocol it offers besides tools, by the protocol's own names: `resources`, `prompts`. */
  readonly capabilities?: readonly string[];
}

/** Why an agent's process is gone: it has ended by itself, or we ended it because a message of it was too long. */
export type GoneWhy = 'ended' | 'too-long';

/** Sends one request and waits for all of its reply. Ends by itself on time-out, abort and cut lines. */
export type Send = (request: Outgoing, listener: WireListener, signal: AbortSignal) => Promise<Reply>;

/** What sends requests. */
export interface Sender {
  send(...request: Parameters<Send>): Promise<Reply>;
}

/** A way to one agent. Every protocol meets this contract. */
export interface Connection extends Sender {
  readonly agent: string;
  readonly protocol: Protocol;
  /** What the agent said of itself; undefined before a connection came about, and of protocols in which it says nothing. */
  readonly peer?: Peer | undefined;
  /** Called where the agent tells that what it offers has changed. Answers what calls that off. */
  onOfferChanged?(changed: () => void): () => void;
  /** Called where the agent's process has ended although its user ended nothing. Answers what calls that off. */
  onGone?(gone: (why: GoneWhy) => void): () => void;
  /** Ends what is still under way and frees what the connection holds. */
  close(): Promise<void>;
}

/** The same connection, over which requests are sent in another way. */
export function withSend(connection: Connection, send: Send): Connection {
  const { agent, protocol } = connection;
  return {
    agent,
    protocol,
    get peer() {
      return connection.peer;
    },
    send,
    close: () => connection.close(),
  };
}

/** A listener that shows nothing of the reply: nobody reads it but us. */
export function withoutProgress(listener: WireListener): WireListener {
  return {
    head: (...told) => listener.head(...told),
    bytes: (...told) => listener.bytes(...told),
    note: text => listener.note(text),
    progress: () => undefined,
    // A token of a sign-in is a secret of the call that needed it.
    secret: value => listener.secret?.(value),
  };
}
