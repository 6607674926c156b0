import {
  dictValue,
  findEntry,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { readError, writeError, type ErrorFields } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import type { Conversion } from '../message/shape.ts';

/**
 * A parsed message of JSON-RPC 2.0, as AIP, AIO, MCP and A2A share it. `members` are the top-level members
 * that the other fields do not cover.
 */
export interface RpcFrame {
  readonly kind: 'request' | 'result' | 'error';
  /** Empty for a reply. */
  readonly method: string;
  /** The value of `params`, `result` or `error`; undefined for a request without `params`. */
  readonly body: Value | undefined;
  /** The neutral id: null for a notification, undefined for a reply without one. */
  readonly id: Value | undefined;
  readonly members: Members;
}

/**
 * Opens a message of JSON-RPC; undefined for a value that is neither request nor reply. Other members may be
 * missing.
 */
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

/** True for a value with marks of JSON-RPC; a `method` or a `result` alone is not enough. */
export function looksLikeRpc(value: Value): boolean {
  if (kindOf(value) === undefined) return false;
  return ['jsonrpc', 'id', 'params'].some(key => findEntry(value, key) !== undefined);
}

/** The content of a request or a reply; `beside` are further top-level members, written last. */
export interface RpcParts {
  /** The neutral id: null for a notification, which is written without an id. */
  readonly id: Value;
  readonly body: Value | undefined;
  readonly beside?: readonly { readonly key: string; readonly value: Value | undefined }[];
}

const VERSION_ENTRY: Entry = { key: 'jsonrpc', value: textValue(VERSION) };

/** Writes a request, or a notification if the id is null. */
export function writeRequest(method: string, { id, body, beside }: RpcParts): DictValue {
  const own = [
    VERSION_ENTRY,
    { key: 'id', value: id.kind === 'null' ? undefined : id },
    { key: 'method', value: textValue(method) },
    { key: BODIES.request, value: body },
  ];
  return dictValue(beside ? [...own, ...beside] : own);
}

export function writeReply(kind: 'result' | 'error', { id, body, beside }: RpcParts): DictValue {
  const own = [VERSION_ENTRY, { key: 'id', value: id }, { key: BODIES[kind], value: body }];
  return dictValue(beside ? [...own, ...beside] : own);
}

/** Reads the error object of a reply: its fields, and `left` for its other members. */
export function readErrorObject(
  protocol: string,
  body: Value | undefined,
  reading: Conversion,
): { readonly fields: ErrorFields; readonly left: Value | undefined } {
  // Some servers send a bare string as the error.
  if (body?.kind === 'text') return { fields: readError(protocol, { text: body }, reading), left: undefined };
  const members = new Members(body);
  const found = { code: members.take('code'), text: members.take('message'), data: members.take('data') };
  const fields = readError(protocol, found, reading);
  return { fields, left: body?.kind === 'dict' ? members.left() : body };
}

/** Writes the error object of a reply. */
export function writeErrorObject(error: ErrorFields, protocol: string, writing: Conversion): DictValue {
  const { code, text, data } = writeError(error, protocol, writing);
  return dictValue([
    { key: 'code', value: code },
    { key: 'message', value: textValue(text) },
    { key: 'data', value: data },
  ]);
}
