import {
  boolValue,
  dictValue,
  intValue,
  listValue,
  textValue,
  type Value,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { CallerRequest } from '../../serving/serving.ts';
import { findRestCall, frameRestRequest } from '../rest.ts';
import { A2A_ERRORS, type A2aFault } from './errors.ts';

/** The media type of JSON over HTTP+JSON (A2A 1.0, section 11). */
export const A2A_JSON = 'application/a2a+json; charset=utf-8';

/** The paths of the operations below the endpoint. */
const OPERATION = /^\/(?:message:|tasks(?:[/]|$)|extendedAgentCard$)/;

/** A request over HTTP+JSON of version 1.0. */
export interface RestRequest {
  readonly method: string;
  /** The request as JSON-RPC. */
  readonly value: Value;
}

/**
 * Reads a request over HTTP+JSON, whose method and path name the operation; `path` is the one below the endpoint.
 * Undefined for any other path.
 */
export function readRestRequest(
  path: string,
  { method, query }: CallerRequest,
  body: Value | undefined,
): RestRequest | undefined {
  const call = OPERATION.test(path) ? findRestCall(method, path, '1.0') : undefined;
  if (!call) return undefined;
  const params = body ?? dictValue(readQuery(query ?? ''));
  return { method: call.method, value: frameRestRequest(call, params) };
}

function readQuery(query: string): { readonly key: string; readonly value: Value }[] {
  return query
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => {
      const [key = '', ...value] = pair.split('=').map(decode);
      return { key, value: valueOf(key, value.join('=')) };
    });
}

function valueOf(key: string, text: string): Value {
  if (/^\d{1,9}$/.test(text) && /Length$|Size$/.test(key)) return intValue(Number(text));
  return key === 'includeArtifacts' ? boolValue(text === 'true') : textValue(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The name of a gRPC status, as the official servers have it. */
function statusName(status: number, reason: string): string {
  if (status === 404) return 'NOT_FOUND';
  return reason === 'INVALID_PARAMS' ? 'INVALID_ARGUMENT' : 'FAILED_PRECONDITION';
}

/** An error with its HTTP status (A2A 1.0, section 11.6). */
export function writeRestFault({ name, text }: A2aFault): { readonly status: number; readonly value: Value } {
  const { status, reason } = A2A_ERRORS[name];
  const info = dictOf({
    '@type': textValue('type.googleapis.com/google.rpc.ErrorInfo'),
    reason: textValue(reason),
    domain: textValue('a2a-protocol.org'),
  });
  const error = dictOf({
    code: intValue(status),
    status: textValue(statusName(status, reason)),
    message: textValue(text),
    details: listValue([info]),
  });
  return { status, value: dictOf({ error }) };
}
