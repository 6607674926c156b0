import { isRecord } from '../core/guard.ts';
import { countOf } from '../core/text/count.ts';
import { parseJson } from '../core/text/json.ts';
import type { TracePart } from '../protocols/reply-parts/part.ts';
import { STATUS_WORDS, formatDuration } from './words.ts';

/** The maximum number of characters of a text in a row, which is more than fits. */
const LONGEST = 160;

/** Longer arguments are not read for a line. */
const LONGEST_PARSED = 20_000;

/** A part in one line: its title, then the beginning of its text. */
export function titleOfPart({ title, text }: TracePart): string {
  return [title, text === undefined ? '' : firstWords(text)].filter(Boolean).join('  ');
}

/** The status of a part, and the time that it took to arrive: `310 ms`, `incomplete · 41 ms`. */
export function outcomeOfPart({ status, at, until }: TracePart): string {
  const time = until > at ? formatDuration(until - at) : '';
  return [status === 'ok' ? '' : STATUS_WORDS[status], time].filter(Boolean).join(' · ');
}

/** When a part arrived, relative to a start, in words: `received after 12 ms, in 310 ms, 4 chunks`. */
export function describePartTimes({ at, until, pieces }: TracePart, start: number): string {
  return [
    `received after ${formatDuration(at - start)}`,
    until > at ? `in ${formatDuration(until - at)}` : '',
    pieces > 1 ? countOf(pieces, 'chunk') : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** The beginning of a text on one line. */
export function firstWords(text: string): string {
  return text.slice(0, LONGEST).replace(/\s+/g, ' ').trim();
}

/** The maximum number of characters of the arguments in a line. */
const LONGEST_ARGUMENTS = 80;

/** A call of a tool in one line, such as `weather(city: "Lisbon")`. `json` has its arguments. */
export function describeCall(tool: string, json: string): string {
  const given: unknown = json.length > LONGEST_PARSED ? undefined : parseJson(json);
  const said = isRecord(given)
    ? Object.entries(given)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join(', ')
    : firstWords(json);
  return `${tool}(${said.length > LONGEST_ARGUMENTS ? `${said.slice(0, LONGEST_ARGUMENTS)}…` : said})`;
}
