/** The schemes in which agents propagate trace identity (reading of trace identity, section 7). */
export const TRACE_SCHEMES = [
  // W3C trace context: `00-TRACE-PARENT-FLAGS` in `traceparent`, a header and a key of MCP's `_meta`.
  'w3c',
  // AIO: `trace_id` at the top of a message, beside its `id`.
  'aio',
  // OpenStarry: a trace id and a depth in headers, or as plain keys in `params._meta` if there are no headers.
  'openstarry',
  // A2A: the id of a task. Calls with the same task belong to one trace, but none is the parent of another.
  'a2a',
] as const;

/** Schemes whose identifiers may occur in several traces. */
export const MANY_TRACES: ReadonlySet<string> = new Set(['a2a'] satisfies readonly TraceScheme[]);

export type TraceScheme = (typeof TRACE_SCHEMES)[number];

/** The maximum number of calls above a call that the recursion guard allows (reading of OpenStarry, section 5). */
export const DEEPEST_CALL = 5;

/** How AIO-MCP writes identifiers in text (reading of AIO-MCP 4): `trace_id#id` is one call in the graph of a trace. */
export const AIO_NAMES = {
  /** A trace id that is not part of a longer word: a date and the number of the trace on that date. */
  traceId: '(?<![A-Za-z0-9_.-])AIO-TR-\\d{8}-\\d{4,12}',
  /** The id after the `#`; a full stop at its end belongs to the sentence. */
  id: '[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?(?![A-Za-z0-9_])',
  /** The maximum length of an identifier, which bounds the search. */
  longest: 140,
  example: 'AIO-TR-20250131-0001#1',
} as const;
