import type { ErrorMeaning } from '../../core/catalog/error-meanings.ts';
import { message, type Message } from '../../core/message/message.ts';
import { firstOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import type { Parameter } from '../conversation/parameters.ts';
import { answers } from '../convert/calls/convertible-request.ts';
import { findCode } from '../errors/error-code.ts';
import { dictOf } from '../message/dicts.ts';
import { KIND_WORDS } from '../message/kind-words.ts';
import type { Protocol } from '../protocol.ts';
import type { Takes } from '../call-rules.ts';
import { readDeclaration } from '../tools/tool-schema.ts';
import type { Offer, OfferedTool } from './serving.ts';

/** What an agent takes, by its protocol and the capabilities that it reports. */
export function takesOf(protocol: Protocol, capabilities: readonly string[]): Takes {
  return (
    protocol.calls.takes?.(capabilities) ?? {
      tools: answers(protocol, 'list'),
      tasks: answers(protocol, 'task'),
    }
  );
}

/** The name of the tool for tasks in words, if no tool of the agent has it. */
const ASK = 'ask';
const ASK_OTHERWISE = 'ask_agent';

/** Parameters that belong to the connection and not to a task. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'stream',
  'response_id',
  'tools',
  'blocking',
  'historyLength',
  'acceptedOutputModes',
]);

/** The tool for tasks in words: its argument `task` is the task, and others are parameters of the agent. */
export function askTool(
  agent: string,
  parameters: readonly Parameter[],
  tools: readonly OfferedTool[],
): OfferedTool {
  const name = tools.some(tool => tool.name === ASK) ? ASK_OTHERWISE : ASK;
  const described = `Gives the agent ${agent} a task in words and returns its answer`;
  const own = parameters.filter(({ constraint }) => !OF_CONNECTION.has(constraint));
  const schema = dictOf({
    type: textValue('object'),
    properties: dictValue([
      { key: 'task', value: typeOf('string', 'The task in words') },
      ...own.map(({ constraint, type }) => ({ key: constraint, value: type.schema })),
    ]),
    required: listValue([textValue('task')]),
  });
  const value = dictOf({ name: textValue(name), description: textValue(described), inputSchema: schema });
  return { name, description: described, value, schema, isForTasks: true };
}

function typeOf(type: string, description: string): DictValue {
  return dictOf({ type: textValue(type), description: textValue(description) });
}

/** The schema of a tool whose arguments are unknown. */
export const ANY_ARGUMENTS: DictValue = dictOf({ type: textValue('object') });

/** A request that the agent takes, or why it takes none. */
export type FittedCall =
  | { readonly ok: true; readonly message: Message }
  | {
      readonly ok: false;
      readonly meaning: ErrorMeaning;
      /** What is wrong and what is possible, as a sentence. */
      readonly reason: string;
    };

/**
 * Fits the request of a caller to what an agent offers: a call of the tool for tasks becomes a task.
 * `ask` is the name of that tool; undefined for an agent that takes no tasks.
 */
export function fitCall(
  asked: Message,
  offer: Offer,
  ask: string | undefined,
  protocol: Protocol,
): FittedCall {
  if (asked.kind === 'call') return fitToolCall(asked, offer, ask, protocol);
  if (asked.kind === 'task' ? offer.takesTasks : answers(protocol, asked.kind))
    return { ok: true, message: asked };
  return {
    ok: false,
    meaning: 'malformed',
    reason: `The agent ${quote(offer.name)} takes no ${asked.kind === 'task' ? 'tasks' : `request that is ${KIND_WORDS[asked.kind]}`}: ${describePossible(offer, ask)}`,
  };
}

function fitToolCall(asked: Message, offer: Offer, ask: string | undefined, protocol: Protocol): FittedCall {
  const tool = textIn(asked.fields.tool);
  if (tool === undefined)
    return {
      ok: false,
      meaning: 'malformed',
      reason: `The call names no tool: ${describePossible(offer, ask)}`,
    };
  if (tool === ask) return toTask(asked, tool);
  const found = offer.tools.find(({ name }) => name === tool);
  if (offer.isOpen || found) return { ok: true, message: withOpenArguments(asked, found, protocol) };
  return {
    ok: false,
    meaning: 'no-such-tool',
    reason: `The tool ${quote(tool)} was not found in the agent ${quote(offer.name)}: ${describePossible(offer, ask)}`,
  };
}

/**
 * A call by place of a tool that takes any arguments by name: if the only one is an object, it has them all. A protocol
 * whose agents take arguments by place gets the object as the first.
 */
function withOpenArguments(asked: Message, tool: OfferedTool | undefined, { facts }: Protocol): Message {
  const given = asked.fields.arguments;
  const [only, ...others] = given?.kind === 'list' ? given.items : [];
  const declared = tool && readDeclaration(tool.value);
  const isOpen = !declared || (declared.arguments.length === 0 && declared.schema?.isOpen === true);
  const isObject = only?.kind === 'dict' && others.length === 0;
  if (!isObject || !isOpen || facts.language === 'aicf') return asked;
  return message('call', { ...asked.fields, arguments: only });
}

/** What callers of an agent can do, as the end of a sentence. */
function describePossible({ tools, takesTasks }: Offer, ask: string | undefined): string {
  const others = tools.filter(({ name }) => name !== ask).map(({ name }) => quote(name));
  const call = others.length > 0 ? `call one of its tools ${firstOf(others, MAX_NAMED)}` : '';
  const give = takesTasks ? `give it a task in words` : '';
  return [call, give].filter(Boolean).join(', or ') || 'it lists no tools';
}

const MAX_NAMED = 20;

/** A call of the tool for tasks as the task. */
function toTask({ fields }: Message, tool: string): FittedCall {
  const { arguments: given, ...others } = fields;
  const [first, ...more] = given?.kind === 'list' ? given.items : [];
  const task = given?.kind === 'list' ? first : findEntry(given, 'task');
  if (task?.kind !== 'text' || more.length > 0)
    return {
      ok: false,
      meaning: 'wrong-argument',
      reason: `The tool ${quote(tool)} needs the argument 'task', a text: give it as in {"task":"…"}`,
    };
  const left = given?.kind === 'dict' ? given.entries.filter(({ key }) => key !== 'task') : [];
  const constraints: Value | undefined = left.length > 0 ? dictValue(left) : undefined;
  return { ok: true, message: message('task', { ...others, tool: undefined, task, constraints }) };
}

/** An error in the codes of a protocol. */
export function writeOwnError({ facts }: Protocol, meaning: ErrorMeaning, text: string): Message {
  const code = findCode(facts.errors, meaning);
  return message('error', {
    protocol: textValue(facts.name),
    code: code === undefined ? undefined : facts.errors.hasWords ? textValue(String(code)) : intValue(code),
    text: textValue(text),
  });
}
