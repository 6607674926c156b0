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
    'prompt_token_count',
    'prompt_eval_count',
  ],
  output: [
    'output_tokens',
    'completion_tokens',
    'outputTokens',
    'completionTokens',
    'candidatesTokenCount',
    'candidates_token_count',
    'eval_count',
  ],
  cached: [
    'cached_tokens',
    'cachedTokens',
    'cache_read_input_tokens',
    'cacheReadInputTokens',
    'cachedInputTokens',
    'prompt_cache_hit_tokens',
    'cachedContentTokenCount',
    'cached_content_token_count',
    'cache_read',
    'cacheReadTokens',
  ],
  reasoning: [
    'reasoning_tokens',
    'reasoningTokens',
    'thoughtsTokenCount',
    'thoughts_token_count',
    'reasoning',
  ],
};

const MODELS = ['model', 'modelVersion', 'model_version'];

/** Members that may hold the counts or the model, or an object with them. */
const HOLDERS: ReadonlySet<string> = new Set([
  'response',
  'result',
  'task',
  'statusUpdate',
  'artifactUpdate',
  'artifact',
  'usage',
  'usageMetadata',
  'usage_metadata',
  'tokenUsage',
  'token_usage',
  'metadata',
  '_meta',
  'status',
  'message',
  'data',
  'output',
]);

/** `input_tokens_details` and its spellings: `prompt_tokens_details`, `inputTokenDetails`. */
const DETAILS = /^(?:input|output|prompt|completion)_?tokens?_?details$/i;

/** Members whose names each agent chooses: any object in them may hold the counts. */
const OPEN: ReadonlySet<string> = new Set(['metadata', '_meta']);

/** Members with the content of a reply, in which `model` may be anything, such as that of a car. */
const CONTENT: ReadonlySet<string> = new Set(['result', 'data', 'output']);

/** The maximum depth at which any agent reports its counts: the details of a message of a status of A2A. */
const DEEPEST = 9;

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
    const mayReport = this.#usage?.model === undefined ? mayReportUsage(text) : MAY_COUNT.test(text);
    const found = mayReport ? usageOf(read()) : undefined;
    if (found) this.#usage = { ...this.#usage, ...found };
  }
}

/** True where the JSON text of a message may report usage or a model. */
export function mayReportUsage(text: string): boolean {
  return MAY_COUNT.test(text) || MAY_NAME.test(text);
}

const MAY_COUNT = /token|eval_count/i;
const MAY_NAME = /"model/;

interface Holder {
  readonly value: Value;
  /** The name of the member; undefined for the whole message. */
  readonly key: string | undefined;
}

function usageOf(value: Value | undefined): TokenUsage | undefined {
  const found: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] } = {};
  let level: readonly Holder[] = value ? [{ value, key: undefined }] : [];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    for (const holder of level) {
      for (const name of ['input', 'output', 'cached', 'reasoning'] as const) {
        const count = found[name] ?? countIn(holder.value, COUNTS[name]);
        if (count !== undefined) found[name] = count;
      }
      const model = found.model ?? modelIn(holder);
      if (model !== undefined) found.model = model;
    }
    level = level.flatMap(listHolders);
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

function listHolders({ value, key: name }: Holder): readonly Holder[] {
  if (value.kind !== 'dict') return [];
  const isOpen = name !== undefined && OPEN.has(name);
  return value.entries.filter(
    ({ key, value: inner }) => inner.kind === 'dict' && (isOpen || HOLDERS.has(key) || DETAILS.test(key)),
  );
}

function modelIn({ value, key: name }: Holder): string | undefined {
  const mayBeAnything = name !== undefined && CONTENT.has(name);
  if (mayBeAnything && !USAGE.some(key => findEntry(value, key)) && !hasCounts(value)) return undefined;
  return MODELS.map(key => textIn(findEntry(value, key))).find(Boolean);
}

/** Members beside which `model` names the model of the counts. */
const USAGE = ['usage', 'usageMetadata', 'usage_metadata', 'tokenUsage', 'token_usage'];

function hasCounts(value: Value): boolean {
  return Object.values(COUNTS).some(keys => countIn(value, keys) !== undefined);
}

function countIn(value: Value, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const found = findEntry(value, key);
    const count = found?.kind === 'int' ? found.int : found?.kind === 'float' ? found.float : undefined;
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  }
  return undefined;
}
