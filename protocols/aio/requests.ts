import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  dictValue,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { decodePart, decodeParts, encodeParts } from '../content/codec.ts';
import { textPart, writeParts } from '../content/part.ts';
import { writeRequest, type RpcFrame } from '../rpc/frame.ts';
import { joinLeft } from '../rpc/meta.ts';
import { Members } from '../message/members.ts';
import { dictOf } from '../message/dicts.ts';
import { foundMessage, METHOD } from '../message/rest.ts';
import type { Writing } from '../message/shape.ts';
import { aioParts } from './parts.ts';
import { findTrace } from './trace.ts';

/** Separates the agent from the method. */
const SEPARATOR = '::';
/** The agent in the method of a message that names none. */
const NO_AGENT = 'agent';
/**
 * Methods with a kind of their own, spelled as in the specification; any other method is a call of the tool
 * with its name.
 */
const CALL = 'tools.call';
const LIST = 'tools.list';
const HELP = 'help';
const TASK = 'sampling.start';
const STEP = 'sampling.step';
/** Alternative spellings with underscores; an agent that lists its methods so is called so. */
const UNDERSCORED = new Map([
  ['tools_call', CALL],
  ['tools_list', LIST],
  ['sampling_start', TASK],
  ['sampling_step', STEP],
]);

/** Marks a task that came as a bare text, or as one value in `inputs`. */
const FORM = '$form';

interface FoundRequest {
  readonly kind: MessageKind;
  readonly fields: Readonly<Partial<Record<MessageField, Value | undefined>>>;
  /** True where the method is the one that this kind is written with. */
  readonly isUsual: boolean;
  readonly form?: string;
}

/** True for a method that names an agent. */
export function namesAgent(method: string): boolean {
  return method.includes(SEPARATOR);
}

/** Reads a request. */
export function readRequest(frame: RpcFrame): Message {
  const { method, members, body, id } = frame;
  const trace = members.take('trace_id');
  const { agent, name } = splitMethod(method);
  const params = new Members(body);
  const found: FoundRequest =
    body === undefined || body.kind === 'dict' || body.kind === 'null'
      ? findRequest(name, params, body?.kind === 'dict' ? body : undefined)
      : { kind: 'call', fields: { tool: textValue(name), arguments: body }, isUsual: false };
  const isUsual = found.isUsual && namesAgent(method);
  const rest = joinLeft(members, [
    { key: METHOD, value: isUsual ? undefined : textValue(method) },
    { key: FORM, value: found.form === undefined ? undefined : textValue(found.form) },
    { key: 'params', value: body?.kind === 'null' ? body : params.left() },
  ]);
  return foundMessage({ kind: found.kind, fields: { ...found.fields, agent, trace, id }, rest }, 'aio');
}

/** Splits the name of a method into the agent and the method's own name. */
export function splitMethod(method: string): { readonly agent: Value | undefined; readonly name: string } {
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
      return { kind: 'task', ...readInput(params), isUsual };
    case STEP: {
      const input = readInput(params);
      const session = params.takeKind('id', 'text');
      if (!session || Object.keys(input.fields).length === 0) return findCall(name, params, body);
      return { kind: 'task', ...input, fields: { ...input.fields, session }, isUsual: false };
    }
    default:
      return findCall(name, params, body);
  }
}

/** A method without a kind of its own. */
function findCall(name: string, params: Members, body: DictValue | undefined): FoundRequest {
  for (const { key } of body?.entries ?? []) params.take(key);
  return { kind: 'call', fields: { tool: textValue(name), arguments: body }, isUsual: false };
}

/** A task as the next step of a sampling. */
export function toStep({ kind, fields }: Message, sampling: string): Message {
  const rest = dictOf({ aio: dictOf({ [METHOD]: textValue(STEP) }) });
  return message(kind, { ...fields, session: textValue(sampling), rest });
}

/** Reads the input of a task: one value, several, or a text alone. */
function readInput(params: Members): Pick<FoundRequest, 'fields' | 'form'> {
  const inputs = params.peek('inputs');
  const listed = inputs && decodeParts(inputs, aioParts);
  const input = params.peek('input');
  const single =
    input?.kind === 'dict'
      ? [decodePart(input, aioParts)]
      : input?.kind === 'text'
        ? [textPart(input)]
        : undefined;
  const parts = listed ?? single;
  if (!parts || parts.length === 0) return { fields: {} };
  params.take(listed ? 'inputs' : 'input');
  const { task, content } = canonical(message('task', { content: writeParts(parts) })).fields;
  const form = listed
    ? parts.length === 1
      ? 'inputs'
      : undefined
    : input?.kind === 'text'
      ? 'text'
      : undefined;
  return { fields: { task, content }, ...(form === undefined ? {} : { form }) };
}

/** The parts of a request besides its frame; `name` is the method without the agent. */
interface WrittenRequest {
  readonly name: string;
  readonly params?: Value | undefined;
}

/** Writes a message that is no reply. */
export function buildRequest({ kind, fields }: Message, rest: Members, writing: Writing): DictValue {
  const given = textIn(rest.take(METHOD));
  const { name, params } = writeKind({ kind, fields }, rest, given && splitMethod(given).name, writing);
  const agent = textIn(fields.agent);
  const isNamed = agent !== undefined && agent !== NO_AGENT && !isSplit(agent);
  const trace = findTrace(fields);
  if (!trace)
    writing.report.note(
      'AIO requires a `trace_id` in each request; Parley gives one to requests that it sends',
    );
  const usual = `${isNamed ? agent : NO_AGENT}${SEPARATOR}${name}`;
  const isKept = given !== undefined && (given === usual || (given === name && !isNamed));
  return writeRequest(isKept ? given : usual, {
    id: fields.id ?? intValue(writing.id),
    body: params?.kind === 'dict' && params.entries.length === 0 && kind !== 'call' ? undefined : params,
    beside: [{ key: 'trace_id', value: trace }],
  });
}

/** True for an agent name that itself contains a separator, so that reading would split it elsewhere. */
function isSplit(agent: string): boolean {
  return `${agent}${SEPARATOR}`.indexOf(SEPARATOR) !== agent.length;
}

function writeKind(
  sent: Message,
  rest: Members,
  given: string | undefined,
  writing: Writing,
): WrittenRequest {
  const { kind, fields } = sent;
  const spell = (name: string): string =>
    given !== undefined && UNDERSCORED.get(given) === name ? given : name;
  switch (kind) {
    case 'list':
      return { name: spell(LIST) };
    case 'describe':
      return { name: HELP, params: dictOf({ tool: fields.tool }) };
    case 'task': {
      const input = writeInput(sent, textIn(rest.take(FORM)), writing);
      const isStep = given !== undefined && (UNDERSCORED.get(given) ?? given) === STEP && fields.session;
      if (!isStep) return { name: spell(TASK), params: input };
      return { name: given, params: dictValue([{ key: 'id', value: fields.session }, ...input.entries]) };
    }
    default: {
      if (given !== undefined && given === textIn(fields.tool))
        return { name: given, params: fields.arguments };
      const params = dictOf({ tool: fields.tool, args: fields.arguments });
      return { name: spell(CALL), params: params.entries.length > 0 ? params : undefined };
    }
  }
}

function writeInput(sent: Message, form: string | undefined, { report }: Writing): DictValue {
  const { parts, pathOf } = contentOf(sent);
  if (form === 'text' && sent.fields.task) return dictOf({ input: sent.fields.task });
  const values = encodeParts(parts, aioParts, (index, kind, reported) =>
    report.lose(kind, pathOf(index), reported),
  );
  const [only, ...others] = values.items;
  return others.length > 0 || form === 'inputs'
    ? dictOf({ inputs: listValue(values.items) })
    : dictOf({ input: only });
}
