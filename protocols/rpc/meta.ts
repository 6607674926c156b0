import { findMessageKind, type MessageField, type MessageKind } from '../../core/catalog/message-kinds.ts';
import { dictValue, NULL, textIn, type DictValue, type Entry, type Value } from '../../core/values/value.ts';
import { nameArguments } from '../tools/arguments.ts';
import { ENVELOPE, packEnvelope, type Leftovers } from '../message/envelope.ts';
import { Members } from '../message/members.ts';
import { takeId } from './frame.ts';
import type { Writing } from '../message/shape.ts';

/** The W3C form of a trace's name: another one stays in the envelope, because MCP has no place for it. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACE_KEY = 'traceparent';

/** The `_meta` of a request's `params` or of a `result`, opened. */
export interface Meta {
  /** The members beside `_meta`; the same object where there is none. */
  readonly body: DictValue;
  readonly envelope: Value | undefined;
  readonly trace: Value | undefined;
  /** What nobody took. */
  readonly left: Members;
}

/** Opens the `_meta` of a dictionary; one that is no dictionary stays among the members. */
export function openMeta(dict: DictValue): Meta {
  const members = new Members(dict);
  const meta = members.takeKind('_meta', 'dict');
  const left = new Members(meta);
  return {
    body: meta ? dictValue(members.entries()) : dict,
    envelope: left.take(ENVELOPE),
    trace: isTraceparent(left.peek(TRACE_KEY)) ? left.take(TRACE_KEY) : undefined,
    left,
  };
}

/** A dictionary with its `_meta`: the fields that nobody took, and the trace. Undefined where there is nothing to say. */
export function closeMeta(
  body: DictValue | undefined,
  open: Leftovers,
  more: {
    readonly envelope?: readonly Entry[];
    readonly meta?: readonly Entry[];
    readonly kind?: MessageKind;
  },
): DictValue | undefined {
  const trace = isTraceparent(open.fields.peek('trace')) ? open.fields.take('trace') : undefined;
  const packed = packEnvelope(open, more.kind);
  const envelope = dictValue([...(packed?.entries ?? []), ...(more.envelope ?? [])]);
  const meta = dictValue([
    ...(more.meta ?? []),
    { key: TRACE_KEY, value: trace },
    { key: ENVELOPE, value: envelope.entries.length > 0 ? envelope : undefined },
  ]);
  if (meta.entries.length > 0) return dictValue([...(body?.entries ?? []), { key: '_meta', value: meta }]);
  return body && body.entries.length > 0 ? body : undefined;
}

/** True for a trace's name in the W3C form. */
export function isTraceparent(value: Value | undefined): boolean {
  return TRACEPARENT.test(textIn(value) ?? '');
}

/**
 * The id for a frame, taken first. A part of a reply is a notification and has one only where it names one; null is
 * none there, so it stays among the fields.
 */
export function takePartId(kind: MessageKind, fields: Members<MessageField>, writing: Writing): Value {
  if (!isNotification(kind)) return takeId(fields, writing);
  return fields.peek('id')?.kind === 'null' ? NULL : (fields.take('id') ?? NULL);
}

/** The arguments of a call by name. An empty list has nothing to be named, so it stays among the fields as it is. */
export function takeArguments(fields: Members<MessageField>, writing: Writing): Value | undefined {
  const given = fields.peek('arguments');
  return given?.kind === 'list' && given.items.length === 0 ? undefined : nameArguments(fields, writing);
}

/** The id of a frame: a part of a reply that names none has none. */
export function idOf(kind: MessageKind, id: Value | undefined): Value | undefined {
  return isNotification(kind) && id?.kind === 'null' ? undefined : id;
}

function isNotification(kind: MessageKind): boolean {
  const role = findMessageKind(kind)?.role;
  return role === 'part' || role === 'none';
}

/** The members that nobody took, the nested ones after them; undefined where nothing is left. */
export function joinLeft(
  members: Members,
  nested: readonly { readonly key: string; readonly value: Value | undefined }[],
): DictValue | undefined {
  const left = dictValue([...members.entries(), ...nested]);
  return left.entries.length === 0 ? undefined : left;
}
