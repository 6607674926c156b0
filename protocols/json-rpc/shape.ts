import { findMessageKind, type MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import { intValue, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { canonical } from '../content/canonical.ts';
import { readParts } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import { findFailure, readFailure } from '../errors/failure.ts';
import { Members } from '../message/members.ts';
import { asCall, asResult } from '../message/nearest.ts';
import { foundMessage, METHOD, putBack, restOf, type Found } from '../message/rest.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { named } from '../tools/arguments.ts';
import { fromSchemaTool, isTool, toSchemaTool } from '../tools/tool-schema.ts';
import {
  looksLikeRpc,
  readErrorObject,
  readRpc,
  writeErrorObject,
  writeReply,
  writeRequest,
  type RpcFrame,
} from '../rpc/frame.ts';
import { onlyVersion } from '../rpc/handshake.ts';
import { joinLeft } from '../rpc/meta.ts';

/**
 * JSON-RPC 2.0 as the twin endpoint of AICF speaks it (AIP: AICF-RPC 1.0, "Dual Protocol Support"). Any other
 * method is a call of the tool with its name, so plain JSON-RPC is read as well. Any result is data, except
 * that `success:false` is a failed call.
 */
export const jsonRpcShape: ProtocolShape = { recognises: looksLikeRpc, read, nearest, write };

const INVOKE = 'aip.tool.invoke';
const LIST = 'aip.capabilities.list';
const HANDSHAKE = 'aip.handshake';

/** The kind and fields read from the `params`, `result` or `error` of a frame. */
interface Taken {
  readonly kind: MessageKind;
  readonly fields: Found['fields'];
  /** The members that were not read, and the method where the kind does not imply it. */
  readonly left: readonly { readonly key: string; readonly value: Value | undefined }[];
}

function read(value: Value, reading: Reading): Message | undefined {
  const frame = readRpc(value);
  if (!frame) return undefined;
  const { kind, fields, left } = readFrame(frame, reading);
  const found: Found = { kind, fields: { ...fields, id: frame.id }, rest: joinLeft(frame.members, left) };
  return reading.number(foundMessage(found, 'json-rpc'));
}

function readFrame(frame: RpcFrame, reading: Reading): Taken {
  if (frame.kind === 'request') return readRequest(frame);
  if (frame.kind === 'result') return readResult(frame.body);
  const { fields, left } = readErrorObject('json-rpc', frame.body, reading);
  return { kind: 'error', fields: { ...fields }, left: [{ key: 'error', value: left }] };
}

function readRequest({ method, body }: RpcFrame): Taken {
  const params = new Members(body);
  const found = body === undefined || body.kind === 'dict' ? readParams(method, params) : undefined;
  if (found) return { ...found, left: [{ key: 'params', value: params.left() }] };
  const tool = textValue(method);
  return { kind: 'call', fields: { tool, arguments: body }, left: [{ key: METHOD, value: tool }] };
}

function readParams(method: string, params: Members): Omit<Taken, 'left'> | undefined {
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

function readResult(body: Value | undefined): Taken {
  const failure = readFailure(body);
  if (failure) return { kind: 'error', fields: failure, left: [] };
  const result = new Members(body);
  const fields = takeFields(result);
  if (fields) return { kind: 'result', fields, left: [{ key: 'result', value: result.left() }] };
  return { kind: 'result', fields: { data: body }, left: [] };
}

/** The fields of a result with a known member: tools, one tool with its schema, or content. */
function takeFields(result: Members): Found['fields'] | undefined {
  const tools = result.peek('tools');
  if (tools?.kind === 'list' && tools.items.every(isTool)) return { tools: result.take('tools') };
  const declaration = fromTool(result.peek('tool'));
  if (declaration) {
    result.take('tool');
    return { declaration };
  }
  const isContent = result.size === 1 && readParts(result.peek('content'));
  return isContent ? { content: result.take('content') } : undefined;
}

function fromTool(tool: Value | undefined): Value | undefined {
  return tool && fromSchemaTool(tool);
}

function nearest(given: Message, writing: Writing): Message {
  const { report } = writing;
  switch (given.kind) {
    case 'call':
      return named(given, 'json-rpc', writing);
    case 'task':
    case 'query':
      return asCall(given, 'AIP', report);
    case 'describe':
      if (given.fields.tool) return given;
      report.lose('moved', '', 'AIP describes a tool by its name; without one all of them are requested');
      return message('list', given.fields);
    default:
      return asOneResult(asResult(given, 'AIP', report), writing);
  }
}

/** Makes a result one value: items become data, and so does content next to data. */
function asOneResult(given: Message, { report }: Writing): Message {
  if (given.kind !== 'result') return given;
  const plain = canonical(given);
  if (!plain.fields.items) return plain;
  const { items, content, ...others } = plain.fields;
  report.lose('moved', 'items', 'AIP has no conversation; its items are data', items);
  return message('result', { ...others, data: dictOf({ items, content }) });
}

function write(sent: Message, writing: Writing): Value {
  const rest = restOf(sent, 'json-rpc');
  return putBack(build(sent, rest, writing), rest);
}

function build(sent: Message, rest: Members, writing: Writing): Value {
  const id = sent.fields.id ?? intValue(writing.id);
  if (sent.kind === 'error') {
    const failure = findFailure(sent.fields);
    if (failure) return writeReply('result', { id, body: failure });
    return writeReply('error', { id, body: writeErrorObject(sent.fields, 'json-rpc', writing) });
  }
  if (findMessageKind(sent.kind)?.role === 'reply') return writeReply('result', { id, body: resultOf(sent) });
  const { method, params } = writeParams(sent, rest);
  return writeRequest(method, { id, body: params });
}

interface WrittenParams {
  readonly method: string;
  readonly params?: Value | undefined;
}

function writeParams({ kind, fields }: Message, rest: Members): WrittenParams {
  switch (kind) {
    case 'list':
      return { method: LIST };
    case 'describe':
      return { method: LIST, params: dictOf({ tool: fields.tool }) };
    case 'negotiate':
      return { method: HANDSHAKE, params: filled({ version: onlyVersion(fields.supported) }) };
    default: {
      const method = textIn(rest.take(METHOD));
      if (method !== undefined && textIn(fields.tool) === method) return { method, params: fields.arguments };
      return { method: INVOKE, params: filled({ tool: fields.tool, arguments: fields.arguments }) };
    }
  }
}

/** A dictionary of the members that are defined; undefined if none is. */
function filled(members: Readonly<Record<string, Value | undefined>>): Value | undefined {
  const dict = dictOf(members);
  return dict.entries.length === 0 ? undefined : dict;
}

function resultOf({ fields: { data, content, tools, declaration } }: Message): Value {
  if (data && !content && !tools) return data;
  return dictOf({ data, content, tools, tool: declaration && toSchemaTool(declaration) });
}
