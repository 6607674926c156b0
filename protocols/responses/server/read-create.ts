import type { Message } from '../../../core/message/message.ts';
import { joinWords } from '../../../core/text/count.ts';
import { quote } from '../../../core/text/quote.ts';
import {
  findEntry,
  listValue,
  NULL,
  textIn,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { messageItem } from '../../content/flatten.ts';
import { BOOLEAN, INTEGER, NUMBER, TEXT, type ParameterType } from '../../conversation/parameters.ts';
import { dictOf } from '../../message/dicts.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { readToolChoice } from '../../serving/tool-choice.ts';
import { findInputFault } from './input.ts';
import { wrong, type Refusal } from './refusal.ts';

/** A request for a response, as far as it does not depend on what is stored. */
export interface CreateRequest {
  /** The task or the call for the agent. */
  readonly asked: Message;
  readonly isStream: boolean;
  readonly isStored: boolean;
  /** The id of the response that it continues. */
  readonly previous: string | undefined;
  /** Members that its response repeats. */
  readonly repeated: Readonly<Record<string, Value>>;
  /** What the agent does not receive, as sentences. */
  readonly notes: readonly string[];
}

export type ReadCreate =
  | { readonly ok: true; readonly request: CreateRequest }
  | { readonly ok: false; readonly refusal: Refusal };

/** The types of members that are read; null is allowed for each. */
const TYPES: Readonly<Record<string, ParameterType | undefined>> = {
  model: TEXT,
  instructions: TEXT,
  previous_response_id: TEXT,
  stream: BOOLEAN,
  store: BOOLEAN,
  background: BOOLEAN,
  temperature: NUMBER,
  top_p: NUMBER,
  max_output_tokens: INTEGER,
};

/** Parameters that a task carries on to the agent. */
const PARAMETERS = ['temperature', 'top_p', 'max_output_tokens'] as const;
/** Members that the response repeats. */
const REPEATED = [
  ...PARAMETERS,
  'instructions',
  'metadata',
  'tools',
  'tool_choice',
  'previous_response_id',
  'store',
  'user',
  'parallel_tool_calls',
] as const;
/** Members without an effect on the answer, which need no note. */
const QUIET: ReadonlySet<string> = new Set([
  ...REPEATED,
  ...Object.keys(TYPES),
  'input',
  'text',
  'conversation',
  'prompt',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
]);

const NO_OBJECT = 'The body of the request is not a JSON object: send {"model":…,"input":…}';

/** Reads a request for a response of this agent. */
export function readCreate(body: string, codec: ServerCodec, agent: string): ReadCreate {
  const value = codec.parse(body);
  if (value?.kind !== 'dict') return refuse(wrong(codec.describeFault(body, NO_OBJECT)));
  const fault = findTypeFault(value) ?? findUnmapped(value) ?? findInputFault(findEntry(value, 'input'));
  if (fault) return refuse(fault);
  const choice = given(value, 'tool_choice');
  const read = choice ? readCall(value, choice, codec) : readTask(value, codec);
  if ('status' in read) return refuse(read);
  const entries = REPEATED.flatMap(name => {
    const member = given(value, name);
    return member ? [[name, member] as const] : [];
  });
  const request: CreateRequest = {
    asked: read,
    isStream: isTrue(value, 'stream'),
    isStored: !isFalse(value, 'store'),
    previous: textIn(given(value, 'previous_response_id')),
    repeated: Object.fromEntries(entries),
    notes: listNotes(value, agent, read.kind),
  };
  return { ok: true, request };
}

function refuse(refusal: Refusal): ReadCreate {
  return { ok: false, refusal };
}

function findTypeFault(value: DictValue): Refusal | undefined {
  for (const { key, value: member } of value.entries) {
    const type = TYPES[key];
    if (type && member.kind !== 'null' && !type.fits(member))
      return wrong(`Invalid type for '${key}': it must be ${type.words}`, key, 'invalid_type');
  }
  return undefined;
}

/** What an agent cannot do, and what a caller can do instead. */
function findUnmapped(value: DictValue): Refusal | undefined {
  if (isTrue(value, 'background'))
    return wrong(
      "Responses in the background are not supported: send the request without 'background', and read the answer with 'stream'",
      'background',
      'unsupported_parameter',
    );
  if (given(value, 'conversation'))
    return wrong(
      "Conversations are not stored: continue one with 'previous_response_id', or send its items as 'input'",
      'conversation',
      'unsupported_parameter',
    );
  if (given(value, 'prompt'))
    return wrong(
      "Prompt templates are not stored: send their text as 'input' or 'instructions'",
      'prompt',
      'unsupported_parameter',
    );
  const format = textIn(findEntry(findEntry(given(value, 'text'), 'format'), 'type')) ?? 'text';
  return format === 'text'
    ? undefined
    : wrong(
        `The format '${format}' is not supported, because the agent chooses the form of its answer: ask for it in words`,
        'text.format',
        'unsupported_parameter',
      );
}

/** The input as a task, with the instructions as a message of the system before it. */
function readTask(value: DictValue, codec: ServerCodec): Message | Refusal {
  const input = given(value, 'input') ?? NULL;
  const instructions = given(value, 'instructions');
  const items = input.kind === 'list' ? input.items : [messageItem('user', input)];
  const all = instructions ? listValue([messageItem('system', instructions), ...items]) : input;
  const parameters = PARAMETERS.map(name => [name, given(value, name)] as const);
  const read = codec.read(dictOf({ input: all, ...Object.fromEntries(parameters) }));
  return read ?? wrong("Invalid 'input': send a text or a list of items", 'input');
}

/** A call of one tool, whose arguments are the last text of the user. */
function readCall(value: DictValue, choice: Value, codec: ServerCodec): Message | Refusal {
  const read = readToolChoice({ choice, tools: given(value, 'tools'), input: given(value, 'input') }, codec);
  return read.ok ? read.message : wrong(read.text, read.param, read.code);
}

function listNotes(value: DictValue, agent: string, kind: Message['kind']): readonly string[] {
  const notes: string[] = [];
  const model = textIn(given(value, 'model'));
  if (model !== undefined && model !== agent)
    notes.push(`The request names the model ${quote(model)}; the agent ${quote(agent)} answers`);
  const tools = given(value, 'tools');
  if (kind !== 'call' && tools?.kind === 'list' && tools.items.length > 0)
    notes.push("The tools of the request are not passed on: the agent calls its own tools, not the caller's");
  const ignored = value.entries.filter(entry => isIgnored(entry.key, entry.value)).map(({ key }) => key);
  const unused = kind === 'call' ? [...PARAMETERS, 'instructions'].filter(name => given(value, name)) : [];
  const style = findEntry(given(value, 'text'), 'verbosity') ? ['text.verbosity'] : [];
  const all = [...ignored, ...style, ...unused];
  if (all.length > 0) notes.push(`The agent does not receive ${joinWords(all.map(quoted), 'and')}`);
  return notes;
}

function quoted(name: string): string {
  return quote(name);
}

function isIgnored(name: string, value: Value): boolean {
  const isEmpty = value.kind === 'null' || (value.kind === 'list' && value.items.length === 0);
  return !QUIET.has(name) && !isEmpty;
}

/** A member that is not null. */
function given(value: DictValue, name: string): Value | undefined {
  const member = findEntry(value, name);
  return member?.kind === 'null' ? undefined : member;
}

function isTrue(value: DictValue, name: string): boolean {
  const member = findEntry(value, name);
  return member?.kind === 'bool' && member.bool;
}

function isFalse(value: DictValue, name: string): boolean {
  const member = findEntry(value, name);
  return member?.kind === 'bool' && !member.bool;
}
