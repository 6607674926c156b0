import { MCP_HANDSHAKE_VERSION, MCP_VERSION_KEY } from './names.ts';
import {
  findMessageKind,
  MESSAGE_FIELDS,
  type MessageField,
  type MessageKind,
} from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { readMessage, type Leftovers } from '../message/envelope.ts';
import { KIND_WORDS } from '../message/kind-words.ts';
import { closeMeta, idOf, joinLeft, openMeta, takeArguments, takePartId, type Meta } from '../rpc/meta.ts';
import { Members } from '../message/members.ts';
import { writeRequest, type RpcFrame } from '../rpc/frame.ts';
import type { Reading, Writing } from '../message/shape.ts';

/** Methods that have a kind of their own; any other is a call of the tool that has the method's name. */
const CALL = 'tools/call';
const LIST = 'tools/list';
const INITIALIZE = 'initialize';
const DISCOVER = 'server/discover';
const PROGRESS = 'notifications/progress';
/** A kind for which MCP has no message is a method of ours. */
const OURS = 'parley/';

const PROGRESS_EVENT = textValue('progress');
/** `initialize` names its client; these are the names where the message says none. */
const CLIENT_INFO = dictValue([
  { key: 'name', value: textValue('parley') },
  { key: 'version', value: textValue('1') },
]);
const NO_CAPABILITIES = dictValue([]);
/** Says in the envelope that the message named no version. */
const VERSION_MARK = 'version';
const NAMED_BY_US = textValue('usual');

/** What a request says beside its `_meta` and frame. */
interface FoundRequest {
  readonly kind: MessageKind;
  readonly fields: Readonly<Partial<Record<MessageField, Value | undefined>>>;
  /** The method, where writing the message would choose another one. */
  readonly method?: string;
}

/** The message of a request or notification. */
export function readRequest(frame: RpcFrame, reading: Reading): Message {
  const { method, members, body } = frame;
  const meta = openVersionMark(openMeta(body?.kind === 'dict' ? body : dictValue([])), method);
  const params = new Members(meta.body);
  const found: FoundRequest =
    body === undefined || body.kind === 'dict' || body.kind === 'null'
      ? findRequest(method, params, meta)
      : { kind: 'call', fields: { tool: textValue(method), arguments: body }, method };
  const left = joinLeft(params, [{ key: '_meta', value: meta.left.left() }]);
  const rest = joinLeft(members, [
    { key: 'method', value: found.method === undefined ? undefined : textValue(found.method) },
    { key: 'params', value: body?.kind === 'null' ? body : left },
  ]);
  const fields = { ...found.fields, trace: meta.trace, id: idOf(found.kind, frame.id) };
  return readMessage({ kind: found.kind, fields, rest, envelope: meta.envelope }, 'mcp', reading.report);
}

/** Takes off the version of `initialize` that we named, and the mark of that. */
function openVersionMark(meta: Meta, method: string): Meta {
  const marks = new Members(meta.envelope);
  const params = new Members(meta.body);
  if (method !== INITIALIZE || textIn(params.peek('protocolVersion')) !== MCP_HANDSHAKE_VERSION) return meta;
  if (!marks.takeWord(VERSION_MARK, NAMED_BY_US.text)) return meta;
  params.take('protocolVersion');
  return { ...meta, body: dictValue(params.entries()), envelope: marks.left() };
}

function findRequest(method: string, params: Members, meta: Meta): FoundRequest {
  switch (method) {
    case CALL:
      return { kind: 'call', fields: { tool: params.take('name'), arguments: params.take('arguments') } };
    case LIST:
      return { kind: 'list', fields: {} };
    case INITIALIZE:
      return { kind: 'negotiate', fields: { supported: takeVersions(params) } };
    case DISCOVER:
      return { kind: 'negotiate', fields: { supported: oneVersion(meta.left, MCP_VERSION_KEY) }, method };
    case PROGRESS:
      return { kind: 'chunk', fields: { event: PROGRESS_EVENT, data: takeAll(params, meta.body) } };
    default:
      return findOurs(method, params) ?? { ...findOther(method, params, meta.body), method };
  }
}

function findOther(method: string, params: Members, body: DictValue): FoundRequest {
  return { kind: 'call', fields: { tool: textValue(method), arguments: takeAll(params, body) } };
}

function findOurs(method: string, params: Members): FoundRequest | undefined {
  const row = method.startsWith(OURS) ? findMessageKind(method.slice(OURS.length)) : undefined;
  if (!row) return undefined;
  const own = new Set<string>(row.fields);
  const names = MESSAGE_FIELDS.filter(name => own.has(name));
  return { kind: row.name, fields: Object.fromEntries(names.map(name => [name, params.take(name)])) };
}

/** All members as one value, which is the same object where it was one; undefined for none. */
function takeAll(params: Members, body: DictValue): Value | undefined {
  if (body.entries.length === 0) return undefined;
  for (const { key } of body.entries) params.take(key);
  return body;
}

function takeVersions(params: Members): Value | undefined {
  const capabilities = params.peek('capabilities');
  if (capabilities && isSameValue(capabilities, NO_CAPABILITIES)) params.take('capabilities');
  const client = params.peek('clientInfo');
  if (client && isSameValue(client, CLIENT_INFO)) params.take('clientInfo');
  return oneVersion(params, 'protocolVersion');
}

function oneVersion(members: Members, key: string): Value | undefined {
  const version = members.takeKind(key, 'text');
  return version && listValue([version]);
}

/** A request or notification as MCP writes it: the method, and what stands in `params` beside `_meta`. */
interface WrittenRequest {
  readonly method: string;
  readonly params?: DictValue | undefined;
  readonly meta?: readonly Entry[];
  readonly envelope?: readonly Entry[];
  /** The kind, where the method does not say it. */
  readonly kind?: MessageKind;
}

/** Writes a message that is no reply. */
export function buildRequest({ kind }: Message, open: Leftovers, writing: Writing): Value {
  const id = takePartId(kind, open.fields, writing);
  const { method, params, ...more } = writeKind(kind, open, writing);
  return writeRequest(method, { id, body: closeMeta(params, open, more) });
}

function writeKind(kind: MessageKind, open: Leftovers, writing: Writing): WrittenRequest {
  const { fields } = open;
  switch (kind) {
    case 'call':
      return writeCall(open, writing);
    case 'list':
      return { method: LIST };
    case 'describe':
      writing.report.note('MCP describes no tool alone, so the list of all tools is asked for');
      return { method: LIST, kind };
    case 'negotiate':
      return writeNegotiate(open, writing);
    case 'chunk': {
      const data = fields.peek('data');
      const isProgress = textIn(fields.peek('event')) === textIn(PROGRESS_EVENT);
      if (!isProgress || !canBeParams(data)) return writeOurs(kind, fields, writing);
      fields.take('event');
      fields.take('data');
      return { method: PROGRESS, params: data };
    }
    default:
      return writeOurs(kind, fields, writing);
  }
}

function writeCall({ fields, rest }: Leftovers, writing: Writing): WrittenRequest {
  const method = textIn(fields.peek('tool'));
  if (method !== undefined && rest.takeWord('method', method)) {
    fields.take('tool');
    const given = fields.peek('arguments');
    return { method, params: canBeParams(given) ? toDict(fields.take('arguments')) : undefined };
  }
  const named = takeArguments(fields, writing);
  const params = dictValue([
    { key: 'name', value: fields.take('tool') },
    { key: 'arguments', value: named },
  ]);
  return { method: CALL, params };
}

/** True for what can stand as `params` and comes back from there. */
function canBeParams(value: Value | undefined): value is DictValue {
  return value?.kind === 'dict' && value.entries.length > 0 && !findEntry(value, '_meta');
}

function toDict(value: Value | undefined): DictValue | undefined {
  return value?.kind === 'dict' ? value : undefined;
}

function writeNegotiate({ fields, rest }: Leftovers, { report }: Writing): WrittenRequest {
  const version = takeVersion(fields);
  if (rest.takeWord('method', DISCOVER))
    return { method: DISCOVER, meta: version ? [{ key: MCP_VERSION_KEY, value: version }] : [] };
  if (!version)
    report.note(
      `MCP negotiates one version of MCP; \`initialize\` names ${MCP_HANDSHAKE_VERSION}, which the message does not say`,
    );
  const namesClient = findEntry(rest.peek('params'), 'clientInfo') !== undefined;
  const params = dictValue([
    { key: 'protocolVersion', value: version ?? textValue(MCP_HANDSHAKE_VERSION) },
    { key: 'capabilities', value: NO_CAPABILITIES },
    { key: 'clientInfo', value: namesClient ? undefined : CLIENT_INFO },
  ]);
  return {
    method: INITIALIZE,
    params,
    envelope: version ? [] : [{ key: VERSION_MARK, value: NAMED_BY_US }],
  };
}

/** The one version that is supported; several stay in the envelope. */
function takeVersion(fields: Members<MessageField>): Value | undefined {
  const supported = fields.peek('supported');
  if (supported?.kind !== 'list' || supported.items.length !== 1) return undefined;
  const [version] = supported.items;
  if (version?.kind !== 'text') return undefined;
  fields.take('supported');
  return version;
}

function writeOurs(kind: MessageKind, fields: Members<MessageField>, { report }: Writing): WrittenRequest {
  report.note(`MCP has no message for ${KIND_WORDS[kind]}: a server refuses \`${OURS}${kind}\``);
  const own = new Set<string>(findMessageKind(kind)?.fields);
  const names = MESSAGE_FIELDS.filter(name => own.has(name));
  return { method: OURS + kind, params: dictValue(names.map(key => ({ key, value: fields.take(key) }))) };
}
