import type { TokenUsage } from '../../core/events/events.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** The members of various APIs with each count. */
const COUNTS: Readonly<Record<Exclude<keyof TokenUsage, 'model'>, readonly string[]>> = {
  input: [
    'input_tokens',
    'prompt_tokens',
    'inputTokens',
    'promptTokens',
    'promptTokenCount',
    'prompt_eval_count',
  ],
  output: [
    'output_tokens',
    'completion_tokens',
    'outputTokens',
    'completionTokens',
    'candidatesTokenCount',
    'eval_count',
  ],
  cached: ['cached_tokens', 'cache_read_input_tokens', 'cachedInputTokens', 'cachedContentTokenCount'],
  reasoning: ['reasoning_tokens', 'reasoningTokens', 'thoughtsTokenCount'],
};

const MODELS = ['model', 'modelVersion', 'model_version'];

/** Members that may hold the counts or the model, or an object with them. */
const HOLDERS = [
  'response',
  'result',
  'task',
  'statusUpdate',
  'artifactUpdate',
  'artifact',
  'usage',
  'usageMetadata',
  'metadata',
  '_meta',
  'status',
  'message',
  'data',
  'output',
  'input_tokens_details',
  'output_tokens_details',
  'prompt_tokens_details',
  'completion_tokens_details',
];

/** The maximum depth at which any agent reports its counts. */
const DEEPEST = 7;

/**
 * Collects the token usage and the model that the messages of a reply report. Counts are running totals: a later value
 * of a member replaces an earlier one, and a member that a message lacks keeps its value.
 */
export class UsageReader {
  #usage: TokenUsage | undefined;

  /** What was reported so far; undefined if nothing was. */
  get usage(): TokenUsage | undefined {
    return this.#usage;
  }

  /** Reads the JSON text of a message; `read` parses it. */
  push(text: string, read: () => Value | undefined): void {
    // Most messages of a stream have no counts and need not be parsed.
    const mayReport = MAY_COUNT.test(text) || (this.#usage?.model === undefined && MAY_NAME.test(text));
    const found = mayReport ? usageOf(read()) : undefined;
    if (found) this.#usage = { ...this.#usage, ...found };
  }
}

const MAY_COUNT = /token|eval_count/i;
const MAY_NAME = /"model/;

function usageOf(value: Value | undefined): TokenUsage | undefined {
  const found: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] } = {};
  let level = value ? [value] : [];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    for (const each of level) {
      for (const name of ['input', 'output', 'cached', 'reasoning'] as const) {
        const count = found[name] ?? countIn(each, COUNTS[name]);
        if (count !== undefined) found[name] = count;
      }
      const model = found.model ?? MODELS.map(key => textIn(findEntry(each, key))).find(Boolean);
      if (model !== undefined) found.model = model;
    }
    level = level.flatMap(each =>
      HOLDERS.map(key => findEntry(each, key)).filter(inner => inner?.kind === 'dict'),
    );
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

function countIn(value: Value, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const found = findEntry(value, key);
    if (found?.kind === 'int' && typeof found.int === 'number' && found.int >= 0) return found.int;
  }
  return undefined;
}
