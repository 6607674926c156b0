import type { StoredHeader } from './events.ts';

/** The name of the metric that servers use for their total time. */
const TOTAL = 'total';

/** The maximum length of a value that is parsed. A file may contain longer ones, but servers do not send them. */
const LONGEST_VALUE = 64 * 2 ** 10;

/**
 * The processing time in milliseconds from `Server-Timing` headers (W3C Server Timing): the duration of the
 * metric `total`, else the longest duration. Undefined if there is no duration.
 */
export function readServerTime(headers: readonly StoredHeader[]): number | undefined {
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

/**
 * Splits a header into metrics with parameters, `db;dur=53;desc="a, b", total;dur=100`. Commas and semicolons
 * inside quotation marks do not separate.
 */
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
