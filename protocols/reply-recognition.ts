import type { HeadEvent } from '../core/events/events.ts';
import type { AgentQuestion, Message, Outcome } from '../core/message/message.ts';
import type { Value } from '../core/values/value.ts';
import type { EventFold } from './event-stream/event-fold.ts';
import type { RetainedPart, PartListener } from './event-stream/response-fold.ts';
import type { Reading } from './message/shape.ts';
import type { BodyParts } from './reply-parts/body-parts.ts';
import type { EarlierRequests } from './reply-parts/earlier-requests.ts';

/** Why a reply that arrived completely is still not finished. */
export interface UnfinishedReply {
  readonly status: 'cancelled' | 'incomplete';
  readonly code?: string;
  readonly message: string;
}

/** Reads the body of a reply whose messages are not JSON, while it arrives. Total, and linear in the text. */
export interface ReplyBody {
  /** Returns the messages that this text completes. */
  push(text: string): readonly Message[];
  /** Ends the body, and returns the remaining messages. */
  endSteps(): Generator<undefined, readonly Message[]>;
  /** True once there was a message, so that the body is in the protocol. */
  readonly isProtocol: boolean;
  /** True once later text does not belong to the reply. */
  readonly isOver: boolean;
  /** The number of characters of all text so far that belong to messages or their parts, and can be shown. */
  readonly shownTo: number;
  /** The outcome, once the body has ended. */
  readonly outcome: Outcome;
  /** What is unexpected in the body, as sentences. */
  readonly notes: readonly string[];
  /** Why a reply is incomplete whose end is missing, as a sentence. */
  readonly cut?: string | undefined;
  /** The session that it names, once it has ended. */
  readonly session?: string | undefined;
  /** What the agent wants to be answered before it goes on. */
  readonly question?: AgentQuestion | undefined;
  /** True for a body with too many values to be read. */
  readonly isTooLarge: boolean;
  /** Characters processed; tests check that this is linear in the length of the reply. */
  readonly work: number;
}

/** How a protocol reads its replies on the wire. */
export interface ReplyRecognition {
  /** Missing where replies are JSON messages that the protocol's shape reads. */
  readonly openBody?: (reading: Reading, keeps: RetainedPart) => ReplyBody;
  /** Reads a reply part by part; `earlier` holds the requests sent for the call. */
  readonly openParts?: (earlier: EarlierRequests, head: HeadEvent | undefined) => BodyParts;
  /** Folds the events of one response, if the protocol streams replies. */
  readonly openFold?: (keeps: RetainedPart, listener?: PartListener) => EventFold;
  /** Brings a reply, or an event of one, into the form that the other members read; returns others unchanged. */
  readonly frame?: (value: Value) => Value;
  /** True for a reply of a process that other parts of the same reply follow. */
  readonly isPart?: (reply: Value) => boolean;
  /** True where the body of a reply decides its outcome, whatever its HTTP status. */
  readonly ignoresStatus?: true;
  /** True where the reply to a request may arrive in the stream of another exchange. */
  readonly answersElsewhere?: true;
  /**
   * True for a request, by its title, whose reply only reports the state of something: that this failed is no failure
   * of the call.
   */
  readonly onlyReports?: (title: string) => boolean;
  /** True where this status means only that the server lacks an optional feature, so that it is no failure. */
  readonly mayLack?: (title: string, status: number) => boolean;
  /** True where a stream of events is complete only once it contained the answer. */
  readonly endsWithAnswer?: true;
}
