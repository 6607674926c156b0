import { message, type Message } from '../../../core/message/message.ts';
import { quote } from '../../../core/text/quote.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import { codecOf, type A2aVersion } from '../parts.ts';
import { roleName } from '../reader.ts';
import { decodeParts } from '../../content/codec.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { A2aFault } from './errors.ts';
import type { StoredMessage } from './task.ts';
import { convertParts } from './written.ts';

/** The methods of version 0.3 by those of 1.0. */
const OLD_METHODS: ReadonlyMap<string, string> = new Map([
  ['message/send', 'SendMessage'],
  ['message/stream', 'SendStreamingMessage'],
  ['tasks/get', 'GetTask'],
  ['tasks/cancel', 'CancelTask'],
  ['tasks/resubscribe', 'SubscribeToTask'],
  ['tasks/pushNotificationConfig/set', 'CreateTaskPushNotificationConfig'],
  ['tasks/pushNotificationConfig/get', 'GetTaskPushNotificationConfig'],
  ['tasks/pushNotificationConfig/list', 'ListTaskPushNotificationConfigs'],
  ['tasks/pushNotificationConfig/delete', 'DeleteTaskPushNotificationConfig'],
  ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard'],
]);

const NEW_METHODS: ReadonlySet<string> = new Set([...OLD_METHODS.values(), 'ListTasks']);

/** A method by its name in version 1.0, and the version in which it was called. */
export interface NamedMethod {
  readonly method: string;
  readonly version: A2aVersion;
}

/** Reads the name of a method, which says the version; `header` is the value of `A2A-Version`. */
export function readMethod(name: string, header: string | undefined): NamedMethod | A2aFault {
  const named = header === undefined || header === '' ? undefined : readVersion(header);
  if (named instanceof A2aFault) return named;
  const old = OLD_METHODS.get(name);
  const version = old === undefined ? '1.0' : '0.3';
  const method = old ?? (NEW_METHODS.has(name) ? name : undefined);
  if (method === undefined)
    return new A2aFault(
      'method',
      `There is no method ${quote(name)}: send messages with 'SendMessage' (A2A 1.0) or 'message/send' (A2A 0.3)`,
    );
  if (named === undefined || named === version) return { method, version };
  const other = [...OLD_METHODS].find(([before, now]) => (version === '1.0' ? now : before) === name);
  const advice = other
    ? `; call ${quote(other[version === '1.0' ? 0 : 1])}, or set A2A-Version to ${version}`
    : '';
  return new A2aFault(
    'method',
    `${quote(name)} is a method of A2A ${version}, and A2A-Version is ${quote(header ?? '')}${advice}`,
  );
}

function readVersion(header: string): A2aVersion | A2aFault {
  if (/^0\.3(?:\.|$)/.test(header)) return '0.3';
  if (/^1(?:\.0)?(?:\.\d+)?$/.test(header)) return '1.0';
  return new A2aFault('version', `A2A-Version ${quote(header)} is not supported: send 1.0 or 0.3`);
}

/** The message of a request to send one. */
export interface SentMessage {
  readonly said: StoredMessage;
  readonly asked: Message;
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /** True for a caller that wants the task before it has ended. */
  readonly isImmediate: boolean;
  readonly historyLength: number | undefined;
  /** The media types that the caller accepts; empty for any. */
  readonly accepts: readonly Value[];
}

/** Reads a request to send a message, which is the JSON-RPC `value`. */
export function readSent(value: Value, version: A2aVersion, codec: ServerCodec): SentMessage | A2aFault {
  const params = findEntry(value, 'params');
  const given = findEntry(params, 'message');
  const parts = findEntry(given, 'parts');
  const example = version === '0.3' ? '{"kind":"text","text":"…"}' : '{"text":"…"}';
  if (given?.kind !== 'dict')
    return new A2aFault(
      'params',
      `The request has no message: send one in 'params', with a role and parts such as ${example}`,
    );
  const read = decodeParts(parts, codecOf(version));
  if (parts?.kind !== 'list' || !read || read.length === 0)
    return new A2aFault(
      'params',
      `The message needs 'parts', a list of one or more parts such as ${example}`,
    );
  const unknown = read.findIndex(part => textIn(findEntry(findEntry(part.rest, 'a2a'), '$form')) === 'own');
  if (unknown >= 0)
    return new A2aFault(
      'params',
      `Part ${unknown + 1} of the message is none of A2A ${version}: send parts such as ${example}`,
    );
  const role = textIn(findEntry(given, 'role'));
  if (role !== roleName('user', version))
    return new A2aFault(
      'params',
      `The role of a message to an agent is ${quote(roleName('user', version))}, not ${quote(role ?? '')}`,
    );
  const asked = codec.read(value);
  const configuration = findEntry(params, 'configuration');
  const historyLength = readLength(findEntry(configuration, 'historyLength'));
  if (historyLength instanceof A2aFault) return historyLength;
  if (!asked) return new A2aFault('params', `The message cannot be read: send parts such as ${example}`);
  if (
    findEntry(configuration, 'pushNotificationConfig') ??
    findEntry(configuration, 'taskPushNotificationConfig')
  )
    return NO_PUSH;
  const flag = findEntry(configuration, version === '0.3' ? 'blocking' : 'returnImmediately');
  const accepted = findEntry(configuration, 'acceptedOutputModes');
  const converted = convertParts(listValue(parts.items), version, '1.0', () => undefined);
  return {
    said: {
      messageId: textIn(findEntry(given, 'messageId')) ?? '',
      role: 'user',
      parts: converted.kind === 'list' ? converted.items : [],
      metadata: findEntry(given, 'metadata'),
    },
    asked: withoutEnvelope(asked),
    taskId: textIn(findEntry(given, 'taskId')) || undefined,
    contextId: textIn(findEntry(given, 'contextId')) || undefined,
    isImmediate: flag?.kind === 'bool' && flag.bool === (version === '1.0'),
    historyLength,
    accepts: accepted?.kind === 'list' ? accepted.items : [],
  };
}

export const NO_PUSH = new A2aFault(
  'noPush',
  'This agent sends no push notifications, as its card says: follow the task as a stream, or get it again',
);

/** Reads the maximum number of messages in the history of a task. */
export function readLength(value: Value | undefined): number | undefined | A2aFault {
  if (!value || value.kind === 'null') return undefined;
  if (value.kind === 'int' && typeof value.int === 'number' && value.int >= 0) return value.int;
  return new A2aFault('params', "'historyLength' is a whole number from 0");
}

/** Members of a message that name it, or what it belongs to, among the tasks of this server. */
const OF_ENVELOPE: ReadonlySet<string> = new Set(['messageId', 'taskId', 'contextId', 'referenceTaskIds']);

/** The message without what is between the caller and this server; the agent has its own. */
function withoutEnvelope({ kind, fields }: Message): Message {
  const own = findEntry(fields.rest, 'a2a');
  const sent = findEntry(own, 'message');
  const left = sent?.kind === 'dict' ? sent.entries.filter(({ key }) => !OF_ENVELOPE.has(key)) : [];
  const rest: DictValue | undefined =
    left.length > 0 ? dictOf({ a2a: dictOf({ message: dictValue(left) }) }) : undefined;
  return message(kind, { ...fields, rest: undefined, constraints: undefined }, rest);
}
