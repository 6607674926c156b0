import type { KeptHeader } from './events.ts';

/** The name that servers give to all of their time. */
const TOTAL = 'total';

/** Longer values are of no server: expressions do not pass over all of what a file may hold. */
const LONGEST_VALUE = 64 * 2 ** 10;

/**
 * The milliseconds that a server says it took, by its `Server-Timing` headers (W3C Server Timing): the duration of the metric
 * `total`, else the longest that it tells. Undefined where it tells none.
 */
export function readServerTime(headers: readonly KeptHeader[]): number | undefined {
  let longest: number | undefined;
  for (const { name, value } of headers) {
    if (name.toLowerCase() !== 'server-timing' || value.length > LONGEST_VALUE) continue;
    for (const [metric = '', ...parameters] of splitMetrics(value)) {
      const duration = readDuration(parameters);
      if (duration === undefined) continue;
      if (metric.toLowerCase() === TOTAL) return duration;
      longest = Math.max(longest ?? 0, duration);
    }
  }
  return longest;
}

/** Metrics with their parameters: `db;dur=53;desc="a, b", total;dur=100`. Commas and semicolons in quotes separate nothing. */
function splitMetrics(value: string): readonly (readonly string[])[] {
  const metrics = value.match(/(?:"(?:\\.|[^"\\])*"|[^",])+/g) ?? [];
  return metrics.map(metric =>
    (metric.match(/(?:"(?:\\.|[^"\\])*"|[^";])+/g) ?? []).map(part => part.trim()),
  );
}

function readDuration(parameters: readonly string[]): number | undefined {
  const found = parameters.map(each => /^dur\s*=\s*"?(\d+(?:\.\d+)?)"?$/i.exec(each)?.[1]).find(Boolean);
  const duration = Number(found);
  return found !== undefined && Number.isFinite(duration) ? duration : undefined;
}
