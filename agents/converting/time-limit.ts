import type { Message } from '../../core/message/message.ts';
import { quote } from '../../core/text/quote.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { compactJson } from '../../language/values/json-printer.ts';

/** The time within which a request wants its answer (reading of codes and constraints, section 8). */
export interface TimeLimit {
  /** Milliseconds for the call; undefined without a limit. */
  readonly timeout: number | undefined;
  /** Reasons not to send the request: its deadline has passed. */
  readonly warnings: readonly string[];
  /** Limits in a form that is not known. */
  readonly notes: readonly string[];
}

/**
 * Reads `timeout` (seconds) and `deadline` (RFC 3339, Unix seconds or milliseconds, or a number with `s`, `min` or
 * `h`) of a message and of its constraints; the shortest one counts. `now` is in milliseconds since 1970.
 */
export function readTimeLimit({ fields }: Message, now: number): TimeLimit {
  const { timeout, deadline, constraints } = fields;
  const warnings: string[] = [];
  const notes: string[] = [];
  const limits: number[] = [];
  for (const value of [timeout, findEntry(constraints, 'timeout')]) {
    const seconds = value && toNumber(value);
    if (seconds !== undefined && seconds > 0) limits.push(seconds * 1000);
    else if (value)
      notes.push(`The timeout ${show(value)} is not a number of seconds above 0, so it limits nothing`);
  }
  for (const value of [deadline, findEntry(constraints, 'deadline')]) {
    const left = value && toMilliseconds(value, now);
    if (left !== undefined && left <= 0)
      warnings.push(`the deadline ${show(value)} has passed; write a later time, or a span such as '30 s'`);
    else if (left !== undefined) limits.push(left);
    else if (value)
      notes.push(
        `The deadline ${show(value)} limits nothing: write a time such as '2026-12-31T12:00:00Z', Unix seconds, or '30 s', '5 min', '2 h'`,
      );
  }
  const shortest = Math.min(...limits);
  return { timeout: shortest === Infinity ? undefined : shortest, warnings, notes };
}

/** RFC 3339, section 5.6. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;
const SPAN = /^(\d{1,9}(?:\.\d{1,9})?) ?(s|min|h)$/;
const MILLISECONDS = { s: 1000, min: 60_000, h: 3_600_000 } as const;
/** Larger numbers are milliseconds since 1970, smaller ones seconds. */
const FIRST_MILLISECONDS = 1e11;

/** The milliseconds until a deadline; undefined for one in an unknown form. */
function toMilliseconds(value: Value, now: number): number | undefined {
  const number = toNumber(value);
  if (number !== undefined) return (number < FIRST_MILLISECONDS ? number * 1000 : number) - now;
  if (value.kind !== 'text') return undefined;
  const [, count, unit] = SPAN.exec(value.text) ?? [];
  if (unit === 's' || unit === 'min' || unit === 'h') return Number(count) * MILLISECONDS[unit];
  const time = DATE_TIME.test(value.text) ? Date.parse(value.text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time - now;
}

/** A finite number, also one in a text. */
function toNumber(value: Value): number | undefined {
  const number =
    value.kind === 'int'
      ? Number(value.int)
      : value.kind === 'float'
        ? value.float
        : value.kind === 'text' && /^\d{1,15}$/.test(value.text)
          ? Number(value.text)
          : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function show(value: Value | undefined): string {
  return value?.kind === 'text' ? quote(value.text) : value ? quote(compactJson(value)) : '';
}
