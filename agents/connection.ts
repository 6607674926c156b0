import type { ResolvedAgent } from './config/resolve-agent.ts';
import type { SignInHost } from './sign-in-host.ts';
import type {
  AgentQuestion,
  AgentQuestions,
  Message,
  ProgressStep,
  ReplyForm,
} from '../core/message/message.ts';
import type { Report } from '../core/message/report.ts';
import type { ToolTable } from '../language/tools.ts';
import type { ApprovalRequest, Carried, Protocol, Protocols } from '../protocols/protocol.ts';
import type { CallEvent, CallOrigin, ObservedWire, TokenUsage, TraceName } from '../core/events/events.ts';
import type { Secret } from '../core/text/secret.ts';
import type { Redactor } from '../core/secrets/redact.ts';

/** What connections need from the surrounding program. */
export interface ConnectOptions {
  /** Signs the user in to agents that require it. Without it, the user is not asked. */
  readonly signIn?: SignInHost;
}

/** Makes the connection to an agent. Nothing is started and nothing goes over the network before the first request. */
export type Connect = (agent: ResolvedAgent, options?: ConnectOptions) => Connection;

/** A request to be sent. */
export interface Outgoing {
  /**
   * The exact text of the body in the connection's own protocol, sent as UTF-8. For MCP it is a JSON-RPC
   * request whose id the connection assigns, for A2A a JSON-RPC request or `CARD_REQUEST`.
   */
  readonly wireText: string;
  /** Milliseconds until the call times out; by default the agent's time-out. */
  readonly timeout?: number;
  /** Milliseconds allowed for the whole call, as messages state them, if `timeout` is only the remaining time. */
  readonly allowed?: number;
  /** Its title in lists of calls: the tool, query or message type. */
  readonly title?: string;
  /** The position of the request in a file. */
  readonly source?: NonNullable<CallEvent['source']>;
  /** Headers for this request alone, by name. The agent's own headers take precedence. */
  readonly headers?: ReadonlyMap<string, string>;
  /** The conversation that it continues, by its `# @session` name. */
  readonly session?: string;
  /** The W3C id of its trace; without it the request begins a trace of its own. */
  readonly trace?: string;
  /** The call of a caller that this one serves: its parent, whose trace and depth it has. */
  readonly origin?: CallOrigin | undefined;
  /** The names of its trace, for protocols that carry them in the message. */
  readonly names?: TraceNames;
  /** Values in the request that are never stored or shown, in addition to the agent's secrets. */
  readonly secrets?: readonly Secret[];
  /** True where Parley wrote the message, so that its id has no meaning and the connection assigns one. */
  readonly isConverted?: boolean;
  /** Replaces the secrets of this request. Quotes from a reply are redacted before they are shortened. */
  readonly redactor?: Redactor;
  /**
   * Whether a request with warnings is sent. By default it is held: the reply has the code `NOT_SENT` and the
   * reason.
   */
  readonly warningPolicy?: 'hold' | 'send';
  /** The maximum number of bytes of a message; a longer one is sent in chunks, if its protocol has them. */
  readonly chunkBytes?: number;
  /** Answers the agent's questions while the call is open. Without it they are declined, with a note. */
  readonly questions?: AgentQuestions;
}

/** The names of a call in its trace (reading of trace identity, section 7). */
export interface TraceNames {
  /** W3C trace context: 32 and 16 hexadecimal digits. */
  readonly trace: string;
  readonly call: string;
  /** The number of calls above this one (reading of OpenStarry, section 5). */
  readonly depth: number;
  /**
   * The trace ids that a caller brought, of its call chain and in its message; without them the trace id, and a new one.
   */
  readonly chain?: string | undefined;
  readonly ofMessage?: string | undefined;
}

/** A listener for requests that nobody shows. */
export const SILENT: WireListener = {
  head: () => undefined,
  bytes: () => undefined,
  note: () => undefined,
  progress: () => undefined,
};

/** Observes a call while it runs. */
export interface WireListener extends ObservedWire {
  /** Receives more text of the reply to show, in addition to earlier text. */
  progress(added: string): void;
  /** Receives how far the call is. */
  step?(step: ProgressStep): void;
  /** Receives what a reply reports besides its content, as soon as it is known. */
  learn?(facts: ReportedFacts): void;
  /** Takes the messages of the reply, for a caller that shows the reply in another form. */
  readonly messages?: MessageTaker | undefined;
  /**
   * Receives a secret that the connection obtained itself, such as a token: it is replaced in everything
   * emitted later.
   */
  secret?(value: string): void;
}

/** Observes a call while it runs. What it does not have, nobody receives. */
export type CallListener = Omit<WireListener, keyof ObservedWire> & Partial<ObservedWire>;

/** What a reply reports besides its content. */
export interface ReportedFacts {
  readonly usage?: TokenUsage | undefined;
  /** The conversation that it names. */
  readonly session?: string | undefined;
  /** The names of the tasks that it is about. */
  readonly tasks?: readonly TraceName[];
}

/** Takes the messages of a reply from the connection that reads it, so that a reply is parsed once. */
export interface MessageTaker {
  readonly protocols: Protocols;
  /** The known tools of the agent. */
  readonly tools: ToolTable;
  /** Whether a response of several messages is arranged for people, with everything but its text in `metadata`. */
  readonly form: ReplyForm;
  /** True where nobody needs the text of a stream whose messages were taken: then it is empty. */
  readonly replacesText?: true;
  /** Receives what reading loses. */
  readonly report: Report;
  /** Takes messages of a stream while it arrives. */
  take(messages: readonly Message[]): void;
  /** Takes the last messages of an exchange; a body of megabytes is one of them. */
  takeLast(messages: readonly Message[]): void;
  /** Resolves when it can take more: until then, the transport reads nothing. Undefined if it can now. */
  drained?(): Promise<void> | undefined;
}

/** The note for a reply that is not UTF-8. */
export const NOT_UTF8 = 'The reply is not UTF-8; invalid bytes are shown as U+FFFD';

/** The outcome of a request. Failures are replies too: nothing here throws. */
export interface Reply {
  readonly status: 'ok' | 'error' | 'cancelled' | 'incomplete';
  /** Everything that was received, as text, whatever the status. Invalid UTF-8 appears as U+FFFD, with a note. */
  readonly text: string;
  /**
   * The protocol's code (`404`, `3001`), else the transport's (`HTTP 502`, `ECONNREFUSED`), or `NOT_SENT` for
   * a request that the user should check before it is sent.
   */
  readonly code?: string;
  /** One sentence for the user. For an error: what was tried and what was received. */
  readonly message?: string;
  /** True if the text is in the protocol's own language and can be shown as such. */
  readonly isProtocol: boolean;
  /** The names of the conversation in it, which the next request repeats. */
  readonly carried?: Carried;
  /** The tools that the agent wants to run, for which it asks for approval. */
  readonly approvals?: readonly ApprovalRequest[];
  /** The request with which the agent waits for an answer; undefined if it waits for none. */
  readonly question?: AgentQuestion;
  /** What the agent asks in words, where the next task of the session is the answer. */
  readonly asks?: string;
  /** True where the agent was reached, and refused what Parley asked it for itself, such as a list of its tools. */
  readonly isRefused?: boolean;
  /** When the agent may be asked again, as its header `Retry-After` says. */
  readonly retryAfter?: string;
  /** Set if the agent was found to speak another protocol than its entry says. */
  readonly mistake?: Mistake;
}

/** What is wrong in the entry of an agent that speaks another protocol. */
export interface Mistake {
  /** The protocol that it speaks, and what its agents are called. */
  readonly protocol: string;
  readonly label: string;
  /** The address at which it takes requests; undefined for a process. */
  readonly address?: string;
  /** A sentence without its full stop, and what to do. */
  readonly finding: string;
  readonly advice: string;
}

/** What an agent reports about itself when a connection is established. */
export interface Peer {
  /** The version of the protocol that both sides use. */
  readonly version?: string;
  /** Its name and version, as it reports them. */
  readonly name?: string;
  /** The two apart, where the agent reports them so, and what else it says about itself. */
  readonly product?: { readonly name: string; readonly version: string; readonly about?: unknown };
  /** How to use it, in its own words. */
  readonly instructions?: string;
  /** Capabilities besides tools, by the protocol's own names: `resources`, `prompts`. */
  readonly capabilities?: readonly string[];
  /** The names of its methods, where its protocol has any. */
  readonly methods?: readonly string[];
}

/** Why an agent's process has ended: by itself, or because we ended it after a message that was too long. */
export type GoneWhy = 'ended' | 'too-long';

/** Sends one request and waits for the whole reply. Ends by itself on time-out, abort and broken connections. */
export type Send = (request: Outgoing, listener: WireListener, signal: AbortSignal) => Promise<Reply>;

/** Sends requests. */
export interface Sender {
  send(...request: Parameters<Send>): Promise<Reply>;
}

/** A connection to one agent. Every protocol implements this interface. */
export interface Connection extends Sender {
  readonly agent: string;
  readonly protocol: Protocol;
  /** What the agent reported about itself; undefined before that, and for protocols without such a report. */
  readonly peer?: Peer | undefined;
  /**
   * Calls `changed` when the agent reports that its capabilities have changed. Returns a function that
   * unsubscribes.
   */
  onCapabilitiesChanged?(changed: () => void): () => void;
  /** Calls `gone` when the agent's process has ended unexpectedly. Returns a function that unsubscribes. */
  onGone?(gone: (why: GoneWhy) => void): () => void;
  /** Ends open calls and releases what the connection holds. */
  close(): Promise<void>;
}

/** The same connection with another function that sends requests. */
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

/** A listener that does not show the reply, because only Parley reads it. */
export function withoutProgress(listener: WireListener): WireListener {
  return {
    head: (...reported) => listener.head(...reported),
    bytes: (...reported) => listener.bytes(...reported),
    note: text => listener.note(text),
    progress: () => undefined,
    learn: facts => listener.learn?.(facts),
    // A token of a sign-in is a secret of the call that needed it.
    secret: value => listener.secret?.(value),
  };
}
