/** How AIO-MCP writes names in text (reading of AIO-MCP 4): `trace_id#id` is one call in the graph of a trace. */
export const AIO_NAMES = {
  /** A trace id, not inside of a longer word: a day and the number of the trace on it. */
  traceId: '(?<![A-Za-z0-9_.-])AIO-TR-\\d{8}-\\d{4,12}',
  /** What follows the `#`; a full stop after it ends a sentence. */
  id: '[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?(?![A-Za-z0-9_])',
  /** No call has a longer name: a search looks no further. */
  longest: 140,
  example: 'AIO-TR-20250131-0001#1',
} as const;
