import type { ProtocolRow } from '../core/catalog/protocols.ts';
import { PLAIN_JSON, type ConversionRow } from '../core/catalog/conversions.ts';
import type { ErrorFacts } from '../core/catalog/error-meanings.ts';
import type { MessageKind } from '../core/catalog/message-kinds.ts';
import type { HeadEvent, StoredHeader, TraceName } from '../core/events/events.ts';
import type { AgentQuestion, Message, Outcome } from '../core/message/message.ts';
import type { Report } from '../core/message/report.ts';
import type { Value } from '../core/values/value.ts';
import type { ListedItem, ToolDeclaration } from '../language/tools.ts';
import type { ApprovalRequest } from './event-stream/approvals.ts';
import type { RetainedPart, PartListener, ResponseFold } from './event-stream/response-fold.ts';
import type { Conversion, ProtocolShape, Reading } from './message/shape.ts';
import type { RequestSchema } from './request-schema.ts';
import type { Parameter } from './conversation/parameters.ts';
import type { BodyParts } from './reply-parts/body-parts.ts';
import type { Discovery } from './discovery.ts';
import type { EarlierRequests } from './reply-parts/earlier-requests.ts';

export type { ApprovalRequest };

/** How the messages of a protocol are recognised, read and written: the part of `Protocol` that conversion needs. */
export interface ProtocolMessages {
  readonly facts: ProtocolRow;
  /** What its requests in JSON files hold; missing where it has no JSON. */
  readonly requestSchema?: RequestSchema;
  /** Reads and writes its messages as values; undefined for AICF, whose messages are lines of text. */
  readonly shape: ProtocolShape | undefined;
  /** Its place in the order in which protocols are tried on a value, the most specific first. */
  readonly order: number;
  /** True for JSON-RPC protocols. Their replies look alike, so a reply belongs to the protocol of its request. */
  readonly isRpc?: true;
  /** The name shared by protocols whose messages look alike: between them, a declared protocol wins over detection. */
  readonly family?: string;
  /** True for a message with no trait of this protocol besides its frame, so that a related protocol may own it. */
  readonly isPlain?: (value: Value) => boolean;
}

/** A request as it was observed on the wire. */
export interface ObservedRequest {
  /** The HTTP method; undefined for a message without HTTP, such as one on standard input. */
  readonly method?: string;
  /** The path with its query. */
  readonly path?: string;
  readonly headers: readonly StoredHeader[];
  /** The body or the message; a long one may be cut after its beginning. */
  readonly text: string;
  /** The name of the protocol that the agent is configured to speak, if known. */
  readonly known?: string | undefined;
}

/** `answer` is a reply to a request that the other side sent on the same connection. */
export type RequestKind = 'request' | 'notification' | 'answer';

/** A request that is recognised by its method, path and headers alone. */
export interface RequestByHead {
  readonly title: string;
  readonly session?: string | undefined;
}

/** The request that a notification cancels. */
export interface CancelledRequest {
  readonly id: string;
  readonly reason: string | undefined;
}

/** A request that is recognised by its reply. */
export interface RequestByReply {
  readonly title: string;
  /** Where the server expects messages, as an address or a path. */
  readonly endpoint: string;
}

/** A message that an agent pushes to its client on a separate connection, with the progress of an earlier call. */
export interface PushedUpdate {
  readonly title: string;
  /** The update in the form of a reply of the protocol. */
  readonly message: Value;
}

/** How a protocol recognises and describes requests on the wire. */
export interface RequestRecognition {
  /** True where its shape also matches requests of related protocols: then the agent's configured protocol decides. */
  readonly isLoose?: true;
  /** True for headers that only requests of this protocol have. */
  readonly claims?: (headers: readonly StoredHeader[]) => boolean;
  /** Builds the message of a request from method, path and body; undefined if method and path are not part of it. */
  readonly frame?: (request: ObservedRequest, readBody: () => Value | undefined) => Value | undefined;
  /** Recognises a request without a message of this protocol by its head alone. */
  readonly byHead?: (request: ObservedRequest) => RequestByHead | undefined;
  /** Reads an update that an agent pushes to its client. */
  readonly readUpdate?: (value: Value) => PushedUpdate | undefined;
  /** The title of a message in a list of calls: its tool, query or method; undefined where it names none of them. */
  readonly title: (message: Value) => string | undefined;
  /** Whether a message is a request, notification or answer; without this member, each is a `request`. */
  readonly kind?: (message: Value) => RequestKind;
  /**
   * True for a request about the connection or for a list: an agent logs nothing for it, and asks its caller nothing.
   */
  readonly isLookup?: (message: Value) => boolean;
  /** The conversation that a message or its headers name; a protocol without this member has no sessions. */
  readonly session?: (headers: readonly StoredHeader[], message: Value | undefined) => string | undefined;
  /** True where a message has its trace in a member next to its parameters (AIO's `trace_id`). */
  readonly carriesTrace?: true;
  /** True where its requests carry a call chain: a trace id and the depth of the call in it (OpenStarry). */
  readonly carriesChain?: true;
  /** True where headers alone name the session, so that the message need not be parsed for it. */
  readonly isNamedByHead?: true;
  /** Trace names in a message besides those that every protocol has, such as the ids of its tasks. */
  readonly names?: (message: Value) => readonly TraceName[];
  /** True where credentials may be at the end of a long request, after the part that describes it. */
  readonly mayEndInSecrets?: true;
  /** The end of the URL path at which its agents take requests, if it identifies the protocol. */
  readonly endpoint?: RegExp;
  /** True where every reply has the id of its request, errors included. */
  readonly echoesId?: true;
  /** The request that a notification cancels. */
  readonly cancels?: (notification: Value) => CancelledRequest | undefined;
  /** Recognises, by its reply, the request that opened a stream of messages. */
  readonly byReply?: (headers: readonly StoredHeader[], body: string) => RequestByReply | undefined;
  /** True for the path at which its agents publish their card. */
  readonly isCard?: (path: string) => boolean;
  /** Credentials in the body of a request or reply that neither their member names nor their form reveal. */
  readonly findSecrets?: (text: string) => readonly string[];
}

/** Why a reply that arrived completely is still not finished. */
export interface UnfinishedReply {
  readonly status: 'cancelled' | 'incomplete';
  readonly code?: string;
  readonly message: string;
}

/** Reads the body of a reply whose messages are not JSON, while it arrives. Total, and linear in the text. */
export interface ReplyBody {
  /** Returns the messages that this text completes. */
  push(text: string): readonly Message[];
  /** Ends the body, and returns the remaining messages. */
  endSteps(): Generator<undefined, readonly Message[]>;
  /** True once there was a message, so that the body is in the protocol. */
  readonly isProtocol: boolean;
  /** True once later text does not belong to the reply. */
  readonly isOver: boolean;
  /** The number of characters of all text so far that belong to messages or their parts, and can be shown. */
  readonly shownTo: number;
  /** The outcome, once the body has ended. */
  readonly outcome: Outcome;
  /** What is unexpected in the body, as sentences. */
  readonly notes: readonly string[];
  /** Why a reply is incomplete whose end is missing, as a sentence. */
  readonly cut?: string | undefined;
  /** The session that it names, once it has ended. */
  readonly session?: string | undefined;
  /** What the agent wants to be answered before it goes on. */
  readonly question?: AgentQuestion | undefined;
  /** True for a body with too many values to be read. */
  readonly isTooLarge: boolean;
  /** Characters processed; tests check that this is linear in the length of the reply. */
  readonly work: number;
}

/** How a protocol reads its replies on the wire. */
export interface ReplyRecognition {
  /** Missing where replies are JSON messages that the protocol's shape reads. */
  readonly openBody?: (reading: Reading, keeps: RetainedPart) => ReplyBody;
  /** Reads a reply part by part; `earlier` holds the requests sent for the call. */
  readonly openParts?: (earlier: EarlierRequests, head: HeadEvent | undefined) => BodyParts;
  /** Folds the events of one response, if the protocol streams replies. */
  readonly openFold?: (keeps: RetainedPart, listener?: PartListener) => ResponseFold;
  /** Brings a reply, or an event of one, into the form that the other members read; returns others unchanged. */
  readonly frame?: (value: Value) => Value;
  /** True where the body of a reply decides its outcome, whatever its HTTP status. */
  readonly ignoresStatus?: true;
  /** True where the reply to a request may arrive in the stream of another exchange. */
  readonly answersElsewhere?: true;
  /**
   * True for a request, by its title, whose reply only reports the state of something: that this failed is no failure
   * of the call.
   */
  readonly onlyReports?: (title: string) => boolean;
  /** True where this status means only that the server lacks an optional feature, so that it is no failure. */
  readonly mayLack?: (title: string, status: number) => boolean;
  /** True where a stream of events is complete only once it contained the answer. */
  readonly endsWithAnswer?: true;
}

/** A call that the recursion guard refuses. */
export interface RefusedRequest {
  /** The text of the request. */
  readonly text: string;
  readonly session: string | undefined;
}

/** An HTTP reply that the recorder or a mock writes. */
export interface HttpReply {
  /** `200 OK`. */
  readonly line: string;
  readonly contentType: string;
  readonly body: string;
}

/** Reads a document that an agent publishes, and converts it to the reply to a request. */
export interface PublishedReader {
  readonly isProtocol: boolean;
  push(text: string): readonly Message[];
  end(): readonly Message[];
  endSteps(): Generator<undefined, readonly Message[]>;
}

/** What agents of a protocol take: calls of tools, tasks in words, or both. */
export interface Takes {
  readonly tools: boolean;
  readonly tasks: boolean;
}

/** How requests in files become messages of the protocol. Each member is optional; the defaults fit most protocols. */
export interface CallRules {
  /** What an agent with these capabilities takes, if that is not the same for all of its agents. */
  readonly takes?: (capabilities: readonly string[]) => Takes;
  /** The parameters that its requests for a task have. */
  readonly parameters?: readonly Parameter[];
  /** The kinds of requests that its agents answer with a message; all kinds if missing. */
  readonly answers?: readonly MessageKind[];
  /** The kinds that are answered by a document which its agents publish. */
  readonly publishes?: {
    readonly kinds: readonly MessageKind[];
    /** The text of such a request: the HTTP request for the document. */
    readonly request: string;
    readonly open: (report: Report) => PublishedReader;
  };
  /** What its agents would refuse in a written request, as sentences; a request with such faults is held back. */
  readonly findFaults?: (request: Value) => readonly string[];
  /** True where a kind without a message of its own is written as a call of the tool with its name. */
  readonly callsKindsByName?: true;
  /** True where a list of tools has names only, so that each tool needs a `describe` request. */
  readonly describesEach?: true;
  /** The lists that its agents may have besides that of tools. */
  readonly itemLists?: readonly ItemList[];
  /** The reply to a request for a resource or a prompt as MCP has it; missing where that is the form of the reply. */
  readonly readItem?: (kind: 'resource' | 'prompt', name: string, reply: Message) => Value;
  /** True where numbers keep the spelling of their source text. */
  readonly keepsNumbers?: true;
  /** True where a declaration without optional arguments does not say which ones are required. */
  readonly hidesRequired?: true;
  /** The request for the next page of a list; undefined after the last one. */
  readonly nextPage?: (page: Message) => string | undefined;
  /** Recognises a call of a method of the protocol instead of a tool; undefined for any other call. */
  readonly asMethod?: (call: Message, conversion: Conversion) => MethodCall | undefined;
  /** The methods that calls may name besides tools, for an agent that reports these capabilities. */
  readonly listMethods?: (capabilities: readonly string[]) => readonly ToolDeclaration[];
  /** Reads tools from the reply to a list or describe request, where the protocol has no message for them. */
  readonly readTools?: (request: Message, reply: Message) => Message;
}

/** A list of resources, templates or prompts, which is requested page by page. */
export interface ItemList {
  readonly kind: ListedItem['kind'];
  /** The capability that an agent with such a list reports. */
  readonly capability: string;
  /** The method that requests it, for notes. */
  readonly method: string;
  /** The request for a page; `cursor` is what the page before it returned. */
  readonly writeRequest: (cursor: string | undefined) => string;
  /** The items of a reply and the cursor of the next page; undefined for a reply without such a list. */
  readonly readPage: (
    reply: string,
  ) => { readonly items: readonly ListedItem[]; readonly cursor: string | undefined } | undefined;
}

/** A call of a method of the protocol. */
export interface MethodCall {
  /** The call in the form in which the protocol writes it. */
  readonly call: Message;
  /** Its parameters, with which the arguments are checked; undefined if they are not. */
  readonly declaration?: ToolDeclaration;
  /** Warnings to confirm before sending, each a sentence without a full stop. */
  readonly warnings: readonly string[];
  /** False where a list of the agent's tools may show that it is a tool after all. */
  readonly isSettled: boolean;
}

/** The names of a conversation in a reply, which the next request repeats. */
export interface Carried {
  /** The conversation as a whole: `session_id` of AICL and the Agent API, `contextId` of A2A. */
  readonly session?: string | undefined;
  /** The task that the next message continues; undefined once it has ended. */
  readonly task?: string | undefined;
  /** The response that the next request continues. */
  readonly response?: string | undefined;
}

/** How one request continues another. */
export interface Conversations {
  /** The request with the names from the reply before it. */
  readonly carryOn: (request: Message, carried: Carried) => Message;
  /** The session in the text of a request; only for protocols whose requests must name one. */
  readonly readSession?: (text: string) => string | undefined;
  /** The request's text with another session; `isSigned` is true if it has a signature, which no longer matches. */
  readonly nameSession?: (
    text: string,
    session: string,
  ) => { readonly text: string; readonly isSigned: boolean };
  /** The session in which a text answers a request of the agent; undefined for any other text. */
  readonly readAnswered?: (text: string) => string | undefined;
  /**
   * The names in a reply up to a JSON message of it; `before` has those of the messages before it. Missing where JSON
   * replies have no such names.
   */
  readonly readCarried?: (message: Value, before: Carried) => Carried;
}

/** How a recorded request of the protocol is sent again. */
export interface ReplayRules {
  /** True where each line of a message recorded without HTTP is a message of its own. */
  readonly isLineDelimited?: true;
  /** The index of the request among the texts sent for a call; undefined for none. The default is the last one. */
  readonly pick?: (texts: readonly (string | undefined)[]) => number | undefined;
  /** The request with its message ids and trace ids replaced or removed; `newId` makes ids. */
  readonly renew?: (request: Value, newId: () => string) => Value;
  /** True where a reply is a JSON object with the answer in `result` or `error`. */
  readonly answersInResult?: true;
}

/** How its calls are exported as OpenTelemetry spans. */
export interface SpanRules {
  /** True where the title of a call is a tool's name. */
  readonly titlesAreTools?: true;
  /** The method that the title of a call is for. */
  readonly method?: (title: string) => string;
  /** The attribute with the session, if the protocol has an attribute of its own for it. */
  readonly session?: string;
}

/** The form of a reply that is not in its agent's protocol. */
export type BodyKind = 'empty' | 'html' | 'rpc' | 'json' | 'aicl' | 'aicf' | 'events' | 'text';

/**
 * One protocol: everything that general code needs of it. `protocols/NAME/protocol.ts` has the object,
 * `protocols/all.ts` the list; general code gets the list as an argument and finds a protocol by its name.
 */
export interface Protocol extends ProtocolMessages {
  readonly requests: RequestRecognition;
  readonly replies: ReplyRecognition;
  /** Writes the error for a call that the recursion guard refuses; `code` is the protocol's own. */
  readonly refuse: (request: RefusedRequest, code: number | undefined, why: string) => HttpReply;
  readonly calls: CallRules;
  /** Missing where the protocol has no conversations. */
  readonly conversations?: Conversations;
  readonly replay?: ReplayRules;
  readonly spans?: SpanRules;
  readonly discovery?: Discovery;
  /** Advice on a reply from this address in another format, as the end of a sentence; undefined where there is none. */
  readonly advise?: (
    kind: BodyKind,
    url: { readonly origin: string; readonly pathname: string },
  ) => string | undefined;
}

/** The messages of the protocols that a program supports. */
export type MessageProtocols = Protocols<ProtocolMessages>;

/** The protocols that a program supports, by name. */
export class Protocols<Known extends ProtocolMessages = Protocol> {
  readonly list: readonly Known[];
  /** Sorted by `order`, in which they are tried on a value. */
  readonly byOrder: readonly Known[];
  readonly #byName: ReadonlyMap<unknown, Known>;

  constructor(list: readonly Known[]) {
    this.list = list;
    this.byOrder = list.toSorted((one, other) => one.order - other.order);
    this.#byName = new Map(list.map(protocol => [protocol.facts.name, protocol]));
  }

  /** A protocol by its name; undefined for any other text, such as `other`. */
  find(name: unknown): Known | undefined {
    return this.#byName.get(name);
  }

  /** The formats of conversion: the protocols, and plain JSON. */
  get formats(): readonly ConversionRow[] {
    return [...this.list.map(({ facts }) => facts), PLAIN_JSON];
  }

  /** A format by its name; undefined for any other text. */
  format(name: unknown): ConversionRow | undefined {
    return name === PLAIN_JSON.name ? PLAIN_JSON : this.find(name)?.facts;
  }

  /** The facts about errors with this `protocol` name: that of a protocol, or the one of errors inside its results. */
  errorFacts(name: string | undefined): ErrorFacts | undefined {
    const own = this.find(name)?.facts.errors;
    if (own || name === undefined) return own;
    const owner = this.list.find(({ facts }) => facts.errors.inResults === name);
    return owner && { column: owner.facts.errors.column, failsBy: 'no-code' };
  }
}
