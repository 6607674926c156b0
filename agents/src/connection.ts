import type { ProtocolName } from '../../protocol/src/catalog/protocols.ts';
import type { CallEvent, KeptHeader } from '../../protocol/src/trace/events.ts';
import type { Redactor } from '../../protocol/src/trace/redact.ts';

/** A request as it goes out. */
export interface Outgoing {
  /** The exact text of the body, sent as UTF-8. */
  readonly wireText: string;
  /** Milliseconds until the call is given up; undefined takes the agent's. */
  readonly timeout?: number;
  /** What a list of calls shows for it: the tool, query or message type. */
  readonly title?: string;
  /** Where the request stands in a file. */
  readonly source?: NonNullable<CallEvent['source']>;
  /** Headers for this request alone, by name; where the agent has one of the same name, the agent's goes. */
  readonly headers?: ReadonlyMap<string, string>;
  /** Knows the secrets of this request: what a message quotes of a reply goes through it before it is shortened. */
  readonly redactor?: Redactor;
}

/** Hears what is on the wire, as it is, before anyone reads it. */
export interface WireListener {
  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void;
  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array): void;
  note(text: string): void;
  /** The text of the reply that may be shown in addition to what was told before. */
  progress(added: string): void;
}

/** What came of a request. A failure is an answer too: nothing here throws. */
export interface Reply {
  readonly status: 'ok' | 'error' | 'cancelled' | 'incomplete';
  /** All that came, as text; what is not UTF-8 shows as U+FFFD and is noted. Kept whatever the status. */
  readonly text: string;
  /** The protocol's code (`404`, `3001`) or, without one, the transport's (`HTTP 502`, `ECONNREFUSED`). */
  readonly code?: string;
  /** One sentence for a person: for an error what was tried and what came. */
  readonly message?: string;
  /** True where the text is the protocol's own language and can be shown as such. */
  readonly isProtocol: boolean;
}

/** A way to one agent. Every protocol meets this contract. */
export interface Connection {
  readonly agent: string;
  readonly protocol: ProtocolName;
  /** Sends one request and waits for all of its reply. Ends by itself on time-out, abort and cut lines. */
  send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply>;
  /** Ends what is still under way and frees what the connection holds. */
  close(): Promise<void>;
}
