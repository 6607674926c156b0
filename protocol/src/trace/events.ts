import type { ProtocolName } from '../catalog/protocols.ts';

/** How a call stands. `open` has no reply yet; `incomplete` was cut before its end. */
export type CallStatus = 'open' | 'ok' | 'error' | 'cancelled' | 'incomplete';

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
}

/** A call to an agent begins. Times are milliseconds since 1970, with fractions. */
export interface CallEvent {
  readonly type: 'call';
  readonly call: string;
  readonly trace: string;
  readonly parent?: string;
  readonly at: number;
  readonly agent: string;
  readonly protocol: ProtocolName;
  /** The tool, query or message type. */
  readonly title: string;
  /** Where the request stands in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
}

/** The head of an HTTP exchange: request line or status with the headers. */
export interface HeadEvent {
  readonly type: 'head';
  readonly call: string;
  readonly at: number;
  readonly direction: 'out' | 'in';
  /** `POST http://…` or `200 OK`. */
  readonly line: string;
  readonly headers: readonly KeptHeader[];
}

/** Bytes that went over the wire, as they came, before anyone read them, but for the secrets in `redacted`. */
export interface WireEvent {
  readonly type: 'wire';
  readonly call: string;
  readonly at: number;
  readonly direction: 'out' | 'in' | 'stderr';
  readonly bytes: KeptBytes;
  readonly redacted?: readonly Redaction[];
}

/** Something worth knowing about a call: an oddity, never a failure in silence. */
export interface NoteEvent {
  readonly type: 'note';
  readonly call: string;
  readonly at: number;
  readonly text: string;
}

/** A call ends. `code` is the protocol's own; `message` is one sentence for a person. */
export interface EndEvent {
  readonly type: 'end';
  readonly call: string;
  readonly at: number;
  readonly status: Exclude<CallStatus, 'open'>;
  readonly code?: string;
  readonly message?: string;
}

/** A line of a trace file after its header. Events are only ever appended. */
export type TraceEvent = CallEvent | HeadEvent | WireEvent | NoteEvent | EndEvent;
