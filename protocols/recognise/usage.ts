import { EventText } from '../event-stream/event-text.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { isSse } from '../../language/values/sse.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import type { TokenUsage } from '../../core/events/events.ts';
import { LONGEST_READ } from './request.ts';

/** How agents spell what they counted. */
const INPUT = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens', 'promptTokenCount'];
const OUTPUT = [
  'output_tokens',
  'completion_tokens',
  'outputTokens',
  'completionTokens',
  'candidatesTokenCount',
];

/** Members that may hold the counts, or what holds them, from the outside in. */
const HOLDERS = ['response', 'result', 'usage', 'metadata', '_meta', 'status', 'message', 'data', 'output'];

/** No agent puts its counts deeper. */
const DEEPEST = 5;

/**
 * The tokens that a reply says it took: a whole body, or the events of a stream, the last counts of which are those of all of
 * it. Undefined where it says nothing. Linear in the first million characters.
 */
export function readUsage(text: string): TokenUsage | undefined {
  const read = text.slice(0, LONGEST_READ);
  if (!mayCount(read)) return undefined;
  if (!isSse(read)) return usageOf(readWrittenJson(read));
  const events = new EventText();
  let found: TokenUsage | undefined;
  for (const { data } of [...events.push(read), ...events.end()]) found = usageOfEvent(data) ?? found;
  return found;
}

/** The same of the data of one event. */
export function usageOfEvent(data: string): TokenUsage | undefined {
  return mayCount(data) ? usageOf(readWrittenJson(data)) : undefined;
}

/** Most replies count nothing; they are not read for that. */
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
