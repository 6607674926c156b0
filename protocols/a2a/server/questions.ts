import { parseJson } from '../../../core/text/json.ts';
import { asList, readFields } from '../../../core/text/fields.ts';
import { quote } from '../../../core/text/quote.ts';
import type {
  AddressQuestion,
  AgentQuestions,
  ApprovalQuestion,
  FormAnswer,
  FormQuestion,
  SamplingQuestion,
  StopSignal,
} from '../../../core/message/message.ts';
import { findEntry, textIn, textValue, type Value } from '../../../core/values/value.ts';
import { printForAgent } from '../../../language/values/json-printer.ts';
import { readWrittenJson } from '../../../language/values/json-reader.ts';
import { dictOf } from '../../message/dicts.ts';
import type { ServedTask, StoredMessage } from './task.ts';

/**
 * Passes the questions of an agent to the caller of a task, which is `input-required` until the caller's next message
 * answers: data for a form, and for any other question a text.
 */
export class TaskQuestions implements AgentQuestions {
  readonly #task: ServedTask;

  constructor(task: ServedTask) {
    this.#task = task;
  }

  async fillForm({ message, schema }: FormQuestion, signal: StopSignal): Promise<FormAnswer> {
    const form = readWrittenJson(JSON.stringify(schema));
    const answer = await this.#ask(message, signal, form && dictOf({ schema: form }));
    const text = answer ? textOf(answer).trim() : 'cancel';
    const data = answer && dataOf(answer);
    const given = readFields(parseJson(data ? printForAgent(data) : text));
    if (given) return { action: 'accept', content: Object.fromEntries([...given].filter(isPlain)) };
    if (text === 'decline' || text === 'cancel') return { action: text };
    const [only, ...others] = [...(readFields(readFields(schema)?.get('properties')) ?? [])];
    if (!only || others.length > 0) return { action: 'decline' };
    return { action: 'accept', content: { [only[0]]: readAs(text, readFields(only[1])?.get('type')) } };
  }

  async openAddress(
    { message, url }: AddressQuestion,
    signal: StopSignal,
  ): Promise<'accept' | 'decline' | 'cancel'> {
    const answer = await this.#ask(`${message} (open ${url}, then answer 'yes' or 'no')`, signal);
    if (!answer) return 'cancel';
    return isYes(answer) ? 'accept' : 'decline';
  }

  async writeText(
    { systemPrompt, messages }: SamplingQuestion,
    signal: StopSignal,
  ): Promise<string | undefined> {
    const words = [systemPrompt, ...messages.map(({ text }) => text)].filter(Boolean).join('\n\n');
    const answer = await this.#ask(words, signal);
    const text = answer ? textOf(answer) : '';
    return text === '' ? undefined : text;
  }

  async approve({ tool, arguments: given }: ApprovalQuestion, signal: StopSignal): Promise<boolean> {
    const words = `May the agent run ${quote(tool)} with the arguments ${given}? Answer 'yes' or 'no'`;
    const answer = await this.#ask(words, signal);
    return answer !== undefined && isYes(answer);
  }

  listRoots(): Promise<readonly { readonly uri: string; readonly name: string }[]> {
    return Promise.resolve([]);
  }

  #ask(words: string, signal: StopSignal, data?: Value): Promise<StoredMessage | undefined> {
    const parts = [dictOf({ text: textValue(words) }), ...(data ? [dictOf({ data })] : [])];
    return this.#task.ask({ parts }, signal);
  }
}

function textOf({ parts }: StoredMessage): string {
  return parts.flatMap(part => textIn(findEntry(part, 'text')) ?? []).join('\n');
}

function dataOf({ parts }: StoredMessage): Value | undefined {
  return parts.map(part => findEntry(part, 'data')).find(data => data?.kind === 'dict');
}

function isYes(answer: StoredMessage): boolean {
  return /^(?:y|yes|ok|accept|true)\b/i.test(textOf(answer).trim());
}

type Plain = string | number | boolean | readonly string[];

function isPlain(entry: readonly [string, unknown]): entry is [string, Plain] {
  const [, value] = entry;
  if (Array.isArray(value)) return asList(value).every(item => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function readAs(text: string, type: unknown): Plain {
  const isNumber = (type === 'number' || type === 'integer') && text !== '' && Number.isFinite(Number(text));
  if (isNumber) return Number(text);
  return type === 'boolean' ? /^(?:y|yes|ok|true)$/i.test(text) : text;
}
