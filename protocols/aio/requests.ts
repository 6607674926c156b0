import {
  findMessageKind,
  MESSAGE_FIELDS,
  type MessageField,
  type MessageKind,
} from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import { dictValue, textIn, textValue, type DictValue, type Value } from '../../core/values/value.ts';
import { ENVELOPE, packEnvelope, readMessage, type Leftovers } from '../message/envelope.ts';
import { KIND_WORDS } from '../message/kind-words.ts';
import { findText, takeTrace, textOutput } from './text.ts';
import { idOf, joinLeft, takeArguments, takePartId } from '../rpc/meta.ts';
import { Members } from '../message/members.ts';
import { writeRequest, type RpcFrame } from '../rpc/frame.ts';
import type { Reading, Writing } from '../message/shape.ts';

/** Stands between the agent and the method. */
const SEPARATOR = '::';
/** The agent of a message that names none. */
const NO_AGENT = 'agent';
/** Methods that have a kind of their own, in the spelling of the document; any other is a call of the tool of its name. */
const CALL = 'tools.call';
const LIST = 'tools.list';
const HELP = 'help';
const TASK = 'sampling.start';
/** Agents that list their methods with underscores are sent them so. */
const UNDERSCORED = new Map([
  ['tools_call', CALL],
  ['tools_list', LIST],
  ['sampling_start', TASK],
]);
/** A kind for which AIO has no message is a method of ours. */
const OURS = 'parley.';

interface FoundRequest {
  readonly kind: MessageKind;
  readonly fields: Readonly<Partial<Record<MessageField, Value | undefined>>>;
  /** True where the method is the one that a message of this kind gets. */
  readonly isUsual: boolean;
}

/** True for a method that names an agent. */
export function namesAgent(method: string): boolean {
  return method.includes(SEPARATOR);
}

/** The message of a request. */
export function readRequest(frame: RpcFrame, reading: Reading): Message {
  const { method, members, body } = frame;
  const envelope = members.take(ENVELOPE);
  const trace = members.take('trace_id');
  const { agent, name } = splitMethod(method);
  const params = new Members(body);
  const found: FoundRequest =
    body === undefined || body.kind === 'dict' || body.kind === 'null'
      ? findRequest(name, params, body?.kind === 'dict' ? body : undefined)
      : { kind: 'call', fields: { tool: textValue(name), arguments: body }, isUsual: false };
  const isUsual = found.isUsual && namesAgent(method);
  const rest = joinLeft(members, [
    { key: 'method', value: isUsual ? undefined : textValue(method) },
    { key: 'params', value: body?.kind === 'null' ? body : params.left() },
  ]);
  const fields = { ...found.fields, agent, trace, id: idOf(found.kind, frame.id) };
  return readMessage({ kind: found.kind, fields, rest, envelope }, 'aio', reading.report);
}

function splitMethod(method: string): { readonly agent: Value | undefined; readonly name: string } {
  const at = method.indexOf(SEPARATOR);
  if (at < 0) return { agent: undefined, name: method };
  const agent = method.slice(0, at);
  const name = method.slice(at + SEPARATOR.length);
  return { agent: agent === NO_AGENT ? undefined : textValue(agent), name };
}

function findRequest(name: string, params: Members, body: DictValue | undefined): FoundRequest {
  const usual = UNDERSCORED.get(name) ?? name;
  const isUsual = usual === name;
  switch (usual) {
    case CALL:
      return {
        kind: 'call',
        fields: { tool: params.take('tool'), arguments: params.take('args') },
        isUsual,
      };
    case LIST:
      return { kind: 'list', fields: {}, isUsual };
    case HELP:
      return { kind: 'describe', fields: { tool: params.take('tool') }, isUsual };
    case TASK:
      return { kind: 'task', fields: { task: readInput(params.take('input')) }, isUsual };
    default:
      return findOurs(name, params) ?? findOther(name, params, body);
  }
}

function findOurs(name: string, params: Members): FoundRequest | undefined {
  const row = name.startsWith(OURS) ? findMessageKind(name.slice(OURS.length)) : undefined;
  if (!row) return undefined;
  const own = new Set<string>(row.fields);
  const names = MESSAGE_FIELDS.filter(field => own.has(field));
  const fields = Object.fromEntries(names.map(field => [field, params.take(field)]));
  return { kind: row.name, fields, isUsual: true };
}

function findOther(name: string, params: Members, body: DictValue | undefined): FoundRequest {
  for (const { key } of body?.entries ?? []) params.take(key);
  return { kind: 'call', fields: { tool: textValue(name), arguments: body }, isUsual: false };
}

/** Text in the form `{type: "text", value}` is that text; other values are as they are. */
function readInput(input: Value | undefined): Value | undefined {
  return findText(input) ?? input;
}

/** What stands in a request beside its frame; `name` is the method without the agent. */
interface WrittenRequest {
  readonly name: string;
  readonly params?: Value | undefined;
}

/** Writes a message that is no reply. */
export function buildRequest({ kind }: Message, open: Leftovers, writing: Writing): Value {
  const { fields, rest } = open;
  const id = takePartId(kind, fields, writing);
  const given = textIn(rest.peek('method'));
  const { name, params } = writeKind(kind, open, given && splitMethod(given).name, writing);
  const agent = takeAgent(fields);
  const trace = takeTrace(fields);
  if (!trace)
    writing.report.note('AIO wants a `trace_id` in each request; Parley gives one to requests that it sends');
  const usual = `${agent ?? NO_AGENT}${SEPARATOR}${name}`;
  const isKept = given !== undefined && (given === usual || (given === name && agent === undefined));
  if (isKept) rest.take('method');
  return writeRequest(isKept ? given : usual, {
    id,
    body: params?.kind === 'dict' && params.entries.length === 0 && kind !== 'call' ? undefined : params,
    beside: [
      { key: 'trace_id', value: trace },
      { key: ENVELOPE, value: packEnvelope(open) },
    ],
  });
}

/** The name of the agent, where it can stand before the method and comes back from there. */
function takeAgent(fields: Members<MessageField>): string | undefined {
  const agent = textIn(fields.peek('agent'));
  if (agent === undefined || agent === NO_AGENT || isSplit(agent)) return undefined;
  fields.take('agent');
  return agent;
}

/** True where an agent's name would end elsewhere than before the method. */
function isSplit(agent: string): boolean {
  return `${agent}${SEPARATOR}`.indexOf(SEPARATOR) !== agent.length;
}

function writeKind(
  kind: MessageKind,
  { fields }: Leftovers,
  given: string | undefined,
  writing: Writing,
): WrittenRequest {
  const underscored = given !== undefined && UNDERSCORED.has(given) ? given : undefined;
  const spell = (name: string): string =>
    underscored !== undefined && UNDERSCORED.get(underscored) === name ? underscored : name;
  switch (kind) {
    case 'call':
      return given !== undefined && given === textIn(fields.peek('tool'))
        ? writeMethod(given, fields)
        : writeCall(spell(CALL), fields, writing);
    case 'list':
      return { name: spell(LIST) };
    case 'describe':
      return { name: HELP, params: dictValue([{ key: 'tool', value: fields.take('tool') }]) };
    case 'task':
      return { name: spell(TASK), params: dictValue([{ key: 'input', value: takeInput(fields) }]) };
    default:
      return writeOurs(kind, fields, writing);
  }
}

function writeMethod(name: string, fields: Members<MessageField>): WrittenRequest {
  fields.take('tool');
  return { name, params: fields.take('arguments') };
}

function writeCall(name: string, fields: Members<MessageField>, writing: Writing): WrittenRequest {
  const args = takeArguments(fields, writing);
  const params = dictValue([
    { key: 'tool', value: fields.take('tool') },
    { key: 'args', value: args },
  ]);
  return { name, params: params.entries.length > 0 ? params : undefined };
}

/** A task as input. A value that would be read as a text stays among the fields. */
function takeInput(fields: Members<MessageField>): Value | undefined {
  const task = fields.peek('task');
  if (findText(task)) return undefined;
  fields.take('task');
  return task?.kind === 'text' ? textOutput(task) : task;
}

function writeOurs(kind: MessageKind, fields: Members<MessageField>, { report }: Writing): WrittenRequest {
  report.note(`AIO has no message for ${KIND_WORDS[kind]}: an agent refuses \`${OURS}${kind}\``);
  const own = new Set<string>(findMessageKind(kind)?.fields);
  const names = MESSAGE_FIELDS.filter(name => own.has(name));
  return { name: OURS + kind, params: dictValue(names.map(key => ({ key, value: fields.take(key) }))) };
}
