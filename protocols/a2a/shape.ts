import { MESSAGE_METHODS, A2A_RESULTS, type A2aResultName } from './results.ts';
import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { encodeParts } from '../content/codec.ts';
import { flattened } from '../content/flatten.ts';
import { dictOf } from '../message/dicts.ts';
import { writeErrorObject } from '../rpc/frame.ts';
import type { Members } from '../message/members.ts';
import { asTask, constraintsAsData, toolsAsData, valueAsResult } from '../message/nearest.ts';
import { joinDicts, METHOD, ownMethod, restOf } from '../message/rest.ts';
import type { ProtocolShape, Writing } from '../message/shape.ts';
import { ANEW, PIECE } from '../event-stream/joined.ts';
import { writeParameters } from '../conversation/parameters.ts';
import { named } from '../tools/arguments.ts';
import { artifactId, NOTHING_SEEN, type SeenArtifacts } from './artifacts.ts';
import { A2A_PARAMETERS } from './parameters.ts';
import { codecOf, type A2aVersion } from './parts.ts';
import { FRAME, OTHER, ownId, read, recognises, roleName, VERSION, WHOLE } from './reader.ts';
import { a2aStream } from './stream.ts';

/**
 * Agent2Agent over JSON-RPC. `SendMessage` is a task, or a call if its one part is data `{tool, arguments}`; a message,
 * or a task that no longer runs, in a reply is a result, an artifact update a chunk, and the last status of a stream
 * its end. A failed task is an error. Messages are written in version 1.0, or in 0.3 if they came in it.
 */
export const a2aShape: ProtocolShape = {
  recognises,
  read: (value, reading) => read(value, reading),
  nearest,
  write: (sent, writing) => writeA2a(sent, writing, NOTHING_SEEN),
  stream: a2aStream({ nearest, write: writeA2a }),
};

function nearest(given: Message, writing: Writing): Message {
  const { report } = writing;
  if (given.kind === 'call') return named(given, 'a2a', writing);
  if (given.kind === 'error' || given.kind === 'end') return given;
  const task = constraintsAsData(asTask(given, 'A2A', report), 'A2A', report, A2A_PARAMETERS['1.0']);
  const result = toolsAsData(valueAsResult(task, 'A2A', report), 'A2A', report);
  return canonical(flattened(result, 'A2A', report));
}

function writeA2a(sent: Message, writing: Writing, seen: SeenArtifacts): Value {
  const rest = restOf(sent, 'a2a');
  const frame = rest.take(FRAME);
  const id = sent.fields.id ?? intValue(writing.id);
  const isRequest = findMessageKind(sent.kind)?.role === 'request';
  const body = isRequest ? writeSend(sent, rest, id, writing) : writeReply(sent, rest, { id, writing, seen });
  const isNotification = id.kind === 'null' && isRequest;
  const whole = dictOf({ jsonrpc: textValue('2.0'), id: isNotification ? undefined : id, ...body });
  return frame ? joinDicts(whole, frame) : whole;
}

type Body = Readonly<Record<string, Value | undefined>>;

function writeSend(sent: Message, rest: Members, id: Value, writing: Writing): Body {
  const method = textIn(rest.take(METHOD)) ?? 'SendMessage';
  const version = MESSAGE_METHODS.get(method);
  if (!version && ownMethod(sent, 'a2a')) return { method: textValue(method), params: sent.fields.arguments };
  const { tool, arguments: given } = sent.fields;
  const written = version ?? '1.0';
  const parts =
    sent.kind === 'call'
      ? listValue([dataPartOf(dictOf({ tool, arguments: given }), written)])
      : writeParts(sent, written, writing);
  const message = writeMessage({ parts, left: rest.take('message'), sent }, written, id, 'user');
  const more = rest.take('params');
  const configuration = dictOf(writeParameters(sent.fields.constraints, A2A_PARAMETERS[written]));
  const own = dictOf({
    message,
    configuration: configuration.entries.length > 0 ? configuration : undefined,
  });
  const params = more?.kind === 'dict' ? joinDicts(own, more) : own;
  return { method: textValue(version ? method : 'SendMessage'), params };
}

function dataPartOf(data: Value, version: A2aVersion): Value {
  return version === '0.3' ? dictOf({ kind: textValue('data'), data }) : dictOf({ data });
}

/** The parts of a message; at least one, because A2A requires it. */
function writeParts(sent: Message, version: A2aVersion, { report }: Writing): Value {
  const { parts, pathOf } = contentOf(sent);
  const written = encodeParts(parts, codecOf(version), (index, kind, reported) =>
    report.lose(kind, pathOf(index), reported),
  );
  if (written.items.length > 0) return written;
  if (sent.kind === 'result') return listValue([dataPartOf(dictValue([]), version)]);
  const text = textValue('');
  return listValue([version === '0.3' ? dictOf({ kind: textValue('text'), text }) : dictOf({ text })]);
}

interface MessageParts {
  readonly parts: Value;
  readonly left: Value | undefined;
  readonly sent: Message;
}

function writeMessage(
  { parts, left, sent }: MessageParts,
  version: A2aVersion,
  id: Value,
  role: 'user' | 'agent',
): Value {
  const { session, metadata } = sent.fields;
  const message = dictOf({
    kind: version === '0.3' ? textValue('message') : undefined,
    messageId: ownId('msg', id),
    role: textValue(roleName(role, version)),
    parts,
    contextId: session?.kind === 'text' ? session : undefined,
    metadata: metadata?.kind === 'dict' ? metadata : undefined,
  });
  return left ? joinDicts(message, left) : message;
}

interface ReplyPlace {
  readonly id: Value;
  readonly writing: Writing;
  readonly seen: SeenArtifacts;
}

function writeReply(sent: Message, rest: Members, place: ReplyPlace): Body {
  const version = textIn(rest.take(VERSION)) === '0.3' ? '0.3' : '1.0';
  const whole = rest.take(WHOLE);
  if (whole?.kind === 'dict') return { result: unwrapWhole(whole, version) };
  if (sent.kind === 'error') {
    const error = writeErrorObject(sent.fields, 'a2a', place.writing);
    const left = rest.take('error');
    return { error: left ? joinDicts(error, left) : error };
  }
  if (rest.take(OTHER) && sent.fields.data) return { result: sent.fields.data };
  if (sent.kind === 'end') return { result: writeEnd(sent, rest, place.id, version) };
  const parts = writeParts(sent, version, place.writing);
  if (sent.kind === 'chunk') return { result: writeUpdate({ parts, sent, rest }, place, version) };
  const message = writeMessage({ parts, left: rest.take('message'), sent }, version, place.id, 'agent');
  return { result: wrap('message', message, version) };
}

/** The stored task or status, as it was received. */
function unwrapWhole(whole: DictValue, version: A2aVersion): Value {
  const [only] = whole.entries;
  return only && version === '0.3' ? only.value : whole;
}

function writeEnd({ fields: { session } }: Message, rest: Members, id: Value, version: A2aVersion): Value {
  const state = textValue(version === '0.3' ? 'completed' : 'TASK_STATE_COMPLETED');
  const event = dictOf({
    taskId: ownId('task', id),
    contextId: session?.kind === 'text' ? session : ownId('context', id),
    status: dictOf({ state }),
    final: version === '0.3' ? boolValue(true) : undefined,
  });
  return wrap('statusUpdate', joinDicts(event, rest.take('statusUpdate') ?? dictValue([])), version);
}

/** Writes a chunk as an artifact update. */
function writeUpdate(
  { parts, sent, rest }: { readonly parts: Value; readonly sent: Message; readonly rest: Members },
  { id, seen }: ReplyPlace,
  version: A2aVersion,
): Value {
  const { session } = sent.fields;
  const left = rest.take('artifactUpdate');
  const isAnew = rest.take(ANEW) !== undefined;
  // An artifact that came without an id gets none: an invented id could be that of another artifact.
  const cameUnnamed = textIn(rest.peek(PIECE)) === '';
  const own = dictOf({ artifactId: cameUnnamed ? undefined : ownId('artifact', id), parts });
  const name = artifactId(findEntry(left, 'artifact')) ?? artifactId(own);
  const event = dictOf({
    taskId: ownId('task', id),
    artifact: own,
    // Clients drop an `append` to an artifact that they have not seen.
    append: seen.has(name) && !isAnew ? boolValue(true) : undefined,
    contextId: session?.kind === 'text' ? session : ownId('context', id),
  });
  return wrap('artifactUpdate', left ? joinDicts(event, left) : event, version);
}

function wrap(name: A2aResultName, inner: Value, version: A2aVersion): Value {
  if (version === '1.0') return dictOf({ [name]: inner });
  const row = A2A_RESULTS.find(each => each.name === name);
  return !row || name === 'message' ? inner : joinDicts(dictOf({ kind: textValue(row.kind) }), inner);
}
