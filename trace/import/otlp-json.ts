import { SPAN_KINDS, type SpanKind } from '../../core/catalog/trace-names.ts';
import { decodeBase64 } from '../../core/text/base64.ts';
import { defined, asList, readFields, type Fields } from '../../core/text/fields.ts';
import { quote } from '../../core/text/quote.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { readAttributes } from './otlp-attributes.ts';
import {
  eventsOfSpans,
  type SpanEvent,
  type SpanLink,
  type SpanSource,
  type TelemetrySpan,
} from './otlp-spans.ts';
import { readDate } from './dates.ts';
import { ImportNotes, type ImportedTrace } from './imported.ts';

/** The members with spans, in OTLP 1, and in earlier and other spellings. */
const RESOURCE_LISTS = ['resourceSpans', 'resource_spans'];
const SCOPE_LISTS = [
  'scopeSpans',
  'scope_spans',
  'instrumentationLibrarySpans',
  'instrumentation_library_spans',
];

/** True for a value with spans in OTLP's JSON: an export, or one line of a collector's file. */
export function isOtlp(value: unknown): boolean {
  const fields = readFields(value);
  return fields !== undefined && RESOURCE_LISTS.some(name => Array.isArray(fields.get(name)));
}

/**
 * Reads spans of OTLP's JSON, from one or several exports. Accepts names in camel case or with underscores, ids as hex
 * or Base64, times and integers as texts, numbers or halves of 32 bits, and kinds and statuses by number or name.
 */
export function importOtlp(exports: readonly unknown[], from: SpanSource = 'file'): ImportedTrace {
  return runAtOnce(otlpSteps(exports, from));
}

/** The same in slices. */
export function* otlpSteps(
  exports: readonly unknown[],
  from: SpanSource = 'file',
): Generator<undefined, ImportedTrace> {
  const notes = new ImportNotes();
  const events: TraceEvent[] = [];
  for (const span of listSpans(exports, notes)) {
    for (const event of eventsOfSpans([span], from)) events.push(event);
    yield;
  }
  return { ok: true, events, notes: notes.all };
}

function* listSpans(exports: readonly unknown[], notes: ImportNotes): Generator<TelemetrySpan, void> {
  for (const each of exports)
    for (const resourceSpans of listOf(readFields(each), RESOURCE_LISTS)) {
      const holder = readFields(resourceSpans);
      const resource = readAttributes(readFields(holder?.get('resource'))?.get('attributes'));
      for (const scopeSpans of listOf(holder, SCOPE_LISTS))
        for (const value of listOf(readFields(scopeSpans), ['spans'])) {
          const span = readSpan(value, resource);
          if (span) yield span;
          else notes.add(`A span without ids or times was left out: ${quote(describe(value), 80)}`);
        }
    }
}

/** The number of spans in an export, readable or not. */
export function countSpans(value: unknown): number {
  let count = 0;
  for (const resourceSpans of listOf(readFields(value), RESOURCE_LISTS))
    for (const scopeSpans of listOf(readFields(resourceSpans), SCOPE_LISTS))
      count += listOf(readFields(scopeSpans), ['spans']).length;
  return count;
}

function describe(value: unknown): string {
  const fields = readFields(value);
  return fields ? [...fields.keys()].slice(0, 10).join(', ') : typeof value;
}

function readSpan(value: unknown, resource: TelemetrySpan['resource']): TelemetrySpan | undefined {
  const fields = readFields(value);
  const traceId = readId(find(fields, 'traceId', 'trace_id'), 16);
  const spanId = readId(find(fields, 'spanId', 'span_id'), 8);
  const start = readTime(find(fields, 'startTimeUnixNano', 'start_time_unix_nano'));
  if (!fields || traceId === undefined || spanId === undefined || start === undefined) return undefined;
  const end = readTime(find(fields, 'endTimeUnixNano', 'end_time_unix_nano'));
  const name = fields.get('name');
  return defined({
    traceId,
    spanId,
    parentSpanId: readId(find(fields, 'parentSpanId', 'parent_span_id'), 8),
    name: typeof name === 'string' ? name : '',
    kind: readKind(fields.get('kind')),
    start,
    ...(end === undefined || end === 0 ? {} : { end }),
    ...readStatus(readFields(fields.get('status'))),
    attributes: readAttributes(fields.get('attributes')),
    resource,
    events: listOf(fields, ['events']).map(event => readEvent(event, start)),
    links: listOf(fields, ['links']).flatMap(link => readLink(link) ?? []),
  });
}

function find(fields: Fields | undefined, ...names: readonly string[]): unknown {
  for (const name of names) if (fields?.has(name)) return fields.get(name);
  return undefined;
}

function listOf(fields: Fields | undefined, names: readonly string[]): readonly unknown[] {
  return asList(find(fields, ...names));
}

/**
 * Reads an id with this number of bytes as lower-case hex: OTLP's JSON has hex, other serializers of the same
 * messages Base64. Any other text is returned as a name; an empty one, or zeros, is no id.
 */
function readId(value: unknown, bytes: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (/^0+$/.test(value)) return undefined;
  if (value.length === bytes * 2 && /^[\da-f]+$/i.test(value)) return value.toLowerCase();
  const decoded = value.length === Math.ceil(bytes / 3) * 4 ? decodeBase64(value) : undefined;
  if (decoded?.length !== bytes) return value;
  const hex = [...decoded].map(byte => byte.toString(16).padStart(2, '0')).join('');
  return /^0+$/.test(hex) ? undefined : hex;
}

/** Reads nanoseconds since 1970 as milliseconds, from digits, a number, or two halves of 32 bits; also reads a date. */
function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value / 1e6 : undefined;
  if (typeof value === 'string')
    return /^\d{1,20}$/.test(value) ? fromNanoseconds(BigInt(value)) : readDate(value);
  const halves = readFields(value);
  const [low, high] = [halves?.get('low'), halves?.get('high')];
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  if (!Number.isInteger(low) || !Number.isInteger(high)) return undefined;
  return fromNanoseconds((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
}

/** Converts to the nearest double: whole milliseconds plus the rest. */
function fromNanoseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6;
}

function readKind(value: unknown): SpanKind {
  if (typeof value === 'number') return SPAN_KINDS[value] ?? 'unspecified';
  const name = typeof value === 'string' ? value.replace(/^SPAN_KIND_/, '').toLowerCase() : '';
  return SPAN_KINDS.find((kind, number) => kind === name || String(number) === name) ?? 'unspecified';
}

function readStatus(fields: Fields | undefined): Pick<TelemetrySpan, 'status' | 'statusMessage'> {
  const code = fields?.get('code');
  const message = fields?.get('message');
  const text = typeof code === 'string' ? code.replace(/^STATUS_CODE_/, '').toLowerCase() : code;
  return {
    status:
      text === 2 || text === '2' || text === 'error' ? 'error' : text === 1 || text === 'ok' ? 'ok' : 'unset',
    ...(typeof message === 'string' && message !== '' ? { statusMessage: message } : {}),
  };
}

function readEvent(value: unknown, start: number): SpanEvent {
  const fields = readFields(value);
  const name = fields?.get('name');
  return {
    name: typeof name === 'string' && name !== '' ? name : 'event',
    at: readTime(find(fields, 'timeUnixNano', 'time_unix_nano')) ?? start,
    attributes: readAttributes(fields?.get('attributes')),
  };
}

function readLink(value: unknown): SpanLink | undefined {
  const fields = readFields(value);
  const traceId = readId(find(fields, 'traceId', 'trace_id'), 16);
  const spanId = readId(find(fields, 'spanId', 'span_id'), 8);
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}
