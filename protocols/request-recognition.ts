import type { StoredHeader, TraceName } from '../core/events/events.ts';
import type { Value } from '../core/values/value.ts';

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
