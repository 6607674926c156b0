import type { ConversionName } from '../../core/catalog/conversions.ts';
import {
  dictValue,
  findEntry,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { readError, writeError, type ErrorFields } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import type { Conversion } from '../message/shape.ts';

/**
 * A message of JSON-RPC 2.0 that is being read: what AIP, AIO, MCP and A2A share. `members` are those that stand beside
 * the ones that are here.
 */
export interface RpcFrame {
  readonly kind: 'request' | 'result' | 'error';
  /** Of a request. */
  readonly method: string;
  /** What `params`, `result` or `error` holds; undefined where a request has no `params`. */
  readonly body: Value | undefined;
  /** The neutral id: null for a notification, undefined for a reply without one. */
  readonly id: Value | undefined;
  readonly members: Members;
}

/** Opens a message of JSON-RPC; undefined for a value that is neither a request nor a reply, whatever is missing in it. */
export function readRpc(value: Value): RpcFrame | undefined {
  const kind = kindOf(value);
  if (!kind) return undefined;
  const members = new Members(value);
  members.takeWord('jsonrpc', VERSION);
  const method = kind === 'request' ? (textIn(members.take('method')) ?? '') : '';
  const body = members.take(BODIES[kind]);
  const id = members.take('id') ?? (kind === 'request' ? NULL : undefined);
  return { kind, method, body, id, members };
}

const VERSION = '2.0';
const BODIES = { request: 'params', result: 'result', error: 'error' } as const;

function kindOf(value: Value): RpcFrame['kind'] | undefined {
  if (value.kind !== 'dict') return undefined;
  if (textIn(findEntry(value, 'method')) !== undefined) return 'request';
  const error = findEntry(value, 'error');
  const result = findEntry(value, 'result');
  // Version 1.0 had both members in every reply, one of them null.
  if (error && (error.kind !== 'null' || !result)) return 'error';
  return result && 'result';
}

/** True for a value with marks of JSON-RPC: who only has a `method` or a `result` may be anything. */
export function looksLikeRpc(value: Value): boolean {
  if (kindOf(value) === undefined) return false;
  return ['jsonrpc', 'id', 'params'].some(key => findEntry(value, key) !== undefined);
}

/** What stands in a request or a reply; `beside` are members of its top level, which stand last. */
export interface RpcParts {
  /** The neutral id: null for a notification, which is written without. */
  readonly id: Value;
  readonly body: Value | undefined;
  readonly beside?: readonly { readonly key: string; readonly value: Value | undefined }[];
}

/** A request. */
export function writeRequest(method: string, { id, body, beside = [] }: RpcParts): DictValue {
  return dictValue([
    { key: 'jsonrpc', value: textValue(VERSION) },
    { key: 'id', value: id.kind === 'null' ? undefined : id },
    { key: 'method', value: textValue(method) },
    { key: BODIES.request, value: body },
    ...beside,
  ]);
}

/** A reply. */
export function writeReply(kind: 'result' | 'error', { id, body, beside = [] }: RpcParts): DictValue {
  return dictValue([
    { key: 'jsonrpc', value: textValue(VERSION) },
    { key: 'id', value: id },
    { key: BODIES[kind], value: body },
    ...beside,
  ]);
}

/** The error object of a reply: its fields, and what else stands in it. */
export function readErrorObject(
  protocol: ConversionName,
  body: Value | undefined,
  { report }: Conversion,
): { readonly fields: ErrorFields; readonly left: Value | undefined } {
  // Some servers answer with a text alone.
  if (body?.kind === 'text') return { fields: readError(protocol, { text: body }, report), left: undefined };
  const members = new Members(body);
  const found = { code: members.take('code'), text: members.take('message'), data: members.take('data') };
  const fields = readError(protocol, found, report);
  return { fields, left: body?.kind === 'dict' ? members.left() : body };
}

/** The error object of a message. */
export function writeErrorObject(
  error: ErrorFields,
  protocol: ConversionName,
  { report }: Conversion,
): DictValue {
  const { code, text, data } = writeError(error, protocol, report);
  return dictValue([
    { key: 'code', value: code },
    { key: 'message', value: textValue(text) },
    { key: 'data', value: data },
  ]);
}
