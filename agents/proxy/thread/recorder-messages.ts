import type { StoredHeader, TraceEvent } from '../../../core/events/events.ts';
import type { ExchangeOutcome, PassingRequest, RecordingFacts } from '../exchange.ts';

/** Where a thread puts what it records: in a file, or in messages to the thread that started it. */
export type RecorderTask =
  | { readonly to: 'file'; readonly path: string; readonly producer: string }
  | { readonly to: 'starter' };

/** Something that happened to an exchange, with its time. */
export type ExchangeAct = { readonly exchange: number; readonly at: number } & (
  | {
      readonly type: 'open';
      readonly recording: number;
      readonly request: PassingRequest;
      readonly origin: string;
    }
  | {
      readonly type: 'requestBody' | 'replyBody' | 'foreignOut' | 'foreignIn';
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** The number of chunks in which they arrived; 0 if they continue the chunk before. */
      readonly chunks: number;
    }
  | { readonly type: 'requestOver' | 'replyOver' | 'forget' }
  | {
      readonly type: 'replyHead';
      readonly line: string;
      readonly status: number;
      readonly headers: readonly StoredHeader[];
    }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'fail'; readonly outcome: ExchangeOutcome }
);

/** Messages to the thread. */
export type ToRecorder =
  | {
      readonly type: 'recording';
      readonly recording: number;
      readonly facts: RecordingFacts;
      /** Names whose values are secret, in addition to the built-in ones. */
      readonly secretNames: readonly string[];
    }
  | { readonly type: 'acts'; readonly acts: readonly ExchangeAct[] }
  | {
      readonly type: 'stop';
      readonly recording: number;
      readonly at: number;
      readonly outcome: ExchangeOutcome;
    }
  /** Requests a `done` with the same number once everything sent before is recorded. */
  | { readonly type: 'flush'; readonly number: number }
  | { readonly type: 'close' };

/** Messages from the thread. */
export type FromRecorder =
  | { readonly type: 'opened'; readonly message: string | undefined }
  /** The acts of one more message are recorded. */
  | { readonly type: 'recorded' }
  | { readonly type: 'events'; readonly recording: number; readonly events: readonly TraceEvent[] }
  | { readonly type: 'done'; readonly number: number }
  /** From now on, events are missing from the file, or are no longer missing. */
  | { readonly type: 'missing'; readonly message: string }
  /** Why events are missing from the file; undefined if none are. */
  | { readonly type: 'closed'; readonly missing: string | undefined };
