import { MCP_HANDSHAKE_VERSION, MCP_VERSION_KEY } from './names.ts';
import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import { isSameValue } from '../message/same-value.ts';
import { writeRequest, type RpcFrame } from '../rpc/frame.ts';
import { Members } from '../message/members.ts';
import { foundMessage, METHOD } from '../message/rest.ts';
import type { Writing } from '../message/shape.ts';
import { onlyVersion } from '../rpc/handshake.ts';
import { closeMeta, joinLeft, openMeta, type Meta } from '../rpc/meta.ts';
import { readSampling, SAMPLING, SINGLE, writeSampling } from './sampling.ts';

/** Methods with a kind of their own; any other method is a call of the tool with its name. */
const CALL = 'tools/call';
const LIST = 'tools/list';
const INITIALIZE = 'initialize';
const DISCOVER = 'server/discover';
const PROGRESS = 'notifications/progress';

const PROGRESS_EVENT = textValue('progress');
/** The `clientInfo` of an `initialize` whose message has none. */
const CLIENT_INFO = dictOf({ name: textValue('client'), version: textValue('1') });
const NO_CAPABILITIES = dictValue([]);

/** The content of a request besides its `_meta` and frame. */
interface FoundRequest {
  readonly kind: MessageKind;
  readonly fields: Readonly<Partial<Record<MessageField, Value | undefined>>>;
  /** The method, where writing the message would choose another one. */
  readonly method?: string;
  readonly single?: Value | undefined;
}

/** Reads a request or notification. */
export function readRequest(frame: RpcFrame): Message {
  const { method, members, body } = frame;
  const meta = openMeta(body?.kind === 'dict' ? body : dictValue([]));
  const params = new Members(meta.body);
  const found: FoundRequest =
    body === undefined || body.kind === 'dict' || body.kind === 'null'
      ? findRequest(method, params, meta)
      : { kind: 'call', fields: { tool: textValue(method), arguments: body }, method };
  const left = joinLeft(params, [{ key: '_meta', value: meta.left.left() }]);
  const rest = joinLeft(members, [
    { key: METHOD, value: found.method === undefined ? undefined : textValue(found.method) },
    { key: SINGLE, value: found.single },
    { key: 'params', value: body?.kind === 'null' ? body : left },
  ]);
  const isNotified = found.kind === 'chunk' && frame.id?.kind === 'null';
  const fields = { ...found.fields, trace: meta.trace, id: isNotified ? undefined : frame.id };
  return foundMessage({ kind: found.kind, fields, rest }, 'mcp');
}

function findRequest(method: string, params: Members, meta: Meta): FoundRequest {
  switch (method) {
    case CALL:
      return { kind: 'call', fields: { tool: params.take('name'), arguments: params.take('arguments') } };
    case LIST:
      return { kind: 'list', fields: {} };
    case SAMPLING:
      return { kind: 'task', ...readSampling(params), method };
    case INITIALIZE:
      return { kind: 'negotiate', fields: { supported: takeVersions(params) } };
    case DISCOVER:
      return { kind: 'negotiate', fields: { supported: oneVersion(meta.left, MCP_VERSION_KEY) }, method };
    case PROGRESS:
      return { kind: 'chunk', fields: { event: PROGRESS_EVENT, data: takeAll(params, meta.body) } };
    default:
      return {
        kind: 'call',
        fields: { tool: textValue(method), arguments: takeAll(params, meta.body) },
        method,
      };
  }
}

/** Takes all members as one value, which is `body` itself; undefined if there are none. */
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

/** A request or notification to write: the method, and `params` without `_meta`. */
interface WrittenRequest {
  readonly method: string;
  readonly params?: DictValue | undefined;
  readonly meta?: readonly Entry[];
}

/** Writes a message that is no reply. */
export function buildRequest(sent: Message, rest: Members, writing: Writing): Value {
  const { method, params, meta } = writeKind(sent, rest, writing);
  const isPart = sent.kind === 'chunk';
  const id = sent.fields.id ?? (isPart ? NULL : intValue(writing.id));
  return writeRequest(method, { id, body: closeMeta(params, sent.fields.trace, meta) });
}

function writeKind(sent: Message, rest: Members, writing: Writing): WrittenRequest {
  switch (sent.kind) {
    case 'task':
      return { method: SAMPLING, params: writeSampling(sent, rest, writing) };
    case 'negotiate':
      return writeNegotiate(sent, rest, writing);
    case 'chunk':
      return { method: PROGRESS, params: toDict(sent.fields.data) };
    case 'call':
      return writeCall(sent, rest);
    default:
      return { method: LIST };
  }
}

function writeCall({ fields }: Message, rest: Members): WrittenRequest {
  const method = textIn(fields.tool);
  if (method !== undefined && rest.takeWord(METHOD, method))
    return { method, params: toDict(fields.arguments) };
  const params = dictOf({ name: fields.tool, arguments: fields.arguments });
  return { method: CALL, params };
}

/** True for a part of a stream that MCP has a notification for. */
export function isProgress({ kind, fields }: Message): boolean {
  return (
    kind === 'chunk' && textIn(fields.event) === PROGRESS_EVENT.text && toDict(fields.data) !== undefined
  );
}

/** A value that can be `params` and be restored from there; else undefined. */
function toDict(value: Value | undefined): DictValue | undefined {
  return value?.kind === 'dict' && value.entries.length > 0 && !findEntry(value, '_meta') ? value : undefined;
}

function writeNegotiate({ fields }: Message, rest: Members, { report }: Writing): WrittenRequest {
  const version = onlyVersion(fields.supported);
  if (rest.takeWord(METHOD, DISCOVER))
    return { method: DISCOVER, meta: version ? [{ key: MCP_VERSION_KEY, value: version }] : [] };
  if (!version)
    report.lose(
      'guessed',
      'supported',
      `MCP negotiates one version of MCP; \`initialize\` names ${MCP_HANDSHAKE_VERSION}, which the message does not say`,
    );
  const namesClient = findEntry(rest.peek('params'), 'clientInfo') !== undefined;
  const params = dictOf({
    protocolVersion: version ?? textValue(MCP_HANDSHAKE_VERSION),
    capabilities: NO_CAPABILITIES,
    clientInfo: namesClient ? undefined : CLIENT_INFO,
  });
  return { method: INITIALIZE, params };
}
