import type { TraceScheme } from '../catalog/trace-names.ts';

/** The state of a call. `open` has no reply yet; `incomplete` was cut off before its end. */
export type CallStatus = 'open' | 'ok' | 'error' | 'cancelled' | 'incomplete';

/** The name of the protocol of a call; `other` if it is unknown, for example for a span of other instrumentation. */
export type TraceProtocol = string;

/** A header as it is stored. The value of a secret is replaced, and `redacted` is its length in characters. */
export interface StoredHeader {
  readonly name: string;
  readonly value: string;
  readonly redacted?: number;
}

/** Bytes as a trace file stores them: as text if they are valid UTF-8, else as Base64. */
export type StoredBytes = { readonly text: string } | { readonly base64: string };

/**
 * A secret that was replaced by `[redacted]`: the offset of the
 * replacement in the stored bytes, and the length of the secret in bytes.
 */
export interface Redaction {
  readonly at: number;
  readonly length: number;
  /** The template that the request in the file contains instead, `{{secret figma}}`, if known; never the value. */
  readonly template?: string;
}

/** The decompressed content of compressed bytes, and where secrets were replaced in it. */
export type UnpackedBytes = StoredBytes & { readonly redacted?: readonly Redaction[] };

/** A trace identifier that a call carries (reading of trace identity, section 7). */
export interface TraceName {
  readonly scheme: TraceScheme;
  readonly trace: string;
  /** The identifier of this call within the trace: a W3C span id or the id of an AIO call. */
  readonly id?: string;
  /** The `id` of the parent call, if the call carries it. */
  readonly parent?: string;
  /** The number of calls above this one, if the call carries it. */
  readonly depth?: number;
}

/** The place of a caller's request in its trace: what the agent is called with in its turn. */
export interface CallOrigin {
  /** The id of the call that the request is, and its W3C trace id. */
  readonly call: string;
  readonly trace: string;
  /** The number of calls above it that the request carries; a bridge does not count as one. */
  readonly depth: number;
  /** The trace ids of its call chain and in its message, if the request carries them. */
  readonly chain?: string | undefined;
  readonly ofMessage?: string | undefined;
}

/** The start of a call to an agent. All times are milliseconds since 1970, with fractions. */
export interface CallEvent {
  readonly type: 'call';
  readonly call: string;
  /** The W3C trace id that the call carries, or a generated one if it carries none. */
  readonly trace: string;
  /** The parent call, if it is known for certain. */
  readonly parent?: string;
  readonly at: number;
  readonly agent: string;
  /** The caller, if it is known from something other than the parent. */
  readonly from?: string;
  readonly protocol: TraceProtocol;
  /** The tool, query or message type. */
  readonly title: string;
  /** The location of the request in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
  /** Trace identifiers that the call carries in addition to `trace`. */
  readonly names?: readonly TraceName[];
  /** The conversation that the call belongs to. Sessions group traces but do not join them. */
  readonly session?: string;
  /** Where the call was observed: on the way to the agent, or by the agent. Without it, the caller observed it. */
  readonly seen?: 'between' | 'callee';
  /** True if the call was reported, for example by a telemetry span, and its traffic was not observed. */
  readonly reported?: true;
  /** True for a request from the agent to its caller on the same connection: it adds no depth and closes no cycle. */
  readonly back?: true;
}

/**
 * Details of a call that became known after its start. Members
 * replace those of the call; names are added to its names.
 */
export interface IdentityEvent extends Detail {
  readonly type: 'identity';
  readonly title?: string;
  readonly protocol?: TraceProtocol;
  readonly agent?: string;
  readonly from?: string;
  readonly session?: string;
  readonly names?: readonly TraceName[];
}

/** The head of an HTTP request or response: request line or status, and headers. */
export interface HeadEvent extends Detail {
  readonly type: 'head';
  readonly direction: 'out' | 'in';
  /** `POST http://…` or `200 OK`. */
  readonly line: string;
  readonly headers: readonly StoredHeader[];
  readonly exchange?: ExchangeNumber;
}

/** The same number for the heads and bytes of one HTTP exchange, where a call may have several at the same time. */
export type ExchangeNumber = number;

/** Bytes on the wire, recorded before they are parsed, with secrets replaced at the positions in `redacted`. */
export interface WireEvent extends Detail {
  readonly type: 'wire';
  readonly direction: 'out' | 'in' | 'stderr';
  readonly bytes: StoredBytes;
  /** The number of chunks in which the bytes arrived, if it is not 1; 0 if they continue the chunk before. */
  readonly count?: number;
  readonly exchange?: ExchangeNumber;
  readonly redacted?: readonly Redaction[];
  /**
   * The decompressed content of compressed bytes. It is stored only if the call contains a secret, because the
   * bytes are not stored then. Otherwise `agents/store/unpacked-payload.ts` adds it when a payload is read.
   */
  readonly unpacked?: UnpackedBytes;
}

/** A remark about a call, for example an unexpected reply. */
export interface NoteEvent extends Detail {
  readonly type: 'note';
  readonly text: string;
}

/** Attributes that telemetry reports for a call, each value as the JSON text that was received. */
export interface AttributesEvent extends Detail {
  readonly type: 'attributes';
  readonly attributes: readonly { readonly name: string; readonly json: string }[];
}

/** Token counts as the agent reported them, and the model that it named. */
export interface TokenUsage {
  readonly input?: number;
  readonly output?: number;
  /** The input tokens that came from a cache, which `input` of some agents includes. */
  readonly cached?: number;
  /** The output tokens for reasoning, which `output` includes. */
  readonly reasoning?: number;
  readonly model?: string;
}

/** The end of a call. `code` is specific to the protocol; `message` is one sentence for the user. */
export interface EndEvent extends Detail {
  readonly type: 'end';
  readonly status: Exclude<CallStatus, 'open'>;
  readonly code?: string;
  readonly message?: string;
  readonly usage?: TokenUsage;
}

/** Members that all events of a call share, except its first one. */
interface Detail {
  readonly call: string;
  readonly at: number;
  /**
   * The number of the event within the call, from 1, without its first event. It identifies duplicates and
   * restores the order of events. Without it, events are ordered by time and duplicates are not detected.
   */
  readonly seq?: number;
}

/** A line of a trace file after its header. Trace files are append-only. */
export type TraceEvent =
  | CallEvent
  | IdentityEvent
  | HeadEvent
  | WireEvent
  | NoteEvent
  | AttributesEvent
  | EndEvent;

/** Observes traffic unchanged, before it is parsed. */
export interface ObservedWire {
  head(
    direction: 'out' | 'in',
    line: string,
    headers: readonly StoredHeader[],
    exchange?: ExchangeNumber,
  ): void;
  /**
   * `rest` is `more` if the next bytes in this direction continue the same message. `chunks` is the number of chunks in
   * which the bytes arrived, 1 by default.
   */
  bytes(
    direction: 'out' | 'in' | 'stderr',
    bytes: Uint8Array,
    rest?: 'more',
    exchange?: ExchangeNumber,
    chunks?: number,
  ): void;
  note(text: string): void;
}

/** The prefix of ids of reported calls. Ids of observed calls are hexadecimal and cannot begin with it. */
const REPORTED = 'reported:';

/**
 * The id of a call that telemetry reported, derived from the id of its span. Anyone may send a span with the
 * id of an observed call; with its own id space, such a span cannot end, fail or rename that call.
 */
export function toReportedId(span: string): string {
  return `${REPORTED}${span}`;
}

/** The span id of a call: without the prefix for a reported call, else the id itself. */
export function spanOf(call: string): string {
  return call.startsWith(REPORTED) ? call.slice(REPORTED.length) : call;
}

/** The code of a call whose request was not sent, because the user should confirm it first. */
export const NOT_SENT = 'NOT_SENT';
