import type { StoredHeader } from '../../core/events/events.ts';
import { findHeader } from '../../core/events/headers.ts';
import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type Entry,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { looksLikeRpc } from '../rpc/frame.ts';
import { hasOldMessages, readOldMember, readOldResult } from './old-rest.ts';
import type { A2aVersion } from './parts.ts';

/**
 * Converts the HTTP+JSON form of A2A (0.3 section 3.2.3, 1.0 section 11) to the equivalent JSON-RPC. In
 * HTTP+JSON the method and path name the operation, and messages, tasks and errors have no wrapper.
 */

/** An operation by its JSON-RPC name, with the task from the path. */
export interface RestCall {
  readonly method: string;
  readonly task?: string;
  /** True where no other protocol has such a path. */
  readonly isCertain: boolean;
}

type Operation = readonly [old: string, now: string];

const SENDING: ReadonlyMap<string, Operation> = new Map([
  ['POST send', ['message/send', 'SendMessage']],
  ['POST stream', ['message/stream', 'SendStreamingMessage']],
]);

const ABOUT_TASK: ReadonlyMap<string, Operation> = new Map([
  ['GET', ['tasks/get', 'GetTask']],
  ['POST cancel', ['tasks/cancel', 'CancelTask']],
  ['POST subscribe', ['tasks/resubscribe', 'SubscribeToTask']],
  ['GET subscribe', ['tasks/resubscribe', 'SubscribeToTask']],
]);

const CONFIGS: ReadonlyMap<string, Operation> = new Map([
  ['POST', ['tasks/pushNotificationConfig/set', 'CreateTaskPushNotificationConfig']],
  ['GET', ['tasks/pushNotificationConfig/list', 'ListTaskPushNotificationConfigs']],
  ['GET one', ['tasks/pushNotificationConfig/get', 'GetTaskPushNotificationConfig']],
  ['DELETE one', ['tasks/pushNotificationConfig/delete', 'DeleteTaskPushNotificationConfig']],
]);

const OTHERS: ReadonlyMap<string, Operation> = new Map([
  ['GET /tasks', ['tasks/list', 'ListTasks']],
  ['GET /v1/card', ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard']],
  ['GET /extendedAgentCard', ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard']],
]);

/** The operation of an HTTP method and a path without query; undefined where they are no operation of A2A. */
export function findRestCall(verb: string, path: string, version: A2aVersion): RestCall | undefined {
  const found = findSending(verb, path) ?? findAboutTask(verb, path) ?? findOther(verb, path);
  if (!found?.operation) return undefined;
  const { operation, ...call } = found;
  return { method: operation[version === '0.3' ? 0 : 1], ...call };
}

type Found = Omit<RestCall, 'method'> & { readonly operation: Operation | undefined };

function findSending(verb: string, path: string): Found | undefined {
  const [, way] = /\/message:(send|stream)$/.exec(path) ?? [];
  return way === undefined ? undefined : { operation: SENDING.get(`${verb} ${way}`), isCertain: true };
}

function findAboutTask(verb: string, path: string): Found | undefined {
  const [, id, action, configs, config] = ABOUT.exec(path) ?? [];
  if (id === undefined) return undefined;
  const operation =
    configs === undefined
      ? ABOUT_TASK.get(action === undefined ? verb : `${verb} ${action}`)
      : CONFIGS.get(config === undefined ? verb : `${verb} one`);
  return { operation, task: decodePath(id), isCertain: configs !== undefined };
}

const ABOUT = /\/tasks\/([^/:]+|[^/]+?)(?::(cancel|subscribe)|(\/pushNotificationConfigs)(\/[^/]+)?)?$/;

function findOther(verb: string, path: string): Found | undefined {
  const [end] = /\/(?:tasks|v1\/card|extendedAgentCard)$/.exec(path) ?? [];
  return end === undefined ? undefined : { operation: OTHERS.get(`${verb} ${end}`), isCertain: false };
}

/** The request as JSON-RPC: the body becomes `params`, with the task of the path added. */
export function frameRestRequest({ method, task }: RestCall, body: Value | undefined): Value {
  const sent = body?.kind === 'dict' ? body.entries : [];
  const key = /pushNotificationConfig/i.test(method) ? 'taskId' : 'id';
  const named = task === undefined || findEntry(body, key) ? [] : [{ key, value: textValue(task) }];
  return dictValue([
    { key: 'jsonrpc', value: textValue('2.0') },
    { key: 'method', value: textValue(method) },
    { key: 'params', value: dictValue([...named, ...sent.map(nameMessage).map(readOldMember)]) },
  ]);
}

/**
 * A reply, or an event of one, as JSON-RPC of its version; JSON-RPC is returned unchanged. Without `version`, messages
 * with `content` show that it is 0.3.
 */
export function frameRestReply(value: Value, version?: A2aVersion): Value {
  if (value.kind !== 'dict' || (looksLikeRpc(value) && !isPlainError(value))) return value;
  const error = findError(value);
  const named = dictValue(value.entries.map(nameMessage));
  const isOld = version === '0.3' || (version === undefined && hasOldMessages(named));
  const [key, body] = error ? ['error', error] : ['result', isOld ? readOldResult(named) : named];
  return dictValue([
    { key: 'jsonrpc', value: textValue('2.0') },
    { key, value: body },
  ]);
}

/** The version of a request over HTTP+JSON: its header names it, or the path of 0.3 does. */
export function versionOfRest(path: string, headers: readonly StoredHeader[]): A2aVersion {
  const named = findHeader(headers, 'a2a-version') ?? (/\/v1\//.test(path) ? '0.3' : '1.0');
  return named.startsWith('0.') ? '0.3' : '1.0';
}

/**
 * Wraps a bare task, the result of `GetTask` since version 1.0, as the result of `SendMessage` is; returns
 * others unchanged.
 */
export function wrapTask(value: Value | undefined): Value | undefined {
  const isBare =
    findEntry(findEntry(value, 'status'), 'state') && textIn(findEntry(value, 'id')) !== undefined;
  if (!value || !isBare || findEntry(value, 'kind')) return value;
  return dictValue([{ key: 'task', value }]);
}

function isPlainError(value: Value): boolean {
  return findEntry(findEntry(value, 'error'), 'message') !== undefined && !findEntry(value, 'jsonrpc');
}

/** The error of version 1.0 (AIP-193), of 0.3, or of RFC 9457; its code is the reason's name, if there is one. */
function findError(value: DictValue): Value | undefined {
  const inner = findEntry(value, 'error');
  const stated = inner ?? value;
  const text = textIn(findEntry(stated, 'message')) ?? textIn(findEntry(stated, 'detail'));
  const title = textIn(findEntry(stated, 'title'));
  const code = findEntry(stated, 'code');
  const status = findEntry(stated, 'status');
  const isError =
    inner !== undefined || code?.kind === 'int' || (status?.kind === 'int' && title !== undefined);
  if (!isError || (text ?? title) === undefined) return undefined;
  const name = findReason(stated) ?? textIn(status);
  return dictValue([
    { key: 'code', value: name === undefined ? (code ?? status) : textValue(name) },
    { key: 'message', value: textValue(text ?? title ?? '') },
  ]);
}

/**
 * `TASK_NOT_FOUND`: the reason among the details, or the last segment of the URL that names the problem type.
 */
function findReason(stated: Value): string | undefined {
  const details = findEntry(stated, 'details');
  const reasons =
    details?.kind === 'list' ? details.items.map(each => textIn(findEntry(each, 'reason'))) : [];
  const type = textIn(findEntry(stated, 'type')) ?? '';
  const words = type.startsWith('about:') ? undefined : type.split('/').findLast(word => word !== '');
  return reasons.find(reason => reason !== undefined) ?? words;
}

/** Version 0.3 has several names for a message. */
const MESSAGES: ReadonlySet<string> = new Set(['msg', 'request', 'update']);

function nameMessage(entry: Entry): Entry {
  return MESSAGES.has(entry.key) && findEntry(entry.value, 'content')
    ? { key: 'message', value: entry.value }
    : entry;
}

function decodePath(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
