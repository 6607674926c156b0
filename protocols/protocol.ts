import type { ProtocolRow } from '../core/catalog/protocols.ts';
import type { ErrorColumn } from '../core/catalog/error-meanings.ts';
import type { MessageKind } from '../core/catalog/message-kinds.ts';
import type { HeadEvent, KeptHeader, TraceName } from '../core/events/events.ts';
import type { Message } from '../core/message/message.ts';
import type { Outcome } from '../core/message/outcome.ts';
import type { Value } from '../core/values/value.ts';
import type { KeptPart, PartListener, ResponseFold } from './event-stream/response-fold.ts';
import type { ProtocolShape } from './message/shape.ts';
import type { BodyParts } from './reply-parts/body-parts.ts';
import type { EarlierRequests } from './reply-parts/earlier-requests.ts';

/** A request as it was observed on the wire. */
export interface ObservedRequest {
  /** The HTTP method; undefined for a message without HTTP, such as one on standard input. */
  readonly method?: string;
  /** The path with its query. */
  readonly path?: string;
  readonly headers: readonly KeptHeader[];
  /** The body or the message; the beginning of a long one is enough. */
  readonly text: string;
  /** The name of the protocol that the agent is configured to speak, where that is known. */
  readonly known?: string | undefined;
}

/** An `answer` is a reply to something that the other side requested on the same connection. */
export type RequestKind = 'request' | 'notification' | 'answer';

/** A request of which method, path and headers say what it is. */
export interface RequestByHead {
  readonly title: string;
  readonly session?: string | undefined;
}

/** A message by which an agent tells its client, on a connection of its own, how an earlier call is getting on. */
export interface PushedUpdate {
  readonly title: string;
  /** The same as a reply of the protocol would say it. */
  readonly message: Value;
}

/** What a protocol knows of requests on the wire. */
export interface RequestRecognition {
  /** Its place in the order in which protocols are tried on a value, the most specific first. */
  readonly order: number;
  /** True where its messages are JSON-RPC: those of several protocols look alike, and a reply belongs to the protocol of its request. */
  readonly isRpc?: true;
  /** True where its shape also recognises requests of related protocols: the one that the agent is known to speak then counts. */
  readonly isLoose?: true;
  /** True for a request or reply that shows no sign of this protocol besides its frame, so that a related protocol may own it. */
  readonly isPlain?: (value: Value) => boolean;
  /** True for headers that only requests of this protocol have. */
  readonly claims?: (headers: readonly KeptHeader[]) => boolean;
  /** The message of a request whose method and path are part of what it says; undefined for any other request. */
  readonly frame?: (request: ObservedRequest, readBody: () => Value | undefined) => Value | undefined;
  /** What a request without a message of this protocol is, by its head alone. */
  readonly byHead?: (request: ObservedRequest) => RequestByHead | undefined;
  /** Reads an update that an agent pushes to its client. */
  readonly readUpdate?: (value: Value) => PushedUpdate | undefined;
  /** What a list of calls shows for a message: its tool, query or method; undefined where it names nothing. */
  readonly title: (message: Value) => string | undefined;
  /** `request` where this is missing. */
  readonly kind?: (message: Value) => RequestKind;
  /** The conversation that a message or its headers name; a protocol without it has no sessions. */
  readonly session?: (headers: readonly KeptHeader[], message: Value | undefined) => string | undefined;
  /** True where a message names its trace beside its parameters (AIO's `trace_id`). */
  readonly carriesTrace?: true;
  /** True where headers alone name the session, so that a message is not read for it. */
  readonly isNamedByHead?: true;
  /** Names of the trace that a message carries besides those that every protocol has, such as the tasks that it is about. */
  readonly names?: (message: Value) => readonly TraceName[];
  /** True where credentials may be at the end of a long request, behind what it asks for. */
  readonly mayEndInSecrets?: true;
  /** True for the path at which its agents publish what they are. */
  readonly isCard?: (path: string) => boolean;
  /** Credentials in the body of a request or reply that are not known by name or form. */
  readonly findSecrets?: (text: string) => readonly string[];
}

/** How a reply ended that is not whole although all of its text came. */
export interface UnfinishedReply {
  readonly status: 'cancelled' | 'incomplete';
  readonly code?: string;
  readonly message: string;
}

/** What a reply amounts to. */
export interface ReplyVerdict {
  readonly outcome: Outcome;
  /** True where the body is one message of the protocol, so that its form need not be checked. */
  readonly isOneMessage?: boolean;
  readonly unfinished?: UnfinishedReply;
}

/** Reads what a reply amounts to while it arrives. Total, and linear in the text. */
export interface ReplyJudge {
  readonly push: (text: string) => void;
  /** True where a body that is no event stream can say before its end that it is over. */
  readonly readsPieces: boolean;
  readonly isOver: () => boolean;
  readonly end: () => ReplyVerdict;
}

/** What a protocol knows of its replies on the wire. */
export interface ReplyRecognition {
  /** Missing where replies are JSON messages that the protocol's shape reads. */
  readonly openJudge?: () => ReplyJudge;
  /** Reads a reply part by part; `earlier` knows the requests that went out for the call. */
  readonly openParts?: (earlier: EarlierRequests, head: HeadEvent | undefined) => BodyParts;
  /** Folds the events of one response, where the protocol sends a reply so. */
  readonly openFold?: (keeps: KeptPart, listener?: PartListener) => ResponseFold;
  /** A reply, or an event of one, in the form that the other members read; the same value where it is in that form. */
  readonly frame?: (value: Value) => Value;
  /** True where a reply counts whatever its HTTP status. */
  readonly ignoresStatus?: true;
  /** True where a stream of events is whole only once the answer came in it. */
  readonly endsWithAnswer?: true;
}

/** A call that the recursion guard refuses. */
export interface RefusedRequest {
  /** The text of the request. */
  readonly text: string;
  readonly session: string | undefined;
}

/** A reply of HTTP that the recorder or a mock writes. */
export interface HttpReply {
  /** `200 OK`. */
  readonly line: string;
  readonly contentType: string;
  readonly body: string;
}

/** How a protocol says errors. */
export interface ErrorRules {
  /** The column of `core/catalog/error-meanings.ts` that its codes are looked up in. */
  readonly column: ErrorColumn;
  /** A column with codes of its own for meanings that others say otherwise. */
  readonly codes?: string;
  /** True where a method that is missing is a tool that is missing. */
  readonly namesMissingMethod?: 'tool';
  /** True where its codes are words, so that a number of another protocol becomes a text. */
  readonly hasWords?: true;
  /** Writes the error for a call that the recursion guard refuses; `code` is the protocol's own. */
  readonly refuse: (request: RefusedRequest, code: number | undefined, why: string) => HttpReply;
}

/** How requests of files become messages of the protocol. All members are optional: without one the protocol is like most. */
export interface CallRules {
  /** The kinds of requests that its agents answer with a message; all of them if missing. */
  readonly answers?: readonly MessageKind[];
  /** The kinds that are answered by a document which its agents publish. */
  readonly publishes?: readonly MessageKind[];
  /** True where a kind without a message is written as a call of a tool of that name. */
  readonly callsKindsByName?: true;
  /** True where a list of tools holds names only, so that each tool is described by a request of its own. */
  readonly describesEach?: true;
  /** True where its agents list resources and prompts besides tools. */
  readonly listsMore?: true;
  /** True where numbers go out as they were written. */
  readonly keepsNumbers?: true;
  /** True where a declaration without optional arguments does not say which ones are required. */
  readonly hidesRequired?: true;
  /** A call that is a method of the protocol itself and no call of a tool, so written; undefined for any other call. */
  readonly asMethod?: (call: Message) => Message | undefined;
  /** Reads tools out of a reply to a list or describe request, where the protocol has no message for them. */
  readonly readTools?: (request: Message, reply: Message) => Message;
}

/** What of a conversation a reply names and the next request repeats. */
export interface Carried {
  /** The conversation as a whole: `session_id` of AICL and the Agent API, `contextId` of A2A. */
  readonly session?: string | undefined;
  /** The task that the next message continues, as long as it has not ended. */
  readonly task?: string | undefined;
  /** The response that the next one follows. */
  readonly response?: string | undefined;
}

/** How one request continues another. */
export interface Conversations {
  /** The request with what the reply before it named. */
  readonly carryOn: (request: Message, carried: Carried) => Message;
  /** The session that the text of a request names itself; only where requests must name one. */
  readonly readSession?: (text: string) => string | undefined;
  /** The text of a request in another session; `isSigned` says whether it has a signature, which then no longer fits. */
  readonly nameSession?: (
    text: string,
    session: string,
  ) => { readonly text: string; readonly isSigned: boolean };
  /** What a reply in this protocol's own text names. Total, and linear in the reply. */
  readonly readCarried: (reply: string) => Carried;
}

/** What a recorded request of the protocol needs to be sent again. */
export interface ReplayRules {
  /** True where each line of a recorded message is a message of its own if there is no HTTP. */
  readonly saysLines?: true;
  /** Which of the texts that went out for a call is its request; undefined for none. The last one if this is missing. */
  readonly pick?: (texts: readonly (string | undefined)[]) => number | undefined;
  /** The request with what names one message or one trace replaced or removed; `newId` makes ids. */
  readonly renew?: (request: Value, newId: () => string) => Value;
  /** True where a reply is a JSON object with the answer in `result` or `error`. */
  readonly answersInResult?: true;
}

/** What a reply is that is not in its agent's protocol. */
export type BodyKind = 'empty' | 'html' | 'json-rpc' | 'json' | 'aicl' | 'aicf' | 'events' | 'text';

/**
 * One protocol: everything that general code asks about it. `protocols/NAME/protocol.ts` has the object, `protocols/all.ts` the
 * list; general code gets the list as an argument and finds a protocol by its name.
 */
export interface Protocol {
  readonly facts: ProtocolRow;
  /** Its messages as values; undefined for the one whose messages are lines of text. */
  readonly shape: ProtocolShape | undefined;
  readonly requests: RequestRecognition;
  readonly replies: ReplyRecognition;
  readonly errors: ErrorRules;
  readonly calls: CallRules;
  /** Missing where the protocol knows no conversations. */
  readonly conversations?: Conversations;
  readonly replay?: ReplayRules;
  /** What to do about a reply from this address that is something else, as the end of a sentence; undefined where nothing is known. */
  readonly advise?: (
    kind: BodyKind,
    url: { readonly origin: string; readonly pathname: string },
  ) => string | undefined;
}

/** The protocols that a program knows, by their names. */
export class Protocols {
  readonly list: readonly Protocol[];
  /** In the order in which they are tried on a value. */
  readonly byOrder: readonly Protocol[];
  readonly #byName: ReadonlyMap<unknown, Protocol>;

  constructor(list: readonly Protocol[]) {
    this.list = list;
    this.byOrder = list.toSorted((one, other) => one.requests.order - other.requests.order);
    this.#byName = new Map(list.map(protocol => [protocol.facts.name, protocol]));
  }

  /** A protocol by its name; undefined for any other text, such as `other`. */
  find(name: unknown): Protocol | undefined {
    return this.#byName.get(name);
  }
}
