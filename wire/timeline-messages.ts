import type { EncodingName } from '../core/catalog/costs.ts';
import type { CallState } from '../trace/fold/call-state.ts';
import type { CountedCall } from '../trace/graph/count-tokens.ts';
import type { AttributesEvent, HeadEvent, TraceName, WireEvent } from '../core/events/events.ts';
import type { TracePart } from '../protocols/reply-parts/part.ts';
import { isListOf, isMessage, isNumber, isOneOf, isString, type Guarded } from '../core/guard.ts';

/**
 * Extension to timeline: a trace with the first of its calls, parents before children; the others follow in
 * `calls`. Sent in response to `ready`, and again for another trace.
 */
export interface ShowTrace {
  readonly type: 'show';
  /** The number of the trace shown in this panel; messages about another one are outdated. */
  readonly shown: number;
  readonly trace: string;
  /** The total number of calls. */
  readonly size: number;
  readonly calls: readonly CallState[];
  /** The id of the call to select. */
  readonly selected: string;
  /** Remarks about the source of the trace as a whole. */
  readonly notes: readonly string[];
  /** The maximum number of calls above a call that the recursion guard allows. */
  readonly depthLimit: number;
  /** The current time in milliseconds since 1970 if open calls are still running; absent for a recording. */
  readonly now?: number;
}

/**
 * Extension to timeline: calls that were added, changed or
 * removed. Sent only after `drawn` confirmed the previous update.
 */
export interface ReportCalls {
  readonly type: 'calls';
  readonly shown: number;
  readonly size: number;
  readonly calls: readonly CallState[];
  readonly gone: readonly string[];
  readonly now?: number;
}

/** Extension to timeline: there is no trace to show. */
export interface ClearTrace {
  readonly type: 'clear';
  /** The reason for the user; absent if the trace is no longer stored. */
  readonly why?: string;
}

/** Extension to timeline: a call was selected elsewhere. */
export interface SelectCall {
  readonly type: 'select';
  readonly call: string;
}

/** Extension to timeline: details that the state of a call does not contain. Sent in response to `ask`. */
export interface ReportPayload {
  readonly type: 'payload';
  readonly call: string;
  readonly names: readonly TraceName[];
  readonly session?: string;
  readonly attributes: AttributesEvent['attributes'];
  /** Heads and bytes, in order, from the requested index on. */
  readonly from: number;
  readonly events: readonly (HeadEvent | WireEvent)[];
  /** The number of stored heads and bytes that are too many to be shown here. */
  readonly leftOut: number;
  /** The indices of the first events of the call's own request and of its reply, if the connection sent others too. */
  readonly own?: readonly number[];
}

/** Extension to timeline: the parts of the reply to a call. Sent in response to `askParts`. */
export interface ReportParts {
  readonly type: 'parts';
  readonly call: string;
  readonly parts: readonly TracePart[];
  readonly notes: readonly string[];
}

/**
 * Extension to timeline: calls whose payloads contain the
 * searched text. Sent several times in response to `search`.
 */
export interface ReportFound {
  readonly type: 'found';
  readonly search: number;
  readonly calls: readonly string[];
  /** The progress from 0 to 1; the last message has 1. */
  readonly share: number;
  /** The number of calls whose traffic cannot be read completely. */
  readonly lost: number;
}

/** Extension to timeline: token counts since the last such message. Sent several times in response to `countTokens`. */
export interface ReportTokens {
  readonly type: 'tokens';
  /** The number of the request that this is the response to. */
  readonly count: number;
  readonly encoding: EncodingName;
  readonly calls: readonly CountedCall[];
  /** The progress from 0 to 1; the last message has 1. */
  readonly share: number;
  /** Why counting ended early, as a text for the user. */
  readonly error?: string;
}

export type ToTimeline =
  | ShowTrace
  | ReportCalls
  | ClearTrace
  | SelectCall
  | ReportPayload
  | ReportParts
  | ReportFound
  | ReportTokens;

/** Actions that the timeline requests for a call, or for its whole trace. */
export const CALL_ACTIONS = ['openSource', 'openRequest', 'openReply'] as const;
export const TRACE_ACTIONS = ['exportTrace', 'copyTrace', 'compareTrace', 'replayCall'] as const;
export type CallAction = (typeof CALL_ACTIONS)[number];
export type TraceAction = (typeof TRACE_ACTIONS)[number];

/** Guards messages from the timeline. */
export const isFromTimeline = isMessage({
  /** The script is ready and waits for `show`. */
  ready: {},
  /** `show` or `calls` was processed. */
  drawn: { shown: isNumber },
  selected: { call: isString },
  /** Requests details of a call, with heads and bytes from an index on. */
  ask: { call: isString, from: isNumber },
  /** Requests the parts of the reply to a call. */
  askParts: { call: isString },
  /** Searches payloads, heads and attributes; an empty text ends the search. */
  search: { search: isNumber, text: isString },
  /**
   * Counts the tokens of calls whose agents reported none; without calls, counting stops. Responses to another `count`
   * are outdated.
   */
  countTokens: { count: isNumber, calls: isListOf(isString) },
  copy: { text: isString },
  /** Opens an address of a reply after a question. */
  openLink: { address: isString },
  /** Runs an action for a call or for its trace. */
  act: { action: isOneOf([...CALL_ACTIONS, ...TRACE_ACTIONS]), call: isString },
});

export type FromTimeline = Guarded<typeof isFromTimeline>;
export type ActOnCall = Extract<FromTimeline, { type: 'act' }>;
