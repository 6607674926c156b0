import { A2A_RESULTS, type A2aResultName } from './names.ts';
import type { Message } from '../../core/message/message.ts';
import { dictValue, findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { decodeParts, encodeParts } from '../content/codec.ts';
import { inputItems, inputParts, splitMarks } from '../content/items.ts';
import { codecOf, isOldForm, readParts, type A2aVersion, type PartMeaning } from './parts.ts';
import { ENVELOPE, readMessage, type Found } from '../message/envelope.ts';
import { showEnvelope } from './shown.ts';
import { Members } from '../message/members.ts';
import { looksLikeRpc, readErrorObject, readRpc, type RpcFrame } from '../rpc/frame.ts';
import type { Reading } from '../message/shape.ts';
import { dictOf, takeDefaults } from '../conversation/verified.ts';
import { artifactId, NOTHING_SEEN, type SeenArtifacts } from './artifacts.ts';
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

/** True for a message of A2A; an error only where it says so, because errors of JSON-RPC look alike. */
export function recognises(value: Value): boolean {
  if (!looksLikeRpc(value)) return false;
  const method = textIn(findEntry(value, 'method'));
  if (method !== undefined && SHARED_METHODS.has(method))
    return findEntry(findEntry(value, 'params'), 'id') !== undefined;
  if (method !== undefined) return MESSAGE_METHODS.has(method) || OTHER_METHODS.has(method);
  const result = findEntry(value, 'result');
  if (findEntry(value, 'error')) return findEntry(value, PROTOCOL) !== undefined;
  return (oldName(result) ?? newResult(result)) !== undefined;
}

/** The member of an error that says whose it is, because errors of JSON-RPC look alike. */
export const PROTOCOL = 'a2a';

function newResult(result: Value | undefined): A2aResultName | undefined {
  const [only, ...others] = result?.kind === 'dict' ? result.entries : [];
  if (!only || others.length > 0 || only.value.kind !== 'dict') return undefined;
  return A2A_RESULTS.find(({ name }) => name === only.key)?.name;
}

/** The message of a value of JSON-RPC, of an artifact's update by which artifacts were told before it. */
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
  const rest = joinRest(frame.members, found.rest);
  const fields = { ...found.fields, id: frame.id };
  return reading.number(readMessage({ ...found, fields, rest }, 'a2a', reading.report));
}

type Part = Omit<Found, 'rest'> & { readonly rest: Members };

/** What is left of the frame stands beside what is left of its inside. */
function joinRest(frame: Members, inside: Members): Found['rest'] {
  inside.put(FRAME, frame.left());
  return inside.left();
}

/** Where the rest keeps what stood beside the members of JSON-RPC. */
export const FRAME = 'frame';

function readSend({ method, body, id }: RpcFrame): Part {
  const rest = new Members(undefined);
  const version = MESSAGE_METHODS.get(method);
  if (method !== 'SendMessage') rest.put('method', textValue(method));
  const params = new Members(body);
  const message = params.takeKind('message', 'dict');
  if (!version || !message || body?.kind !== 'dict') {
    // A method of tasks or of anything else: what it is called with is its arguments.
    const fields = { tool: textValue(method), arguments: body };
    return { kind: 'call', fields, rest, envelope: undefined };
  }
  rest.put('params', params.left());
  const inner = openMessage(message, version, id, 'user');
  const isShown = saysShown(inner.members.peek('parts'), inner.envelope, version);
  const meaning = isShown ? undefined : readParts(inner.members.peek('parts'), version);
  const isQuery = textIn(findEntry(inner.envelope, 'kind')) === 'query';
  const isTaken = meaning !== undefined && meaning.kind !== 'data';
  if (isTaken || isShown || isEmptyList(inner.members.peek('parts'))) inner.members.take('parts');
  const parts = inner.members.takeKind('parts', 'list');
  const input = parts && splitMarks(encodeParts(decodeParts(parts, codecOf(version)), inputParts));
  rest.put(MARKS, input?.marks);
  const items = input && inputItems(input.content);
  const fields: Found['fields'] = {
    session: inner.session,
    items,
    ...requestFields(meaning, isQuery ? 'query' : 'task'),
  };
  rest.put('message', inner.members.left());
  return { kind: meaning?.kind === 'call' ? 'call' : 'task', fields, rest, envelope: inner.envelope };
}

/** True for parts that only show people what the envelope holds. */
function saysShown(parts: Value | undefined, envelope: Value | undefined, version: A2aVersion): boolean {
  const meaning = readParts(parts, version);
  return (
    meaning?.kind === 'text' && envelope !== undefined && isSameValue(meaning.text, showEnvelope(envelope))
  );
}

/** What several parts say in words; they are kept whole. */
function shownMeaning(parts: Value | undefined): PartMeaning | undefined {
  const items = parts?.kind === 'list' ? parts.items : [];
  const texts = items.flatMap(part => textIn(findEntry(part, 'text')) ?? []);
  return texts.length === 0 ? undefined : { kind: 'text', text: textValue(texts.join('\n')) };
}

function isEmptyList(value: Value | undefined): boolean {
  return value?.kind === 'list' && value.items.length === 0;
}

function requestFields(meaning: PartMeaning | undefined, textField: 'task' | 'query'): Found['fields'] {
  if (meaning?.kind === 'text') return { [textField]: meaning.text };
  return meaning?.kind === 'call' ? { tool: meaning.tool, arguments: meaning.arguments } : {};
}

/** Where the rest keeps what the parts of a conversation cannot say, a mark a part. */
export const MARKS = 'parts';

interface OpenMessage {
  readonly members: Members;
  readonly envelope: Value | undefined;
  readonly session: Value | undefined;
}

/** Opens a message: takes off what every one has, its session and its envelope. */
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
  return { members, envelope: takeMetadata(members), session: members.takeKind('contextId', 'text') };
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

function takeMetadata(members: Members): Value | undefined {
  const metadata = members.peek('metadata');
  const envelope = metadata && findEntry(metadata, ENVELOPE);
  if (metadata?.kind !== 'dict' || !envelope) return undefined;
  members.take('metadata');
  const left = metadata.entries.filter(({ key }) => key !== ENVELOPE);
  if (left.length > 0) members.put('metadata', dictValue(left));
  return envelope;
}

function readFailure(frame: RpcFrame, reading: Reading): Part {
  frame.members.takeWord(PROTOCOL, 'error');
  const envelope = frame.members.take(ENVELOPE);
  const { fields, left } = readErrorObject('a2a', frame.body, reading);
  const rest = new Members(undefined);
  rest.put('error', left);
  return { kind: 'error', fields, rest, envelope };
}

function readResult({ body, id }: RpcFrame, seen: SeenArtifacts): Part {
  const rest = new Members(undefined);
  const isOld = isOldForm(body);
  const version: A2aVersion = isOld ? '0.3' : '1.0';
  const name = resultName(body);
  const inner = isOld ? body : name && findEntry(body, name);
  if (isOld) rest.put('version', textValue('0.3'));
  if (!inner || !name) {
    rest.put('form', textValue('other'));
    return { kind: 'result', fields: { data: body }, rest, envelope: undefined };
  }
  if (name !== 'message') return readTask(name, inner, { id, rest, version, seen });
  const open = openMessage(inner, version, id, 'agent');
  const fields = { session: open.session, ...takeData(open.members, open.envelope, version) };
  rest.put('message', open.members.left());
  return { kind: 'result', fields, rest, envelope: withoutMark(open.envelope) };
}

/** What a reply holds; undefined for a reply of another form. */
export function resultName(body: Value | undefined): A2aResultName | undefined {
  return isOldForm(body) ? oldName(body) : newResult(body);
}

function oldName(body: Value | undefined): A2aResultName | undefined {
  const told = textIn(findEntry(body, 'kind'));
  return A2A_RESULTS.find(({ kind }) => kind === told)?.name;
}

/** Says in the envelope that the one part is content, although it looks like data. */
export const PARTS = 'parts';
export const CONTENT = textValue('content');

/** The envelope without what it says of the parts. */
function withoutMark(envelope: Value | undefined): Value | undefined {
  const marks = new Members(envelope);
  return marks.takeWord(PARTS, CONTENT.text) ? marks.left() : envelope;
}

/** Takes the parts of a message that are one value; those that only show what the envelope holds say nothing. */
function takeData(members: Members, envelope: Value | undefined, version: A2aVersion): Found['fields'] {
  if (isEmptyList(members.peek('parts')) || saysShown(members.peek('parts'), envelope, version)) {
    members.take('parts');
    return {};
  }
  const marks = new Members(envelope);
  const isContent = textIn(marks.peek(PARTS)) === CONTENT.text;
  const meaning = isContent ? undefined : readParts(members.peek('parts'), version);
  if (!meaning) return { content: decodeParts(members.takeKind('parts', 'list'), codecOf(version)) };
  members.take('parts');
  if (meaning.kind === 'call') return { data: dictOf({ tool: meaning.tool, arguments: meaning.arguments }) };
  return { data: meaning.kind === 'text' ? meaning.text : meaning.data };
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
  const envelope = takeMetadata(members);
  if (name !== 'task') takeDefaults(members, [{ key: 'contextId', value: ownId('context', id) }]);
  const session = members.takeKind('contextId', 'text');
  if (name !== 'task') takeDefaults(members, [{ key: 'taskId', value: ownId('task', id) }]);
  if (name === 'artifactUpdate') {
    const fields = { session, ...takeArtifact(members, envelope, { id, rest, version, seen }) };
    return { kind: 'chunk', fields, rest, envelope: withoutMark(envelope) };
  }
  const progress = progressOf(inner, version);
  const isEnd = name === 'statusUpdate' && progress === 'completed';
  if (isEnd) takeState(members, version);
  rest.put(name, members.left());
  if (isEnd) return { kind: 'end', fields: { session }, rest, envelope };
  const text = failureText(inner, version);
  if (text !== undefined) return { kind: 'error', fields: { session, ...readError(text) }, rest, envelope };
  if (name === 'task' && progress !== 'running')
    return { kind: 'result', fields: { session, ...taskData(inner, version) }, rest, envelope };
  return { kind: 'chunk', fields: { session, event: textValue('status') }, rest, envelope };
}

function readError(text: string): Found['fields'] {
  return { protocol: textValue('a2a'), text: textValue(text) };
}

/** Takes what the last status of a stream says only because it has to. */
function takeState(members: Members, version: A2aVersion): void {
  const status = new Members(members.take('status'));
  status.take('state');
  members.put('status', status.left());
  if (version === '0.3') takeDefaults(members, [{ key: 'final', value: { kind: 'bool', bool: true } }]);
}

/** Where the rest says that an artifact which was told before is told anew: its update has no `append`. */
export const ANEW = 'anew';

/** Takes the one artifact of an update. Whether it is added to what was told of it before follows from its id. */
function takeArtifact(
  members: Members,
  envelope: Value | undefined,
  { id, rest, version, seen }: TaskPlace,
): Found['fields'] {
  const isAdded = seen.has(artifactId(members.peek('artifact')));
  const artifact = members.takeKind('artifact', 'dict');
  const opened = new Members(artifact);
  takeDefaults(opened, [{ key: 'artifactId', value: ownId('artifact', id) }]);
  const data = artifact ? takeData(opened, envelope, version) : {};
  members.put('artifact', opened.left());
  if (isAdded && !members.peek('append')) rest.put(ANEW, { kind: 'bool', bool: true });
  if (isAdded) takeDefaults(members, [{ key: 'append', value: { kind: 'bool', bool: true } }]);
  rest.put('artifactUpdate', members.left());
  return data;
}

/** The data of a task's only artifact, or what its status says, to be read; the task itself is kept whole. */
function taskData(task: Value, version: A2aVersion): Found['fields'] {
  const artifacts = findEntry(task, 'artifacts');
  const [only, ...others] = artifacts?.kind === 'list' ? artifacts.items : [];
  const said = only ? undefined : findEntry(findEntry(findEntry(task, 'status'), 'message'), 'parts');
  const parts = only ? findEntry(only, 'parts') : said;
  const meaning = others.length === 0 ? (readParts(parts, version) ?? shownMeaning(parts)) : undefined;
  if (meaning?.kind === 'text') return { data: meaning.text };
  return meaning?.kind === 'data' ? { data: meaning.data } : {};
}
