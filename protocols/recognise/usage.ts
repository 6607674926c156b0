import { readWrittenJson } from '../../language/values/json-reader.ts';
import { isSse, listSseData } from '../../core/text/event-stream.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import type { TokenUsage } from '../../core/events/events.ts';
import { LONGEST_READ } from './request.ts';

/** The names of token counts in various APIs. */
const INPUT = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens', 'promptTokenCount'];
const OUTPUT = [
  'output_tokens',
  'completion_tokens',
  'outputTokens',
  'completionTokens',
  'candidatesTokenCount',
];

/** Members that may hold the counts, or an object with them, from the outside in. */
const HOLDERS = ['response', 'result', 'usage', 'metadata', '_meta', 'status', 'message', 'data', 'output'];

/** The maximum depth at which any agent reports its counts. */
const DEEPEST = 5;

/**
 * The token usage in a reply: a whole body, or the events of a stream, whose last counts are the totals.
 * Undefined if there is none. Linear in the first million characters.
 */
export function readUsage(text: string): TokenUsage | undefined {
  const read = text.slice(0, LONGEST_READ);
  if (!mayCount(read)) return undefined;
  if (!isSse(read)) return usageOf(readWrittenJson(read));
  let found: TokenUsage | undefined;
  for (const data of listSseData(read)) found = usageOfEvent(data) ?? found;
  return found;
}

/** The usage in the data of one event. */
export function usageOfEvent(data: string): TokenUsage | undefined {
  return mayCount(data) ? usageOf(readWrittenJson(data)) : undefined;
}

/** False for most replies, which have no counts and need not be parsed. */
function mayCount(text: string): boolean {
  return /token/i.test(text);
}

function usageOf(value: Value | undefined): TokenUsage | undefined {
  let level = value ? [value] : [];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    for (const each of level) {
      const input = countIn(each, INPUT);
      const output = countIn(each, OUTPUT);
      if (input !== undefined || output !== undefined)
        return { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) };
    }
    level = level.flatMap(each =>
      HOLDERS.map(key => findEntry(each, key)).filter(found => found !== undefined),
    );
  }
  return undefined;
}

function countIn(value: Value, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const found = findEntry(value, key);
    if (found?.kind === 'int' && typeof found.int === 'number' && found.int >= 0) return found.int;
  }
  return undefined;
}
