import { findEncoding, type EncodingName } from '../core/catalog/encodings.ts';
import type { CallState } from '../trace/fold/call-state.ts';
import type { CountedCall } from '../trace/graph/count-tokens.ts';
import type { AttributesEvent, HeadEvent, TraceName, WireEvent } from '../core/events/events.ts';
import type { TracePart } from '../protocols/reply-parts/part.ts';
import {
  isListOf,
  isMessage,
  isNumber,
  isOneOf,
  isOptional,
  isPartOf,
  isRecord,
  isString,
  type Guard,
} from '../core/guard.ts';

/**
 * The extension to the timeline: a trace, with the first of its calls, those above before those below. Answers `ready`, and
 * comes again for another trace. The rest comes in `calls`.
 */
export interface ShowTrace {
  readonly type: 'show';
  /** Counts what was shown in this panel: messages about another one are late. */
  readonly shown: number;
  readonly trace: string;
  /** Calls in all. */
  readonly size: number;
  readonly calls: readonly CallState[];
  /** The call to select, by its id. */
  readonly selected: string;
  /** Where it comes from, as in `Live traces` or the name of a file, and what is odd about that as a whole. */
  readonly source: string;
  readonly notes: readonly string[];
  /** What can be done with the trace. */
  readonly actions: readonly TraceAction[];
  /** Calls above one that may be, until the recursion guard refuses it. */
  readonly depthLimit: number;
  /** The time now, in milliseconds since 1970, where open calls still run; without it they are part of a recording. */
  readonly now?: number;
}

/** The extension to the timeline: calls that are new, that changed or that went. Answers `drawn`, and comes no sooner than that. */
export interface TellCalls {
  readonly type: 'calls';
  readonly shown: number;
  readonly size: number;
  readonly calls: readonly CallState[];
  readonly gone: readonly string[];
  readonly now?: number;
}

/** The extension to the timeline: there is no trace to show. */
export interface ClearTrace {
  readonly type: 'clear';
  /** Why that is, for a person; without it, the trace is no longer kept. */
  readonly why?: string;
}

/** The extension to the timeline: a call was selected elsewhere. */
export interface SelectCall {
  readonly type: 'select';
  readonly call: string;
}

/** The extension to the timeline: what is not in the state of a call. Answers `ask`. */
export interface TellPayload {
  readonly type: 'payload';
  readonly call: string;
  readonly names: readonly TraceName[];
  readonly session?: string;
  readonly attributes: AttributesEvent['attributes'];
  /** Heads and bytes from the number that was asked for, in their order. */
  readonly from: number;
  readonly events: readonly (HeadEvent | WireEvent)[];
  /** Heads and bytes that are kept but too many to be shown here. */
  readonly leftOut: number;
}

/** The extension to the timeline: what came back for a call, part by part. Answers `askParts`. */
export interface TellParts {
  readonly type: 'parts';
  readonly call: string;
  readonly parts: readonly TracePart[];
  readonly notes: readonly string[];
}

/** The extension to the timeline: calls whose payload holds what is searched. Answers `search`, some times over. */
export interface TellFound {
  readonly type: 'found';
  readonly search: number;
  readonly calls: readonly string[];
  /** How much was looked at, from 0 to 1; 1 is the last message. */
  readonly share: number;
  /** Of so many calls not all can be read that was on their wire. */
  readonly lost: number;
}

/** The extension to the timeline: tokens of calls that were counted since it told last. Answers `countTokens`, some times over. */
export interface TellTokens {
  readonly type: 'tokens';
  /** Which question it answers. */
  readonly count: number;
  readonly encoding: EncodingName;
  readonly calls: readonly CountedCall[];
  /** How much was counted, from 0 to 1; 1 is the last message. */
  readonly share: number;
  /** Why the count ended early, for a person. */
  readonly error?: string;
}

export type ToTimeline =
  ShowTrace | TellCalls | ClearTrace | SelectCall | TellPayload | TellParts | TellFound | TellTokens;

/** The timeline to the extension: its script runs and waits for `show`. */
export interface TimelineReady {
  readonly type: 'ready';
}

/** The timeline to the extension: `show` or `calls` was taken in. */
export interface CallsDrawn {
  readonly type: 'drawn';
  readonly shown: number;
}

/** The timeline to the extension: the user selected a call. */
export interface CallSelected {
  readonly type: 'selected';
  readonly call: string;
}

/** The timeline to the extension: tell what is not in the state of a call, heads and bytes from a number. */
export interface AskPayload {
  readonly type: 'ask';
  readonly call: string;
  readonly from: number;
}

/** The timeline to the extension: tell what came back for a call, part by part. */
export interface AskParts {
  readonly type: 'askParts';
  readonly call: string;
}

/** The timeline to the extension: look for a text in payloads, heads and attributes; an empty one ends the search. */
export interface SearchPayloads {
  readonly type: 'search';
  readonly search: number;
  readonly text: string;
}

/** The timeline to the extension: count the tokens of calls whose agents reported none; without calls, a count ends. */
export interface CountTokens {
  readonly type: 'countTokens';
  /** Counts these questions: answers to another one are late. */
  readonly count: number;
  readonly calls: readonly string[];
}

/** What the timeline asks to be done with a call, or with its whole trace. */
export const CALL_ACTIONS = ['openSource', 'openRequest', 'openReply'] as const;
export const TRACE_ACTIONS = ['exportTrace', 'copyTrace', 'compareTrace', 'replayCall'] as const;
export type CallAction = (typeof CALL_ACTIONS)[number];
export type TraceAction = (typeof TRACE_ACTIONS)[number];

/** The timeline to the extension: do something with a call, or with the trace that it is in. */
export interface ActOnCall {
  readonly type: 'act';
  readonly action: CallAction | TraceAction;
  readonly call: string;
}

export type FromTimeline =
  | TimelineReady
  | CallsDrawn
  | CallSelected
  | AskPayload
  | AskParts
  | SearchPayloads
  | CountTokens
  | ActOnCall;

const isCalls = isListOf(
  isPartOf<CallState>({ id: isString, agent: isString, title: isString, status: isString, at: isNumber }),
);
const isTraceAction = isOneOf(TRACE_ACTIONS);
const isList: Guard<readonly never[]> = (value): value is readonly never[] => Array.isArray(value);
const isPart = isPartOf<TracePart>({
  id: isString,
  kind: isString,
  title: isString,
  status: isString,
  at: isNumber,
  until: isNumber,
  pieces: isNumber,
  ticks: isList,
  notes: isListOf(isString),
  children: (value): value is readonly TracePart[] => isParts(value),
});
const isParts = isListOf(isPart);

/** Guards what arrives in the view. The events were guarded where they entered the extension. */
export const isToTimeline = isMessage<ToTimeline>({
  show: {
    shown: isNumber,
    trace: isString,
    size: isNumber,
    calls: isCalls,
    selected: isString,
    source: isString,
    notes: isListOf(isString),
    actions: isListOf(isTraceAction),
    depthLimit: isNumber,
    now: isOptional(isNumber),
  },
  calls: {
    shown: isNumber,
    size: isNumber,
    calls: isCalls,
    gone: isListOf(isString),
    now: isOptional(isNumber),
  },
  clear: { why: isOptional(isString) },
  select: { call: isString },
  payload: {
    call: isString,
    names: isList,
    session: isOptional(isString),
    attributes: isList,
    from: isNumber,
    events: isListOf(isPartOf<HeadEvent | WireEvent>({ type: isString, call: isString, at: isNumber })),
    leftOut: isNumber,
  },
  parts: { call: isString, parts: isParts, notes: isListOf(isString) },
  found: { search: isNumber, calls: isListOf(isString), share: isNumber, lost: isNumber },
  tokens: {
    count: isNumber,
    encoding: (value): value is EncodingName => findEncoding(value) !== undefined,
    calls: isListOf(isPartOf<CountedCall>({ call: isString, tokens: isRecord })),
    share: isNumber,
    error: isOptional(isString),
  },
});

/** Guards what arrives from the view. */
export const isFromTimeline = isMessage<FromTimeline>({
  ready: {},
  drawn: { shown: isNumber },
  selected: { call: isString },
  ask: { call: isString, from: isNumber },
  askParts: { call: isString },
  search: { search: isNumber, text: isString },
  countTokens: { count: isNumber, calls: isListOf(isString) },
  act: { action: isOneOf([...CALL_ACTIONS, ...TRACE_ACTIONS]), call: isString },
});
