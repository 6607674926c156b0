import type { TraceScheme } from '../catalog/trace-names.ts';

/** How a call stands. `open` has no reply yet; `incomplete` was cut before its end. */
export type CallStatus = 'open' | 'ok' | 'error' | 'cancelled' | 'incomplete';

/** The name of the protocol that a call speaks; `other` where it is none that we know, as of a span of other instrumentation. */
export type TraceProtocol = string;

/** A header as it is kept: a secret's value is replaced and its length in characters noted. */
export interface KeptHeader {
  readonly name: string;
  readonly value: string;
  readonly redacted?: number;
}

/** Bytes as a trace file holds them: text where they are UTF-8, else base64. */
export type KeptBytes = { readonly text: string } | { readonly base64: string };

/** A secret that was replaced by `[redacted]`: where that stands among the kept bytes, and how many bytes it was. */
export interface Redaction {
  readonly at: number;
  readonly length: number;
  /** What the request of a file has in its place, `{{secret figma}}`, where that is known. Never a value. */
  readonly template?: string;
}

/** What compressed bytes say, and where secrets stood in it. */
export type UnpackedBytes = KeptBytes & { readonly redacted?: readonly Redaction[] };

/** A name that a call carries for its trace (reading of trace identity, section 7). */
export interface TraceName {
  readonly scheme: TraceScheme;
  readonly trace: string;
  /** What names this one call within the trace: a W3C span id, the id of an AIO call. */
  readonly id?: string;
  /** The `id` of the call that led to this one, where the call carries it. */
  readonly parent?: string;
  /** The count of calls above this one, as the call carries it. */
  readonly depth?: number;
}

/** A call to an agent begins. Times are milliseconds since 1970, with fractions. */
export interface CallEvent {
  readonly type: 'call';
  readonly call: string;
  /** The W3C id of its trace: the one that it carries or, where it carries none, one of its own. */
  readonly trace: string;
  /** The call that led to it, where that is known for certain. */
  readonly parent?: string;
  readonly at: number;
  /** The agent that is called. */
  readonly agent: string;
  /** Who calls, where that is known otherwise than by the parent. */
  readonly from?: string;
  readonly protocol: TraceProtocol;
  /** The tool, query or message type. */
  readonly title: string;
  /** Where the request stands in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
  /** Names that it carries beside `trace`. */
  readonly names?: readonly TraceName[];
  /** The conversation that it belongs to. Sessions group traces and never join them. */
  readonly session?: string;
  /** Where it was seen: on its way to the agent, or by the agent. Without it, by who calls. */
  readonly seen?: 'between' | 'callee';
  /** True where nobody heard the wire and the call was told of, as by a span of telemetry. */
  readonly told?: true;
  /** True for what an agent asks of its caller on the same connection: it adds no depth and closes no cycle. */
  readonly back?: true;
}

/** What was learned of a call after it began. Members that are here take the place of the call's; names are added. */
export interface IdentityEvent extends Detail {
  readonly type: 'identity';
  readonly title?: string;
  readonly protocol?: TraceProtocol;
  readonly agent?: string;
  readonly from?: string;
  readonly session?: string;
  readonly names?: readonly TraceName[];
}

/** The head of an HTTP exchange: request line or status with the headers. */
export interface HeadEvent extends Detail {
  readonly type: 'head';
  readonly direction: 'out' | 'in';
  /** `POST http://…` or `200 OK`. */
  readonly line: string;
  readonly headers: readonly KeptHeader[];
}

/** Bytes that went over the wire, as they came, before anyone read them, but for the secrets in `redacted`. */
export interface WireEvent extends Detail {
  readonly type: 'wire';
  readonly direction: 'out' | 'in' | 'stderr';
  readonly bytes: KeptBytes;
  readonly redacted?: readonly Redaction[];
  /** What they say where they are compressed, as far as it could be told when they came: together all that was said. */
  readonly unpacked?: UnpackedBytes;
}

/** Something worth knowing about a call: an oddity, never a failure in silence. */
export interface NoteEvent extends Detail {
  readonly type: 'note';
  readonly text: string;
}

/** What telemetry tells of a call: attributes by their names, each value as the JSON text that came. */
export interface AttributesEvent extends Detail {
  readonly type: 'attributes';
  readonly attributes: readonly { readonly name: string; readonly json: string }[];
}

/** Tokens as the agent counted them. */
export interface TokenUsage {
  readonly input?: number;
  readonly output?: number;
}

/** A call ends. `code` is the protocol's own; `message` is one sentence for a person. */
export interface EndEvent extends Detail {
  readonly type: 'end';
  readonly status: Exclude<CallStatus, 'open'>;
  readonly code?: string;
  readonly message?: string;
  readonly usage?: TokenUsage;
}

/** What the events of a call have in common that are not its first. */
interface Detail {
  readonly call: string;
  readonly at: number;
  /**
   * Counts the events of a call after its first one, from 1. With it an event that comes twice counts once and events
   * that come out of order are put in order; without it they count as they come.
   */
  readonly seq?: number;
}

/** A line of a trace file after its header. Events are only ever appended. */
export type TraceEvent =
  CallEvent | IdentityEvent | HeadEvent | WireEvent | NoteEvent | AttributesEvent | EndEvent;
