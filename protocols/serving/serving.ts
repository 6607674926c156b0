import type { CallOrigin } from '../../core/events/events.ts';
import type { AgentQuestions, Message, ProgressStep, StopSignal } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import type { ListedItem } from '../../language/tools.ts';
import type { MessageProtocols } from '../protocol.ts';

/**
 * How an agent is served to callers of a protocol. A `ProtocolServer` knows one protocol and no agent: it reads the
 * requests of callers as neutral messages, passes them to a `ServedAgent`, and writes the replies. The servers of all
 * protocols are in `protocols/servers.ts`; `agents/serving` connects them to HTTP and standard input and output.
 */

/** Makes the server of a protocol for an agent. */
export type Serve = (agent: ServedAgent, host: ServerHost) => ProtocolServer;

/** What a server needs from outside. */
export interface ServerHost {
  /** All protocols, whose error codes replies of the agent may have. */
  readonly protocols: MessageProtocols;
  /** `http://127.0.0.1:PORT`; empty where it is a process. */
  readonly origin: string;
  /** Returns an id that was not used before: 32 hexadecimal digits. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Answers the callers of one protocol. */
export interface ProtocolServer {
  /** The path of its endpoint: `/mcp`. */
  readonly path: string;
  /** Answers a request over HTTP, or the whole input of a process that is started for each request. Never rejects. */
  answer(request: CallerRequest, reply: CallerReply): Promise<void>;
  /**
   * Opens a connection over the standard input and output of one process, for protocols in which a message is a line.
   * `send` writes a line.
   */
  openLines?(send: (line: string) => void): LineServer;
}

/** Answers the lines of one caller. */
export interface LineServer {
  /**
   * Takes a line, and resolves when what it asks for is answered. Never rejects. `request` is the line as a request, for
   * the calls that it makes until then.
   */
  take(line: string, request: CallerRequest, caller: LineCaller): Promise<void>;
}

/** The caller of a line. */
export type LineCaller = Pick<CallerReply, 'drained' | 'note'>;

/** A request of a caller, with its whole body. */
export interface CallerRequest {
  /** `POST`; empty over standard input. */
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  /** What follows the `?`; missing where there is none. */
  readonly query?: string | undefined;
  /** The value of a header by its name in lower case; undefined if the request has none. */
  header(name: string): string | undefined;
  readonly body: string;
  /** Aborted when the caller has gone or the server is closed. */
  readonly gone: StopSignal;
  /** The place of the request in its trace; undefined if it is not recorded. */
  readonly origin?: CallOrigin | undefined;
}

/** Writes the reply of one request. */
export interface CallerReply {
  /** Sends a whole reply. */
  send(status: number, contentType: string, body: string, headers?: Readonly<Record<string, string>>): void;
  /** Sends a piece of a reply. The first piece sends the head, with status 200. */
  write(contentType: string, piece: string, headers?: Readonly<Record<string, string>>): void;
  /** Ends a reply that was sent in pieces. */
  end(): void;
  /** Resolves once the caller has taken what was written; undefined if it has. */
  drained(): Promise<void> | undefined;
  /** Notes in the trace what the reply could not carry, as a sentence. */
  note(text: string): void;
}

/** An agent as its servers see it, whatever protocol it speaks. */
export interface ServedAgent {
  /** Its name in the agents file. */
  readonly name: string;
  /**
   * What it offers; `request` is the one that needs it. `known`: the agent is asked only where that is not known.
   * `current`: also where it may have changed since, for a caller that lists it or would be refused.
   */
  offer(request: CallerRequest, age?: OfferAge): Promise<Offer>;
  /**
   * Answers a neutral request of the kind `call`, `task`, `query` or `negotiate`. What the agent cannot take is an
   * error. The reply never rejects.
   */
  call(message: Message, options: CallOptions): ServedCall;
  /**
   * Reads a resource by its URI, gets a prompt with its arguments, or completes an argument of one of them. The reply's
   * data are those of MCP.
   */
  readItem(item: ItemRequest, options: CallOptions): ServedCall;
  /** Calls `changed` when the agent reports that its offer has changed. Returns a function that unsubscribes. */
  onOfferChanged(changed: () => void): () => void;
}

export type OfferAge = 'known' | 'current';

/** A request about a resource or a prompt of an agent. */
export type ItemRequest =
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: Value | undefined }
  /** The parameters of MCP's `completion/complete`. */
  | { readonly kind: 'completion'; readonly parameters: Value };

/** What an agent offers to callers of any protocol. */
export interface Offer {
  /** The agent's own name and version, as it reports them; else its name in the agents file. */
  readonly name: string;
  readonly version: string;
  /** What the agent says about itself, a dictionary with the names of MCP: title, websiteUrl, icons. */
  readonly about?: Value | undefined;
  /** A sentence about the agent, for a caller that chooses agents. */
  readonly description: string;
  /** Its tools. An agent that takes tasks has the tool `ask` as well, whose argument `task` is the task. */
  readonly tools: readonly OfferedTool[];
  /** True if tools that are not listed may exist. */
  readonly isOpen: boolean;
  /** True if it takes tasks in words. */
  readonly takesTasks: boolean;
  readonly resources: readonly ListedItem[];
  readonly prompts: readonly ListedItem[];
  /** True if it completes arguments of its resources and prompts. */
  readonly completes: boolean;
  /** How to use it, in the agent's own words. */
  readonly instructions?: string | undefined;
  /** Why the agent did not list what it has, as a sentence; undefined if it did. */
  readonly problem?: string | undefined;
  /** Set with `problem` if the agent was not reached, so that a call would fail the same way. */
  readonly failure?: CallFailure | undefined;
}

/** A tool of an agent. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** The tool as a list of tools has it, with its JSON Schema in `inputSchema` where it has one. */
  readonly value: Value;
  /** The JSON Schema of its arguments: of an object with any members if the agent declares none. */
  readonly schema: Value;
  /** True for the tool for tasks in words, which an agent that takes tasks has. */
  readonly isForTasks?: true;
}

/** How a call is made for a caller. */
export interface CallOptions {
  /** The caller's request: the call ends when its caller goes, and has its place in the trace. */
  readonly request: CallerRequest;
  /** The caller's name for the conversation. Calls of one name continue each other. */
  readonly session?: string | undefined;
  /** Called once the request fits the agent and goes out; a reply that comes without it was not caused by the agent. */
  readonly begun?: () => void;
  /** Receives chunks of the reply while it arrives: texts as `data`, other content as `content`, reasoning by its `event`. */
  readonly take?: (chunks: readonly Message[]) => void;
  /** True for a caller whose replies are items: items of the agent are chunks with `items` as soon as they end. */
  readonly takesItems?: true;
  /** Receives how far the call is. */
  readonly step?: (step: ProgressStep) => void;
  /** What the caller can be asked; without it, questions of the agent are declined. */
  readonly questions?: AgentQuestions | undefined;
  /** Resolves once the caller has taken the chunks so far, so that a slow caller slows the agent. */
  readonly drained?: () => Promise<void> | undefined;
}

/** A call under way. */
export interface ServedCall {
  readonly reply: Promise<ServedReply>;
  /** Ends the call, and cancels it at the agent if the agent's protocol can. */
  cancel(): void;
}

/** The whole of a reply, and what of it was not among its chunks. */
export interface CollectedReply {
  /** A result or an error. An error of the agent is in its own protocol, others are in that of the caller. */
  readonly message: Message;
  /**
   * The parts that were not among the chunks, as one chunk; undefined if there are none. Where `message` is an error
   * because the reply is incomplete, these are of the part that arrived.
   */
  readonly unsent: Message | undefined;
}

/** The reply to a call. */
export interface ServedReply extends CollectedReply {
  readonly status: 'ok' | 'error' | 'cancelled' | 'incomplete';
  /** What the agent asks before it goes on: the next call of the session is the answer. */
  readonly question?: string | undefined;
  /** The request with which it asks, if its protocol has such requests: a result or an error of the session answers it. */
  readonly request?: Message | undefined;
  /** Why there is no answer of the agent; undefined if there is one. */
  readonly failure?: CallFailure | undefined;
  /** When the agent may be asked again, in seconds or as a date of HTTP; undefined if it does not say so. */
  readonly retryAfter?: string | undefined;
  /** The agent's own word for why its reply is incomplete, such as `max_output_tokens`. */
  readonly reason?: string | undefined;
}

/**
 * `busy`: too many calls are open. `refused`: the agent cannot take such a request, which was not sent.
 * `unreachable`: it is down or answers nonsense. `timeout`, `cancelled`: the call ended before its reply.
 */
export type CallFailure = 'busy' | 'refused' | 'unreachable' | 'timeout' | 'cancelled';
