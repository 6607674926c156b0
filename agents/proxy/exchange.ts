import type { EndEvent, StoredHeader } from '../../core/events/events.ts';
import type { Secret } from '../../core/text/secret.ts';
import type { Capacity } from '../store/trace-file.ts';
import type { CallerConnection } from './callers.ts';
import type { OwnReply } from './own-reply.ts';

/** What a recording knows about its agent; plain data, because a message takes it to the recording thread. */
export interface RecordingFacts {
  /** The name of the agent in traces. */
  readonly agent: string;
  /** The protocol that it is known to use. */
  readonly protocol?: string | undefined;
  /** The agent's secrets, and the headers whose values are secret. */
  readonly secrets: readonly Secret[];
  readonly secretHeaders: readonly string[];
}

/** Opens a recorder for the traffic of an agent. */
export type OpenRecorder = (facts: RecordingFacts) => ExchangeRecorder | Promise<ExchangeRecorder>;

/** A request that passes through a recording. */
export interface PassingRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The request line with the agent's own address: `POST http://…`. */
  readonly line: string;
  readonly headers: readonly StoredHeader[];
  /** Origins that are replaced by the recording's if the reply is an agent card. */
  readonly replaced?: readonly string[];
  /** The connection on which it was received. */
  readonly caller?: CallerConnection;
  /** The caller, if known. */
  readonly from?: string;
}

/** The outcome of an exchange. */
export type ExchangeOutcome = Pick<EndEvent, 'status' | 'code' | 'message' | 'usage'>;

/** What to do with a request. */
export type Verdict =
  | { readonly kind: 'passes' }
  /** More of it has to be read. */
  | { readonly kind: 'open' }
  /** The reason as a sentence, and the reply for the caller. */
  | { readonly kind: 'refused'; readonly why: string; readonly reply: OwnReply };

/** Receives the traffic of one exchange, in order. */
export interface Exchange {
  readonly method: string;
  readonly hasReply: boolean;
  /** True if the reply is the card of an A2A agent. */
  readonly isCard: boolean;
  /** Whether the request may be passed on, as far as it was read. */
  judge(): Verdict;
  requestBody(bytes: Buffer): void;
  requestOver(): void;
  replyHead(line: string, status: number, headers: readonly StoredHeader[]): void;
  /** `chunks` is the number of chunks in which the bytes arrived, 1 by default. */
  replyBody(bytes: Buffer, chunks?: number): void;
  /** Bytes that are not HTTP, or that pass over an upgraded connection. */
  foreign(direction: 'out' | 'in', bytes: Buffer): void;
  note(text: string): void;
  /** The reply is complete. */
  replyOver(): void;
  /** The exchange ends without a complete reply. */
  fail(outcome: ExchangeOutcome): void;
  /** Nothing more is reported of it. */
  forget(): void;
}

/** Records the exchanges with one agent. While it is full, traffic should be held back. */
export interface ExchangeRecorder extends Capacity {
  /** True if requests have to be judged before they are passed on. */
  readonly isGuarded: boolean;
  /** Opens an exchange. `origin` is the address under which the recording is reached. */
  open(request: PassingRequest, origin: string): Exchange;
  /** Ends all open exchanges with one outcome; resolves when everything is recorded. */
  stop(outcome: ExchangeOutcome): Promise<void>;
}
