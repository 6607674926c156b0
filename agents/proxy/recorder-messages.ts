import type { KeptHeader, TraceEvent } from '../../core/events/events.ts';
import type { Secret } from '../../core/text/secret.ts';
import type { ExchangeOutcome, PassingRequest } from './exchange.ts';

/** What a recording of one agent is, for a thread that has nothing but messages. */
export interface RecordingFacts {
  /** What traces call the agent. */
  readonly agent: string;
  /** What it is known to speak. */
  readonly protocol?: string | undefined;
  /** The agent's secrets, and the headers whose values are some. */
  readonly secrets: readonly Secret[];
  readonly secretHeaders: readonly string[];
}

/** Where a thread puts what it records: in a file, or back to whoever started it. */
export type RecorderTask =
  { readonly to: 'file'; readonly path: string; readonly producer: string } | { readonly to: 'starter' };

/** Bytes as they lie in one piece of memory: where each run of them begins, and how many there are; and of all of them. */
export interface Runs {
  readonly memory: ArrayBufferLike;
  readonly places: number[];
  length: number;
}

/** Something that happened to an exchange, with its time. */
export type ExchangeAct = { readonly exchange: number; readonly at: number } & (
  | {
      readonly type: 'open';
      readonly recording: number;
      readonly request: PassingRequest;
      readonly origin: string;
    }
  | { readonly type: 'requestBody' | 'replyBody' | 'foreignOut' | 'foreignIn'; readonly bytes: Runs }
  | { readonly type: 'requestOver' | 'replyOver' | 'forget' }
  | {
      readonly type: 'replyHead';
      readonly line: string;
      readonly status: number;
      readonly headers: readonly KeptHeader[];
    }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'fail'; readonly outcome: ExchangeOutcome }
);

/** To the thread. */
export type ToRecorder =
  | {
      readonly type: 'recording';
      readonly recording: number;
      readonly facts: RecordingFacts;
      /** Names that are secret besides those that all know. */
      readonly secretNames: readonly string[];
    }
  | { readonly type: 'acts'; readonly acts: readonly ExchangeAct[] }
  | {
      readonly type: 'stop';
      readonly recording: number;
      readonly at: number;
      readonly outcome: ExchangeOutcome;
    }
  /** Asks for a `done` of the same number once all that was said before is recorded. */
  | { readonly type: 'flush'; readonly number: number }
  | { readonly type: 'close' };

/** From the thread. */
export type FromRecorder =
  | { readonly type: 'opened'; readonly message: string | undefined }
  /** The acts of one more message are recorded: their memory is free. */
  | { readonly type: 'recorded' }
  | { readonly type: 'events'; readonly recording: number; readonly events: readonly TraceEvent[] }
  | { readonly type: 'done'; readonly number: number }
  /** Events begin to be missing from the file, or are no longer. */
  | { readonly type: 'missing'; readonly message: string }
  /** Why events are missing from the file; undefined where none is. */
  | { readonly type: 'closed'; readonly missing: string | undefined };
