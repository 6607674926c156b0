import { readFields, type Fields } from '../text/fields.ts';
import { findProtocol, type ProtocolName } from '../catalog/protocols.ts';
import type {
  CallEvent,
  EndEvent,
  HeadEvent,
  KeptBytes,
  KeptHeader,
  NoteEvent,
  Redaction,
  TraceEvent,
  WireEvent,
} from './events.ts';

/** What a reader of an event's own members answers; undefined where they do not fit. */
type EventReader<Type extends TraceEvent['type']> = (
  fields: Fields,
  common: { readonly call: string; readonly at: number },
) => Extract<TraceEvent, { type: Type }> | undefined;

const READERS: { readonly [Type in TraceEvent['type']]: EventReader<Type> } = {
  call: readCall,
  head: readHead,
  wire: readWire,
  note: readNote,
  end: readEnd,
};

/**
 * An event from a parsed line; undefined where it is none. The event is built anew from the members that are known:
 * nothing else of the line gets in, whatever it is called.
 */
export function readTraceEvent(value: unknown): TraceEvent | undefined {
  const fields = readFields(value);
  const type = fields?.get('type');
  const call = readText(fields?.get('call'));
  const at = readNumber(fields?.get('at'));
  if (!fields || call === undefined || at === undefined || !isEventType(type)) return undefined;
  return READERS[type](fields, { call, at });
}

function isEventType(value: unknown): value is TraceEvent['type'] {
  return typeof value === 'string' && Object.hasOwn(READERS, value);
}

function readCall(fields: Fields, common: { call: string; at: number }): CallEvent | undefined {
  const trace = readText(fields.get('trace'));
  const agent = readText(fields.get('agent'));
  const title = readText(fields.get('title'));
  const protocol = readProtocol(fields.get('protocol'));
  if (trace === undefined || agent === undefined || title === undefined || !protocol) return undefined;
  const parent = readText(fields.get('parent'));
  const source = readSource(fields.get('source'));
  return {
    type: 'call',
    call: common.call,
    trace,
    ...(parent === undefined ? {} : { parent }),
    at: common.at,
    agent,
    protocol,
    title,
    ...(source ? { source } : {}),
  };
}

function readSource(value: unknown): CallEvent['source'] | undefined {
  const fields = readFields(value);
  const uri = readText(fields?.get('uri'));
  const line = readNumber(fields?.get('line'));
  return uri === undefined || line === undefined ? undefined : { uri, line };
}

function readHead(fields: Fields, common: { call: string; at: number }): HeadEvent | undefined {
  const direction = fields.get('direction');
  const line = readText(fields.get('line'));
  const headers = readList(fields.get('headers'), readHeader);
  if ((direction !== 'out' && direction !== 'in') || line === undefined || !headers) return undefined;
  return { type: 'head', call: common.call, at: common.at, direction, line, headers };
}

function readHeader(value: unknown): KeptHeader | undefined {
  const fields = readFields(value);
  const name = readText(fields?.get('name'));
  const text = readText(fields?.get('value'));
  const redacted = readNumber(fields?.get('redacted'));
  if (name === undefined || text === undefined) return undefined;
  return { name, value: text, ...(redacted === undefined ? {} : { redacted }) };
}

function readWire(fields: Fields, common: { call: string; at: number }): WireEvent | undefined {
  const direction = fields.get('direction');
  const bytes = readKeptBytes(fields.get('bytes'));
  if ((direction !== 'out' && direction !== 'in' && direction !== 'stderr') || !bytes) return undefined;
  const redacted = readList(fields.get('redacted'), readRedaction);
  return {
    type: 'wire',
    call: common.call,
    at: common.at,
    direction,
    bytes,
    ...(redacted ? { redacted } : {}),
  };
}

function readKeptBytes(value: unknown): KeptBytes | undefined {
  const fields = readFields(value);
  const text = readText(fields?.get('text'));
  const base64 = readText(fields?.get('base64'));
  if (text !== undefined) return { text };
  return base64 === undefined ? undefined : { base64 };
}

function readRedaction(value: unknown): Redaction | undefined {
  const fields = readFields(value);
  const at = readNumber(fields?.get('at'));
  const length = readNumber(fields?.get('length'));
  return at === undefined || length === undefined ? undefined : { at, length };
}

function readNote(fields: Fields, common: { call: string; at: number }): NoteEvent | undefined {
  const text = readText(fields.get('text'));
  return text === undefined ? undefined : { type: 'note', call: common.call, at: common.at, text };
}

function readEnd(fields: Fields, common: { call: string; at: number }): EndEvent | undefined {
  const status = fields.get('status');
  if (status !== 'ok' && status !== 'error' && status !== 'cancelled' && status !== 'incomplete')
    return undefined;
  const code = readText(fields.get('code'));
  const message = readText(fields.get('message'));
  return {
    type: 'end',
    call: common.call,
    at: common.at,
    status,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readProtocol(value: unknown): ProtocolName | undefined {
  return findProtocol(value)?.name;
}

/** All elements of a list, or undefined where one does not fit. */
function readList<Item>(
  value: unknown,
  read: (item: unknown) => Item | undefined,
): readonly Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.flatMap(item => read(item) ?? []);
  return items.length === value.length ? items : undefined;
}
