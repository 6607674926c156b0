import type { ProtocolRow } from '../core/catalog/protocols.ts';
import { PLAIN_JSON, type ConversionRow } from '../core/catalog/conversions.ts';
import type { ErrorFacts } from '../core/catalog/error-meanings.ts';
import type { Message } from '../core/message/message.ts';
import type { Value } from '../core/values/value.ts';
import type { CallRules, ItemList } from './call-rules.ts';
import type { Discovery } from './discovery.ts';
import type { ApprovalRequest } from './event-stream/approvals.ts';
import type { LineShape, ProtocolShape } from './message/shape.ts';
import type { ReplyRecognition, UnfinishedReply } from './reply-recognition.ts';
import type { RequestByReply, RequestRecognition } from './request-recognition.ts';
import type { RequestSchema } from './request-schema.ts';

export type { ApprovalRequest, CallRules, ItemList, RequestByReply, UnfinishedReply };

/** How the messages of a protocol are recognised, read and written: the part of `Protocol` that conversion needs. */
export interface ProtocolMessages {
  readonly facts: ProtocolRow;
  /** What its requests in JSON files hold; missing where it has no JSON. */
  readonly requestSchema?: RequestSchema;
  /** Reads and writes its messages as values; undefined where they are lines of text. */
  readonly shape: ProtocolShape | undefined;
  /** Reads and writes its messages as lines of text; missing where they are values. */
  readonly lines?: LineShape;
  /** Its place in the order in which protocols are tried on a value, the most specific first. */
  readonly order: number;
  /** True for JSON-RPC protocols. Their replies look alike, so a reply belongs to the protocol of its request. */
  readonly isRpc?: true;
  /** The name shared by protocols whose messages look alike: between them, a declared protocol wins over detection. */
  readonly family?: string;
  /** True for a message with no trait of this protocol besides its frame, so that a related protocol may own it. */
  readonly isPlain?: (value: Value) => boolean;
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
  /** An answer to a request of the agent in a session, for the user to complete. */
  readonly writeAnswer?: (session: string) => string;
  /**
   * The names in a reply up to a JSON message of it; `before` has those of the messages before it. Missing where JSON
   * replies have no such names.
   */
  readonly readCarried?: (message: Value, before: Carried) => Carried;
  /** What a JSON reply to a task asks in words, where the next task is the answer. */
  readonly readAsked?: (reply: Value) => string | undefined;
}

/** How a caller and an agent of the protocol agree on a version. */
export interface VersionNegotiation {
  /** The title of an offer in lists of calls. */
  readonly title: string;
  /** True if an error with this code, as the reply to a request, may mean that the agent speaks another version. */
  readonly mayHelp: (request: string, code: string | undefined) => boolean;
  /** The request that offers the versions that we write, in the session of another request. */
  readonly writeOffer: (request: string) => string;
  /** The version that the reply to an offer selects, and whether we write it; undefined where it selects none. */
  readonly readSelected: (
    reply: string,
  ) => { readonly name: string; readonly isWritten: boolean } | undefined;
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
  /** Missing where a request cannot ask for the version. */
  readonly negotiation?: VersionNegotiation;
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

  /** The protocol whose text a language is; undefined for JSON, in which many protocols are. */
  ofLanguage(language: string | undefined): Known | undefined {
    return language === 'json' ? undefined : this.list.find(({ facts }) => facts.language === language);
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
