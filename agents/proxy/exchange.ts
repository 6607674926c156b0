import type { EndEvent, KeptHeader } from '../../core/events/events.ts';
import type { CallerConnection } from './callers.ts';
import type { OwnReply } from './own-reply.ts';
import type { ReadMemory } from './shared-pages.ts';

/** A request that passes a recording. */
export interface PassingRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** `POST http://…`, with the agent's own address. */
  readonly line: string;
  readonly headers: readonly KeptHeader[];
  /** Origins that become the recording's where the reply is an agent card. */
  readonly replaced?: readonly string[];
  /** The connection that it came over. */
  readonly caller?: CallerConnection;
  /** Who calls, where that is known. */
  readonly from?: string;
}

/** What came of an exchange. */
export type ExchangeOutcome = Pick<EndEvent, 'status' | 'code' | 'message' | 'usage'>;

/** What is to be done with a request. */
export type Verdict =
  | { readonly kind: 'passes' }
  /** More of it has to be read. */
  | { readonly kind: 'open' }
  /** Why, a sentence, and what its caller gets. */
  | { readonly kind: 'refused'; readonly why: string; readonly reply: OwnReply };

/** Is told what is on the wire of one exchange, in its order. */
export interface Exchange {
  readonly method: string;
  readonly hasReply: boolean;
  /** True where the reply is the card of an A2A agent. */
  readonly isCard: boolean;
  /** Whether the request may be passed on, by what was told of it. */
  judge(): Verdict;
  requestBody(bytes: Buffer): void;
  requestOver(): void;
  replyHead(line: string, status: number, headers: readonly KeptHeader[]): void;
  replyBody(bytes: Buffer): void;
  /** Bytes that are no HTTP, or that go over an upgraded connection. */
  foreign(direction: 'out' | 'in', bytes: Buffer): void;
  note(text: string): void;
  /** The reply is whole. */
  replyOver(): void;
  /** It ends otherwise than by a whole reply. */
  fail(outcome: ExchangeOutcome): void;
  /** Nothing more is told of it. */
  forget(): void;
}

/** Takes the exchanges that pass in front of one agent. */
export interface ExchangeRecorder {
  /** True where requests have to be judged before they are passed on. */
  readonly isGuarded: boolean;
  /** True while more was told than was recorded: what can wait should. */
  readonly isFull: boolean;
  /** An exchange begins. `origin` is the address under which the recording is reached. */
  open(request: PassingRequest, origin: string): Exchange;
  /** Memory to read replies to, which whoever records them shares; undefined where each read has its own. */
  openMemory(): ReadMemory | undefined;
  /** Calls once it is not full any more. */
  whenFree(act: () => void): void;
  /** Ends what is still under way, with one reason for all; resolves when all that was told is recorded. */
  stop(outcome: ExchangeOutcome): Promise<void>;
}
