import type { ConversionName } from '../../core/catalog/conversions.ts';
import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { withoutField, type Message } from '../../core/message/message.ts';
import { isSameMessage } from '../message/same-message.ts';
import {
  dictValue,
  findEntry,
  intValue,
  NULL,
  textIn,
  textValue,
  type Value,
} from '../../core/values/value.ts';
import { joinDicts, unpack, type Leftovers } from '../message/envelope.ts';
import { readError, writeError, type ErrorFields } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import { Report } from '../../core/message/report.ts';
import type { Conversion, Reading, Writing } from '../message/shape.ts';

/**
 * A message of JSON-RPC 2.0 that is being read: what AIP, AIO, MCP and A2A share. `members` are those that stand beside
 * the ones that are here.
 */
export interface RpcFrame {
  readonly kind: 'request' | 'result' | 'error';
  /** Of a request. */
  readonly method: string;
  /** What `params`, `result` or `error` holds; undefined where a request has no `params`. */
  readonly body: Value | undefined;
  /** The neutral id: null for a notification, undefined for a reply without one. */
  readonly id: Value | undefined;
  readonly members: Members;
}

/** Opens a message of JSON-RPC; undefined for a value that is neither a request nor a reply, whatever is missing in it. */
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

/** True for a value with marks of JSON-RPC: who only has a `method` or a `result` may be anything. */
export function looksLikeRpc(value: Value): boolean {
  if (kindOf(value) === undefined) return false;
  return ['jsonrpc', 'id', 'params'].some(key => findEntry(value, key) !== undefined);
}

/** What stands in a request or a reply; `beside` are members of its top level, which stand last. */
export interface RpcParts {
  /** The neutral id as `takeId` gives it: null for a notification, which is written without. */
  readonly id: Value;
  readonly body: Value | undefined;
  readonly beside?: readonly { readonly key: string; readonly value: Value | undefined }[];
}

/** The id of a message that is being written, taken from its fields. */
export function takeId(fields: Members<MessageField>, writing: Writing): Value {
  return fields.take('id') ?? intValue(writing.id);
}

/** A request; take the id and all fields before what is left of them is packed. */
export function writeRequest(method: string, { id, body, beside = [] }: RpcParts): Value {
  return dictValue([
    { key: 'jsonrpc', value: textValue(VERSION) },
    { key: 'id', value: id.kind === 'null' ? undefined : id },
    { key: 'method', value: textValue(method) },
    { key: BODIES.request, value: body },
    ...beside,
  ]);
}

/** A reply. */
export function writeReply(kind: 'result' | 'error', { id, body, beside = [] }: RpcParts): Value {
  return dictValue([
    { key: 'jsonrpc', value: textValue(VERSION) },
    { key: 'id', value: id },
    { key: BODIES[kind], value: body },
    ...beside,
  ]);
}

/** The error object of a reply: its fields, and what else stands in it. */
export function readErrorObject(
  protocol: ConversionName,
  body: Value | undefined,
  { report }: Conversion,
): { readonly fields: ErrorFields; readonly left: Value | undefined } {
  // Some servers answer with a text alone.
  if (body?.kind === 'text') return { fields: readError(protocol, { text: body }, report), left: undefined };
  const members = new Members(body);
  const found = { code: members.take('code'), text: members.take('message'), data: members.take('data') };
  const fields = readError(protocol, found, report);
  return { fields, left: body?.kind === 'dict' ? members.left() : body };
}

/** The error object of a message, taken from its fields. */
export function writeErrorObject(
  fields: Members<MessageField>,
  protocol: ConversionName,
  { report }: Conversion,
): Value {
  const { code, text, data } = writeError(fields, protocol, report);
  return dictValue([
    { key: 'code', value: code },
    { key: 'message', value: textValue(text) },
    { key: 'data', value: data },
  ]);
}

/** A protocol's two ways, for `writeWithRest`. */
export interface RestWays {
  /** Writes a message; takes of `rest` what decides on the form, and leaves the members that are to be put back. */
  readonly build: (message: Message, open: Leftovers, writing: Writing) => Value;
  readonly read: (value: Value, reading: Reading) => Message | undefined;
}

/**
 * Writes a message and puts the members back that this protocol's reader left in `rest`. Where they do not come back
 * from there, because they are none that a reader would have left, the whole rest goes into the envelope.
 */
export function writeWithRest(
  given: Message,
  protocol: ConversionName,
  writing: Writing,
  { build, read }: RestWays,
): Value {
  const open = unpack(given, protocol);
  if (open.rest.size === 0) return build(given, open, writing);
  const told = { ...writing, report: new Report() };
  const built = build(given, open, told);
  const value = joinDicts(built, open.rest.left() ?? dictValue([]));
  const reading = {
    ...writing,
    report: new Report(),
    number: (found: Message) => withoutId(found, writing.id),
  };
  const back = read(value, reading);
  if (!back || !isSameMessage(back, given))
    return build(given, withRestInside(unpack(given, protocol), protocol), writing);
  writing.report.adopt(told.report);
  return value;
}

function withRestInside({ fields, rest }: Leftovers, protocol: ConversionName): Leftovers {
  const rests = new Members(fields.take('rest'));
  rests.put(protocol, rest.left());
  fields.put('rest', rests.left());
  return { fields, rest: new Members(undefined) };
}

function withoutId(found: Message, id: number): Message {
  const { id: own } = found.fields;
  return own?.kind === 'int' && own.int === id ? withoutField(found, 'id') : found;
}
