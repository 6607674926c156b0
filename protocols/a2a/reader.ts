import { A2A_RESULTS, type A2aResultName } from './names.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type Value,
} from '../../core/values/value.ts';
import { canonical } from '../content/canonical.ts';
import { decodeParts } from '../content/codec.ts';
import { writeParts, type Part as ContentPart } from '../content/part.ts';
import { dictOf, takeDefaults } from '../message/dicts.ts';
import { looksLikeRpc, readErrorObject, readRpc, type RpcFrame } from '../rpc/frame.ts';
import { Members } from '../message/members.ts';
import { foundMessage, METHOD, type Found } from '../message/rest.ts';
import type { Reading } from '../message/shape.ts';
import { ANEW, PIECE } from '../event-stream/joined.ts';
import { artifactId, NOTHING_SEEN, type SeenArtifacts } from './artifacts.ts';
import { codecOf, isOldForm, readCall, type A2aVersion } from './parts.ts';
import { failureText, progressOf } from './states.ts';

/** The methods that send a message, with the version that has them. */
export const MESSAGE_METHODS: ReadonlyMap<string, A2aVersion> = new Map([
  ['SendMessage', '1.0'],
  ['SendStreamingMessage', '1.0'],
  ['message/send', '0.3'],
  ['message/stream', '0.3'],
]);
const OTHER_METHODS = new Set([
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'GetExtendedAgentCard',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
]);
/** Methods that MCP has as well, which names the task otherwise there. */
const SHARED_METHODS = new Set(['tasks/get', 'tasks/cancel']);

/** True for a message of A2A; errors of JSON-RPC look alike, so that none of them is known to be one. */
export function recognises(value: Value): boolean {
  if (!looksLikeRpc(value)) return false;
  const method = textIn(findEntry(value, 'method'));
  if (method !== undefined && SHARED_METHODS.has(method))
    return findEntry(findEntry(value, 'params'), 'id') !== undefined;
  if (method !== undefined) return MESSAGE_METHODS.has(method) || OTHER_METHODS.has(method);
  const result = findEntry(value, 'result');
  return (oldName(result) ?? newResult(result)) !== undefined;
}

function newResult(result: Value | undefined): A2aResultName | undefined {
  const [only, ...others] = result?.kind === 'dict' ? result.entries : [];
  if (!only || others.length > 0 || only.value.kind !== 'dict') return undefined;
  return A2A_RESULTS.find(({ name }) => name === only.key)?.name;
}

/** The message of a value of JSON-RPC, of an artifact's update by which artifacts came before it. */
export function read(
  value: Value,
  reading: Reading,
  seen: SeenArtifacts = NOTHING_SEEN,
): Message | undefined {
  const frame = readRpc(value);
  if (!frame) return undefined;
  const found =
    frame.kind === 'request'
      ? readSend(frame)
      : frame.kind === 'error'
        ? readFailure(frame, reading)
        : readResult(frame, seen);
  // What is left of the frame stands beside what is left of its inside.
  found.rest.put(FRAME, frame.members.left());
  const fields = { ...found.fields, id: frame.id };
  return reading.number(foundMessage({ kind: found.kind, fields, rest: found.rest.left() }, 'a2a'));
}

type Part = Omit<Found, 'rest'> & { readonly rest: Members };

/** Where the rest keeps what stood beside the members of JSON-RPC. */
export const FRAME = 'frame';
/** The mark of a reply in version 0.3. */
export const VERSION = '$version';
/** The mark of a result that is none of a message. */
export const OTHER = '$other';
/** The mark of a task or a status that stands there whole. */
export const WHOLE = '$whole';

function readSend({ method, body, id }: RpcFrame): Part {
  const rest = new Members(undefined);
  const version = MESSAGE_METHODS.get(method);
  if (method !== 'SendMessage') rest.put(METHOD, textValue(method));
  const params = new Members(body);
  const given = params.takeKind('message', 'dict');
  if (!version || !given || body?.kind !== 'dict') {
    // A method of tasks or of anything else: what it is called with is its arguments.
    return { kind: 'call', fields: { tool: textValue(method), arguments: body }, rest };
  }
  rest.put('params', params.left());
  const { members, session } = openMessage(given, version, id, 'user');
  const parts = takeParts(members, version);
  rest.put('message', members.left());
  const call = parts.length === 1 && parts[0] ? readCall(parts[0]) : undefined;
  if (call) return { kind: 'call', fields: { session, ...call }, rest };
  const { task, content } = canonical(message('task', { content: writeParts(parts) })).fields;
  return { kind: 'task', fields: { session, task, content }, rest };
}

/** Takes the parts of a message or an artifact; a list of anything else is left. */
function takeParts(members: Members, version: A2aVersion): readonly ContentPart[] {
  const parts = decodeParts(members.peek('parts'), codecOf(version));
  if (parts) members.take('parts');
  return parts ?? [];
}

interface OpenMessage {
  readonly members: Members;
  readonly session: Value | undefined;
}

/** Opens a message: takes off what every one has, and its session. */
function openMessage(
  value: Value,
  version: A2aVersion,
  id: Value | undefined,
  role: 'user' | 'agent',
): OpenMessage {
  const members = new Members(value);
  if (version === '0.3') members.takeWord('kind', 'message');
  members.takeWord('role', roleName(role, version));
  takeDefaults(members, [{ key: 'messageId', value: ownId('msg', id) }]);
  return { members, session: members.takeKind('contextId', 'text') };
}

/** A role as a version names it. */
export function roleName(role: 'user' | 'agent', version: A2aVersion): string {
  return version === '0.3' ? role : `ROLE_${role.toUpperCase()}`;
}

/** `msg-1`: what something is called that has to have an id, by the id of the request. */
export function ownId(name: string, id: Value | undefined): Value {
  const number = id?.kind === 'int' ? String(id.int) : (textIn(id) ?? '0');
  return textValue(`${name}-${number}`);
}

function readFailure(frame: RpcFrame, reading: Reading): Part {
  const { fields, left } = readErrorObject('a2a', frame.body, reading);
  const rest = new Members(undefined);
  rest.put('error', left);
  return { kind: 'error', fields, rest };
}

function readResult({ body, id }: RpcFrame, seen: SeenArtifacts): Part {
  const rest = new Members(undefined);
  const isOld = isOldForm(body);
  const version: A2aVersion = isOld ? '0.3' : '1.0';
  const name = resultName(body);
  const inner = isOld ? body : name && findEntry(body, name);
  if (!inner || !name) {
    rest.put(OTHER, textValue(isOld ? 'other' : 'new'));
    return { kind: 'result', fields: { data: body }, rest };
  }
  if (isOld) rest.put(VERSION, textValue('0.3'));
  if (name !== 'message') return readTask(name, inner, { id, rest, version, seen });
  const { members, session } = openMessage(inner, version, id, 'agent');
  const fields = {
    session,
    ...contentOf(takeParts(members, version)),
    metadata: members.takeKind('metadata', 'dict'),
  };
  rest.put('message', members.left());
  return { kind: 'result', fields, rest };
}

/** Parts as what a reply says. */
function contentOf(parts: readonly ContentPart[]): Found['fields'] {
  const { data, content } = canonical(message('result', { content: writeParts(parts) })).fields;
  return { data, content };
}

/** What a reply holds; undefined for a reply of another form. */
export function resultName(body: Value | undefined): A2aResultName | undefined {
  return isOldForm(body) ? oldName(body) : newResult(body);
}

function oldName(body: Value | undefined): A2aResultName | undefined {
  const told = textIn(findEntry(body, 'kind'));
  return A2A_RESULTS.find(({ kind }) => kind === told)?.name;
}

interface TaskPlace {
  readonly id: Value | undefined;
  readonly rest: Members;
  readonly version: A2aVersion;
  readonly seen: SeenArtifacts;
}

/**
 * A task or an event of one. A chunk is the one artifact of an update; the end is a status that is completed, and one that
 * failed is an error, as a task in that state is. A task that still runs is no reply yet, but news of one.
 */
function readTask(name: A2aResultName, inner: Value, { id, rest, version, seen }: TaskPlace): Part {
  const members = new Members(inner);
  if (version === '0.3') members.take('kind');
  if (name !== 'task') takeDefaults(members, [{ key: 'contextId', value: ownId('context', id) }]);
  const session = members.takeKind('contextId', 'text');
  if (name !== 'task') takeDefaults(members, [{ key: 'taskId', value: ownId('task', id) }]);
  if (name === 'artifactUpdate') {
    const fields = { session, ...takeArtifact(members, { id, rest, version, seen }) };
    return { kind: 'chunk', fields, rest };
  }
  const progress = progressOf(inner, version);
  if (name === 'statusUpdate' && progress === 'completed') {
    takeState(members, version);
    rest.put(name, members.left());
    return { kind: 'end', fields: { session }, rest };
  }
  // The task or status goes back whole; what of it is told elsewhere as well is no loss.
  rest.put(WHOLE, dictOf({ [name]: inner }));
  const status = new Members(members.take('status'));
  status.take('state');
  const text = failureText(inner, version);
  const isReply = name === 'task' && progress !== 'running';
  const said = text !== undefined || isReply ? status.takeKind('message', 'dict') : undefined;
  members.put('status', status.left());
  const parts = isReply ? takeArtifacts(members, said, version) : [];
  rest.put(name, members.left());
  if (text !== undefined) return { kind: 'error', fields: { session, ...readError(text) }, rest };
  if (isReply) return { kind: 'result', fields: { session, ...contentOf(parts) }, rest };
  return { kind: 'chunk', fields: { session, event: textValue('status') }, rest };
}

function readError(text: string): Found['fields'] {
  return { protocol: textValue('a2a'), text: textValue(text) };
}

/** What a task made: the parts of its artifacts, or what its status says. What else the artifacts say is left. */
function takeArtifacts(
  members: Members,
  said: Value | undefined,
  version: A2aVersion,
): readonly ContentPart[] {
  const artifacts = members.peek('artifacts');
  if (artifacts?.kind !== 'list' || artifacts.items.length === 0)
    return takeParts(new Members(said), version);
  members.take('artifacts');
  const opened = artifacts.items.map(artifact => new Members(artifact));
  const parts = opened.flatMap(artifact => takeParts(artifact, version));
  const lefts = opened.map(artifact => artifact.left() ?? dictValue([]));
  if (lefts.some(left => left.entries.length > 0)) members.put('artifacts', listValue(lefts));
  return parts;
}

/** Takes what the last status of a stream says only because it has to. */
function takeState(members: Members, version: A2aVersion): void {
  const status = new Members(members.take('status'));
  status.take('state');
  members.put('status', status.left());
  if (version === '0.3') takeDefaults(members, [{ key: 'final', value: boolValue(true) }]);
}

/** Takes the one artifact of an update. Whether it is added to what came of it before follows from its id. */
function takeArtifact(members: Members, { id, rest, version, seen }: TaskPlace): Found['fields'] {
  const isAdded = seen.has(artifactId(members.peek('artifact')));
  const artifact = members.takeKind('artifact', 'dict');
  const opened = new Members(artifact);
  takeDefaults(opened, [{ key: 'artifactId', value: ownId('artifact', id) }]);
  const parts = artifact ? takeParts(opened, version) : [];
  rest.put(PIECE, textValue(artifactId(artifact) ?? ''));
  members.put('artifact', opened.left());
  if (isAdded && !members.peek('append')) rest.put(ANEW, boolValue(true));
  if (isAdded) takeDefaults(members, [{ key: 'append', value: boolValue(true) }]);
  rest.put('artifactUpdate', members.left());
  return contentOf(parts);
}
