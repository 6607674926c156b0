/** The names by which agents tell each other which trace a call belongs to (reading of trace identity, section 7). */
export const TRACE_SCHEMES = [
  // W3C trace context: `00-TRACE-PARENT-FLAGS` in `traceparent`, a header and a key of MCP's `_meta`.
  'w3c',
  // AIO: `trace_id` at the top of a message, beside its `id`.
  'aio',
  // OpenStarry: a trace id with a depth in headers, or as bare keys in `params._meta` where there are none.
  'openstarry',
  // A2A: the id of a task. Calls about one task are one trace, and none of them led to another.
  'a2a',
] as const;

/** The scheme of a trace name. */
export type TraceScheme = (typeof TRACE_SCHEMES)[number];

/** The greatest count of calls above one that may pass (reading of OpenStarry, section 5). */
export const DEEPEST_CALL = 5;
