import { A2A_RESULTS, type A2aResultName, failureText, MESSAGE_METHODS, progressOf } from './results.ts';
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
import { takeParameters } from '../conversation/parameters.ts';
import { dictOf, takeDefaults } from '../message/dicts.ts';
import { looksLikeRpc, readErrorObject, readRpc, type RpcFrame } from '../rpc/frame.ts';
import { Members } from '../message/members.ts';
import { foundMessage, METHOD, type Found } from '../message/rest.ts';
import type { Reading } from '../message/shape.ts';
import { ANEW, PIECE } from '../event-stream/joined.ts';
import { artifactId, NOTHING_SEEN, type SeenArtifacts } from './artifacts.ts';
import { A2A_PARAMETERS } from './parameters.ts';
import { codecOf, isOldForm, readCall, type A2aVersion } from './parts.ts';

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
/** Methods that MCP has as well; it names the task by another member. */
const SHARED_METHODS = new Set(['tasks/get', 'tasks/cancel']);

/** True for a message of A2A. Errors do not count: those of all JSON-RPC protocols look alike. */
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

/** Reads the message of a JSON-RPC value; `seen` decides how an artifact's update continues the stream. */
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
  // The members left in the frame are stored next to those left inside it.
  found.rest.put(FRAME, frame.members.left());
  const fields = { ...found.fields, id: frame.id };
  return reading.number(foundMessage({ kind: found.kind, fields, rest: found.rest.left() }, 'a2a'));
}

type Part = Omit<Found, 'rest'> & { readonly rest: Members };

/** The key in `rest` for members of the frame besides those of JSON-RPC. */
export const FRAME = 'frame';
/** Marks a reply in version 0.3. */
export const VERSION = '$version';
/** Marks a result without a message, task or event. */
export const OTHER = '$other';
/** Marks a task or status that `rest` holds as a whole. */
export const WHOLE = '$whole';

function readSend({ method, body, id }: RpcFrame): Part {
  const rest = new Members(undefined);
  const version = MESSAGE_METHODS.get(method);
  if (method !== 'SendMessage') rest.put(METHOD, textValue(method));
  const params = new Members(body);
  const given = params.takeKind('message', 'dict');
  if (!version || !given || body?.kind !== 'dict') {
    // Any other method is a call, with its `params` as the arguments.
    return { kind: 'call', fields: { tool: textValue(method), arguments: body }, rest };
  }
  const { members, session } = openMessage(given, version, id, 'user');
  const parts = takeParts(members, version);
  const call = parts.length === 1 && parts[0] ? readCall(parts[0]) : undefined;
  // A call has no constraints, so the configuration of its message stays as it is.
  const constraints = call ? undefined : takeConfiguration(params, version);
  rest.put('params', params.left());
  rest.put('message', members.left());
  if (call) return { kind: 'call', fields: { session, ...call }, rest };
  const { task, content } = canonical(message('task', { content: writeParts(parts) })).fields;
  return { kind: 'task', fields: { session, task, content, constraints }, rest };
}

/** Takes the parameters out of the configuration of a request. */
function takeConfiguration(params: Members, version: A2aVersion): Value | undefined {
  const configuration = new Members(params.takeKind('configuration', 'dict'));
  const constraints = takeParameters(configuration, A2A_PARAMETERS[version]);
  params.put('configuration', configuration.left());
  return constraints;
}

/** Takes the parts of a message or an artifact; leaves a list that contains anything else. */
function takeParts(members: Members, version: A2aVersion): readonly ContentPart[] {
  const parts = decodeParts(members.peek('parts'), codecOf(version));
  if (parts) members.take('parts');
  return parts ?? [];
}

interface OpenMessage {
  readonly members: Members;
  readonly session: Value | undefined;
}

/** Opens a message: removes the members that every message has, and its session. */
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

/** The name of a role in a version. */
export function roleName(role: 'user' | 'agent', version: A2aVersion): string {
  return version === '0.3' ? role : `ROLE_${role.toUpperCase()}`;
}

/** `msg-1`: an id for an object that must have one, made from the id of the request. */
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

/** Parts as the `data` or `content` of a reply. */
function contentOf(parts: readonly ContentPart[]): Found['fields'] {
  const { data, content } = canonical(message('result', { content: writeParts(parts) })).fields;
  return { data, content };
}

/** The kind of a reply's result; undefined for a reply of another form. */
export function resultName(body: Value | undefined): A2aResultName | undefined {
  return isOldForm(body) ? oldName(body) : newResult(body);
}

function oldName(body: Value | undefined): A2aResultName | undefined {
  const reported = textIn(findEntry(body, 'kind'));
  return A2A_RESULTS.find(({ kind }) => kind === reported)?.name;
}

interface TaskPlace {
  readonly id: Value | undefined;
  readonly rest: Members;
  readonly version: A2aVersion;
  readonly seen: SeenArtifacts;
}

/**
 * Reads a task or an event of one. An artifact update becomes a chunk and a completed status the end of the stream. A
 * failed status or task becomes an error. A task that still runs is no reply yet: it becomes a status chunk.
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
  // The task or status is stored whole and written back whole, so fields that repeat parts of it lose nothing.
  rest.put(WHOLE, dictOf({ [name]: inner }));
  const status = new Members(members.take('status'));
  status.take('state');
  const text = failureText(inner, version);
  const isReply = name === 'task' && progress !== 'running';
  const stated = text !== undefined || isReply ? status.takeKind('message', 'dict') : undefined;
  const metadata = findEntry(stated, 'metadata');
  if (metadata) status.put('message', dictOf({ metadata }));
  members.put('status', status.left());
  const parts = isReply ? takeArtifacts(members, stated, version) : [];
  rest.put(name, members.left());
  if (text !== undefined)
    return { kind: 'error', fields: { session, ...readError(text), data: dataOfFailure(stated) }, rest };
  if (isReply) return { kind: 'result', fields: { session, ...contentOf(parts) }, rest };
  return { kind: 'chunk', fields: { session, event: textValue('status') }, rest };
}

function readError(text: string): Found['fields'] {
  return { protocol: textValue('a2a'), text: textValue(text) };
}

/** What the message of a failure holds besides its text: the data of its one part, or all such parts. */
function dataOfFailure(stated: Value | undefined): Value | undefined {
  const parts = findEntry(stated, 'parts');
  const others = (parts?.kind === 'list' ? parts.items : []).filter(
    part => textIn(findEntry(part, 'text')) === undefined,
  );
  const [only, ...more] = others;
  if (!only) return undefined;
  return (more.length === 0 ? findEntry(only, 'data') : undefined) ?? listValue(others);
}

/**
 * The result of a task: the parts of its artifacts, then those of its status message. A task that was continued may
 * have only artifacts of earlier turns, and its answer in the message. Other artifact members are left.
 */
function takeArtifacts(
  members: Members,
  stated: Value | undefined,
  version: A2aVersion,
): readonly ContentPart[] {
  const artifacts = members.peek('artifacts');
  const said = takeParts(new Members(stated), version);
  if (artifacts?.kind !== 'list' || artifacts.items.length === 0) return said;
  members.take('artifacts');
  const opened = artifacts.items.map(artifact => new Members(artifact));
  const parts = opened.flatMap(artifact => takeParts(artifact, version));
  const lefts = opened.map(artifact => artifact.left() ?? dictValue([]));
  if (lefts.some(left => left.entries.length > 0)) members.put('artifacts', listValue(lefts));
  return [...parts, ...said];
}

/** Takes the members of a stream's last status that are always the same. */
function takeState(members: Members, version: A2aVersion): void {
  const status = new Members(members.take('status'));
  status.take('state');
  members.put('status', status.left());
  if (version === '0.3') takeDefaults(members, [{ key: 'final', value: boolValue(true) }]);
}

/** Takes the one artifact of an update. Its id shows whether it adds to an earlier update. */
function takeArtifact(members: Members, { id, rest, version, seen }: TaskPlace): Found['fields'] {
  const isAdded = seen.has(artifactId(members.peek('artifact')));
  const artifact = members.takeKind('artifact', 'dict');
  const opened = new Members(artifact);
  takeDefaults(opened, [{ key: 'artifactId', value: ownId('artifact', id) }]);
  const parts = artifact ? takeParts(opened, version) : [];
  rest.put(PIECE, textValue(artifactId(artifact) ?? ''));
  members.put('artifact', opened.left());
  const append = members.peek('append');
  if (isAdded && !(append?.kind === 'bool' && append.bool)) rest.put(ANEW, boolValue(true));
  if (isAdded) takeDefaults(members, [{ key: 'append', value: boolValue(true) }]);
  rest.put('artifactUpdate', members.left());
  return contentOf(parts);
}
