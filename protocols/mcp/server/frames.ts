import {
  dictValue,
  findEntry,
  intValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { printForAgent } from '../../../language/values/json-printer.ts';
import { dictOf } from '../../message/dicts.ts';
import { writeReply, writeRequest } from '../../rpc/frame.ts';

/** The codes of JSON-RPC 2.0, and of MCP 2026-07-28 for requests whose headers or version are wrong. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  noMethod: -32601,
  invalidParameters: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** The answer to a request: the value of `result` or of `error`. */
export type Answer =
  | { readonly kind: 'result'; readonly body: DictValue }
  | { readonly kind: 'error'; readonly body: DictValue };

export function result(body: DictValue): Answer {
  return { kind: 'result', body };
}

export function fail(code: number, text: string, data?: Value): Answer {
  return { kind: 'error', body: dictOf({ code: intValue(code), message: textValue(text), data }) };
}

/** The code of an answer that is an error; undefined for a result. */
export function codeOf({ kind, body }: Answer): number | undefined {
  const code = kind === 'error' ? findEntry(body, 'code') : undefined;
  return code?.kind === 'int' ? Number(code.int) : undefined;
}

/** Writes the answer to the request with an id. */
export function writeAnswer(id: Value, { kind, body }: Answer): DictValue {
  return writeReply(kind, { id, body });
}

/** Writes a notification of the server. */
export function writeNotification(method: string, params?: DictValue): DictValue {
  return dictOf({ jsonrpc: textValue('2.0'), method: textValue(method), params });
}

/** Writes a request of the server to its caller. */
export function writeQuestion(id: string, method: string, params: DictValue | undefined): DictValue {
  return writeRequest(method, { id: textValue(id), body: params });
}

/** A message of a caller. */
export type CallerMessage =
  | { readonly kind: 'request'; readonly id: Value; readonly method: string; readonly params: DictValue }
  | { readonly kind: 'notification'; readonly method: string; readonly params: DictValue }
  /** The answer to a question of the server. */
  | { readonly kind: 'answer'; readonly id: Value; readonly answer: Answer };

const NO_PARAMETERS = dictValue([]);

/** Reads a message of a caller; undefined for a value that is none of JSON-RPC 2.0. */
export function readCallerMessage(value: Value): CallerMessage | undefined {
  if (textIn(findEntry(value, 'jsonrpc')) !== '2.0') return undefined;
  const id = findEntry(value, 'id');
  const isId = id?.kind === 'text' || id?.kind === 'int';
  if (findEntry(value, 'method') !== undefined) return readRequest(value, id, isId ? id : undefined);
  if (!isId) return undefined;
  const body = findEntry(value, 'result');
  const error = findEntry(value, 'error');
  if (body?.kind === 'dict') return { kind: 'answer', id, answer: result(body) };
  return error?.kind === 'dict' ? { kind: 'answer', id, answer: { kind: 'error', body: error } } : undefined;
}

function readRequest(
  value: Value,
  given: Value | undefined,
  id: Value | undefined,
): CallerMessage | undefined {
  const method = textIn(findEntry(value, 'method'));
  const params = findEntry(value, 'params') ?? NO_PARAMETERS;
  if (method === undefined || params.kind !== 'dict') return undefined;
  if (id) return { kind: 'request', id, method, params };
  return given === undefined ? { kind: 'notification', method, params } : undefined;
}

/** The id of a request as a key: 1 and "1" are different. */
export function keyOf(id: Value): string {
  return printForAgent(id);
}
