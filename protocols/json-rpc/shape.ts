import { findMessageKind, type MessageField, type MessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import { dictValue, findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { nameArguments } from '../tools/arguments.ts';
import { ENVELOPE, packEnvelope, readMessage, type Found, type Leftovers } from '../message/envelope.ts';
import { readFailure, takeFailure } from '../errors/failure.ts';
import { KIND_WORDS } from '../message/kind-words.ts';
import { Members } from '../message/members.ts';
import {
  looksLikeRpc,
  readErrorObject,
  readRpc,
  takeId,
  writeErrorObject,
  writeReply,
  writeRequest,
  writeWithRest,
  type RpcFrame,
} from '../rpc/frame.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { fromSchemaTool, toSchemaTool } from '../tools/tool-schema.ts';

/**
 * JSON-RPC 2.0 as the twin endpoint of AICF speaks it (AIP: AICF-RPC 1.0, "Dual Protocol Support"). Any other method is a
 * call of a tool by its name, so plain JSON-RPC is read as well; a result is data whatever it holds, `success:false` is a
 * failed call.
 */
export const jsonRpcShape: ProtocolShape = { recognises: looksLikeRpc, read, write };

const INVOKE = 'aip.tool.invoke';
const LIST = 'aip.capabilities.list';
const HANDSHAKE = 'aip.handshake';

/** Kinds for which neither AIP nor JSON-RPC has a method; their parameters are their fields. */
const OWN_METHODS: ReadonlyMap<string, MessageKind> = new Map([
  ['parley.task', 'task'],
  ['parley.query', 'query'],
  ['parley.chunk', 'chunk'],
  ['parley.end', 'end'],
]);

/** What a reader takes of the part of a frame that says what it is. */
interface Taken {
  readonly kind: MessageKind;
  readonly fields: Found['fields'];
  /** What is left of the part, and the method where it does not follow from the kind. */
  readonly left: readonly { readonly key: string; readonly value: Value | undefined }[];
}

function read(value: Value, reading: Reading): Message | undefined {
  const frame = readRpc(value);
  if (!frame) return undefined;
  const envelope = frame.members.take(ENVELOPE);
  const { kind, fields, left } = readFrame(frame, envelope, reading);
  const isPart = kind === 'chunk' || kind === 'end';
  const rest = dictValue([...left, ...frame.members.entries()]);
  const found: Found = {
    kind,
    // Parts are notifications, so that one without an id says nothing.
    fields: { ...fields, id: isPart && frame.id?.kind === 'null' ? undefined : frame.id },
    rest: rest.entries.length === 0 ? undefined : rest,
    envelope,
  };
  return reading.number(readMessage(found, 'json-rpc', reading.report));
}

function readFrame(frame: RpcFrame, envelope: Value | undefined, reading: Reading): Taken {
  if (frame.kind === 'request') return readRequest(frame);
  if (frame.kind === 'result') return readResult(frame.body, envelope);
  const { fields, left } = readErrorObject('json-rpc', frame.body, reading);
  return { kind: 'error', fields: { ...fields }, left: [{ key: 'error', value: left }] };
}

function readRequest({ method, body }: RpcFrame): Taken {
  const params = new Members(body);
  const found = body === undefined || body.kind === 'dict' ? readParams(method, params) : undefined;
  if (found) return { ...found, left: [{ key: 'params', value: params.left() }] };
  const tool = textValue(method);
  return { kind: 'call', fields: { tool, arguments: body }, left: [{ key: 'method', value: tool }] };
}

function readParams(method: string, params: Members): Omit<Taken, 'left'> | undefined {
  const own = OWN_METHODS.get(method);
  if (own) {
    const names: readonly MessageField[] = findMessageKind(own)?.fields ?? [];
    return { kind: own, fields: takeFields(params, names) };
  }
  switch (method) {
    case INVOKE:
      return {
        kind: 'call',
        fields: { tool: params.take('tool'), arguments: params.take('arguments') },
      };
    case LIST: {
      const tool = params.take('tool');
      return { kind: tool ? 'describe' : 'list', fields: { tool } };
    }
    case HANDSHAKE: {
      const version = params.takeKind('version', 'text');
      return { kind: 'negotiate', fields: { supported: version && listValue([version]) } };
    }
    default:
      return undefined;
  }
}

function takeFields(members: Members, names: readonly MessageField[]): Found['fields'] {
  const fields: Partial<Record<MessageField, Value | undefined>> = {};
  for (const name of names) fields[name] = members.take(name);
  return fields;
}

/** The fields that a result may hold by name, where its envelope names the kind. */
const RESULT_FIELDS = ['data', 'content', 'items', 'tools', 'declaration'] as const;

function readResult(body: Value | undefined, envelope: Value | undefined): Taken {
  if (holdsFields(envelope) && body?.kind === 'dict') {
    const result = new Members(body);
    const fields = takeFields(result, RESULT_FIELDS);
    return { kind: 'result', fields, left: [{ key: 'result', value: result.left() }] };
  }
  return readPlainResult(body);
}

function holdsFields(envelope: Value | undefined): boolean {
  const kind = textIn(findEntry(envelope, 'kind'));
  return kind === 'result' || kind === 'value';
}

function readPlainResult(body: Value | undefined): Taken {
  const failure = readFailure(body);
  if (failure) return { kind: 'error', fields: failure, left: [] };
  const result = new Members(body);
  const fields = takeTools(result);
  if (fields) return { kind: 'result', fields, left: [{ key: 'result', value: result.left() }] };
  return { kind: 'result', fields: { data: body }, left: [] };
}

function takeTools(result: Members): Found['fields'] | undefined {
  const tools = result.peek('tools');
  if (tools?.kind === 'list' && tools.items.every(isTool)) return { tools: result.take('tools') };
  const tool = result.peek('tool');
  const declaration = tool && fromSchemaTool(tool);
  if (!declaration) return undefined;
  result.take('tool');
  return { declaration };
}

function isTool(value: Value): boolean {
  return textIn(findEntry(value, 'name')) !== undefined;
}

function write(message: Message, writing: Writing): Value {
  return writeWithRest(message, 'json-rpc', writing, { build, read });
}

function build({ kind }: Message, open: Leftovers, writing: Writing): Value {
  switch (findMessageKind(kind)?.role) {
    case 'request':
      return buildRequest(kind, open, writing);
    case 'part':
      return buildPart(kind, open, writing);
    default:
      return kind === 'error' ? buildError(open, writing) : buildResult(kind, open, writing);
  }
}

function buildRequest(kind: MessageKind, open: Leftovers, writing: Writing): Value {
  const id = takeId(open.fields, writing);
  const { method, params, named } = writeParams(kind, open, writing);
  return writeRequest(method, { id, body: params, beside: beside(open, named) });
}

/** A part answers a request of which JSON-RPC knows nothing more, so it is a notification. */
function buildPart(kind: MessageKind, open: Leftovers, writing: Writing): Value {
  const { method, params } = writeOwn(kind, open, writing);
  return writeRequest(method, { id: { kind: 'null' }, body: params, beside: beside(open, undefined) });
}

interface WrittenParams {
  readonly method: string;
  readonly params: Value | undefined;
  /** The kind where the method does not tell it. */
  readonly named?: MessageKind;
}

function writeParams(kind: MessageKind, open: Leftovers, writing: Writing): WrittenParams {
  const { fields, rest } = open;
  switch (kind) {
    case 'call':
      return writeCall(open, writing);
    case 'list':
      return { method: LIST, params: undefined };
    case 'describe': {
      const tool = fields.take('tool');
      return { method: LIST, params: dictOf({ tool }), ...(tool ? {} : { named: kind }) };
    }
    case 'negotiate':
      return { method: HANDSHAKE, params: dictOf({ version: takeVersion(open) }) };
    default:
      rest.take('method');
      return writeOwn(kind, open, writing);
  }
}

function writeCall({ fields, rest }: Leftovers, writing: Writing): WrittenParams {
  const method = textIn(rest.peek('method'));
  if (method !== undefined && textIn(fields.peek('tool')) === method) {
    rest.take('method');
    fields.take('tool');
    return { method, params: fields.take('arguments') };
  }
  const given = nameArguments(fields, writing);
  return { method: INVOKE, params: dictOf({ tool: fields.take('tool'), arguments: given }) };
}

/** The one version that a handshake can offer. */
function takeVersion({ fields }: Leftovers): Value | undefined {
  const supported = fields.peek('supported');
  const [version, ...others] = supported?.kind === 'list' ? supported.items : [];
  if (version?.kind !== 'text' || others.length > 0) return undefined;
  fields.take('supported');
  return version;
}

function writeOwn(kind: MessageKind, { fields }: Leftovers, { report }: Writing): WrittenParams {
  const method = `parley.${kind}`;
  report.note(`AIP has no message for ${KIND_WORDS[kind]}: a server refuses \`${method}\``);
  const names: readonly MessageField[] = findMessageKind(kind)?.fields ?? [];
  const params = dictValue(names.map(key => ({ key, value: fields.take(key) })));
  return { method, params: params.entries.length === 0 ? undefined : params };
}

function buildError(open: Leftovers, writing: Writing): Value {
  const id = takeId(open.fields, writing);
  const failure = takeFailure(open.fields);
  if (failure) return writeReply('result', { id, body: failure, beside: beside(open, undefined) });
  const body = writeErrorObject(open.fields, 'json-rpc', writing);
  return writeReply('error', { id, body, beside: beside(open, undefined) });
}

function buildResult(kind: MessageKind, open: Leftovers, writing: Writing): Value {
  const { fields } = open;
  const id = takeId(fields, writing);
  const plain = kind === 'result' ? takePlainResult(fields) : undefined;
  if (plain) return writeReply('result', { id, body: plain, beside: beside(open, undefined) });
  const body = dictValue(RESULT_FIELDS.map(key => ({ key, value: fields.take(key) })));
  return writeReply('result', { id, body, beside: beside(open, kind) });
}

/** The result where it holds one of data, tools and a declaration, and is read as that; undefined otherwise. */
function takePlainResult(fields: Members<MessageField>): Value | undefined {
  const given = RESULT_FIELDS.filter(name => fields.peek(name) !== undefined);
  const [name] = given;
  if (given.length !== 1 || name === undefined) return undefined;
  const body = plainResult(name, fields.peek(name));
  if (body) fields.take(name);
  return body;
}

function plainResult(name: (typeof RESULT_FIELDS)[number], value: Value | undefined): Value | undefined {
  switch (value && name) {
    case 'data': {
      const { kind, fields } = readPlainResult(value);
      return kind === 'result' && fields.data ? value : undefined;
    }
    case 'tools':
      return value?.kind === 'list' && value.items.every(isTool) ? dictOf({ tools: value }) : undefined;
    case 'declaration': {
      const tool = value && toSchemaTool(value);
      return tool && dictOf({ tool });
    }
    default:
      return undefined;
  }
}

function beside(open: Leftovers, kind: MessageKind | undefined): { key: string; value: Value | undefined }[] {
  return [{ key: ENVELOPE, value: packEnvelope(open, kind) }];
}

/** A dictionary of the members that are there; undefined where none is. */
function dictOf(members: Readonly<Record<string, Value | undefined>>): Value | undefined {
  const dict = dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));
  return dict.entries.length === 0 ? undefined : dict;
}
