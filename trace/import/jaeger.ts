import { SPAN_KINDS, TELEMETRY, type SpanKind } from '../../core/catalog/trace-names.ts';
import { asList, readFields, type Fields, readText } from '../../core/text/fields.ts';
import { quote } from '../../core/text/quote.ts';
import { ImportNotes, type ImportedTrace } from './imported.ts';
import { readJaegerErrors, describeJaeger } from './jaeger-answer.ts';
import { printAnyValue } from './otlp-attributes.ts';
import {
  eventsOfSpans,
  type SpanAttribute,
  type SpanEvent,
  type SpanLink,
  type SpanSource,
  type TelemetrySpan,
} from './otlp-spans.ts';

/**
 * True for the reply of Jaeger's query API at `/api/traces/ID`, which its pages also save as a file:
 * `{"data": [{"spans": …}]}`.
 */
export function isJaeger(value: unknown): boolean {
  const data = readFields(value)?.get('data');
  return Array.isArray(data) && data.some(trace => Array.isArray(readFields(trace)?.get('spans')));
}

/** Reads traces of Jaeger's own JSON, with times in microseconds; tags become attributes, logs events. */
export function importJaeger(value: unknown, from: SpanSource = 'file'): ImportedTrace {
  const notes = new ImportNotes();
  return { ok: true, events: eventsOfSpans(listSpans(value, notes), from), notes: notes.all };
}

function* listSpans(value: unknown, notes: ImportNotes): Generator<TelemetrySpan, void> {
  for (const { message } of readJaegerErrors(value)) notes.add(describeJaeger(message));
  const names = new Map<string, string>();
  for (const each of asList(readFields(value)?.get('data'))) {
    const trace = readFields(each);
    if (!Array.isArray(trace?.get('spans'))) notes.add('A trace without a list of spans was left out');
    const processes = readFields(trace?.get('processes'));
    const resources = new Map([...(processes ?? [])].map(([id, process]) => [id, readProcess(process)]));
    for (const warning of asList(trace?.get('warnings')))
      if (typeof warning === 'string') notes.add(describeJaeger(warning));
    for (const item of asList(trace?.get('spans'))) {
      const span = readSpan(readFields(item), resources);
      if (span) {
        noteSharedId(span, names, notes);
        yield span;
      } else
        notes.add(
          `A span without ids or times was left out: ${quote(textOf(readFields(item), 'operationName') ?? '')}`,
        );
    }
  }
}

/** Notes an id of two spans: both sides of a call may share one, as in Zipkin, and Jaeger's raw storage keeps that. */
function noteSharedId(
  { traceId, spanId, kind, name }: TelemetrySpan,
  names: Map<string, string>,
  notes: ImportNotes,
): void {
  const id = `${traceId} ${spanId}`;
  const [before, reported] = [names.get(id), `${kind} ${name}`];
  if (before !== undefined && before !== reported)
    notes.add(
      `Two spans have the id ${spanId}: ${quote(before)} and ${quote(reported)}; they are shown as one`,
    );
  names.set(id, reported);
}

function readProcess(value: unknown): readonly SpanAttribute[] {
  const fields = readFields(value);
  const name = textOf(fields, 'serviceName');
  return [
    ...(name === undefined ? [] : [{ name: TELEMETRY.serviceName, json: JSON.stringify(name) }]),
    ...readTags(fields, 'tags'),
  ];
}

function readSpan(
  fields: Fields | undefined,
  resources: ReadonlyMap<string, readonly SpanAttribute[]>,
): TelemetrySpan | undefined {
  const traceId = readId(fields, 'traceID', 32);
  const spanId = readId(fields, 'spanID', 16);
  const start = readTime(fields, 'startTime');
  if (!fields || traceId === undefined || spanId === undefined || start === undefined) return undefined;
  const attributes = readTags(fields, 'tags');
  const tags = new Map(attributes.map(({ name, json }) => [name, json]));
  const references = asList(fields?.get('references')).flatMap(item => readReference(readFields(item)) ?? []);
  // Like Jaeger itself (jaeger-idl, `Span.ParentSpanID`): the first reference in the same trace, preferably
  // `CHILD_OF`.
  const near = references.filter(reference => reference.traceId === traceId);
  const parent = near.find(reference => reference.isParent) ?? near.find(reference => reference.isFollowed);
  const parentSpanId = parent?.spanId ?? readId(fields, 'parentSpanID', 16);
  const message = textOfJson(tags.get('otel.status_description'));
  const process = textOf(fields, 'processID');
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: textOf(fields, 'operationName') ?? '',
    kind: readKind(textOfJson(tags.get('span.kind'))),
    start,
    end: start + (readTime(fields, 'duration') ?? 0),
    status: readStatus(tags),
    ...(message === undefined ? {} : { statusMessage: message }),
    attributes,
    resource:
      (process === undefined ? undefined : resources.get(process)) ?? readProcess(fields.get('process')),
    events: [
      ...asList(fields?.get('logs')).map(log => readLog(readFields(log), start)),
      ...readWarnings(fields, start),
    ],
    links: references.filter(reference => reference !== parent),
  };
}

/** Reads an id and restores leading zeros, which some programs drop. */
function readId(fields: Fields | undefined, name: string, digits: number): string | undefined {
  const id = textOf(fields, name);
  if (id === undefined || /^0*$/.test(id)) return undefined;
  return /^[\da-f]+$/i.test(id) ? id.toLowerCase().padStart(digits, '0') : id;
}

/** Reads microseconds as milliseconds. */
function readTime(fields: Fields | undefined, name: string): number | undefined {
  const time = fields?.get(name);
  return typeof time === 'number' && Number.isFinite(time) ? time / 1000 : undefined;
}

interface Reference extends SpanLink {
  readonly isParent: boolean;
  readonly isFollowed: boolean;
}

function readReference(fields: Fields | undefined): Reference | undefined {
  const traceId = readId(fields, 'traceID', 32);
  const spanId = readId(fields, 'spanID', 16);
  if (traceId === undefined || spanId === undefined) return undefined;
  const type = fields?.get('refType');
  return { traceId, spanId, isParent: type === 'CHILD_OF', isFollowed: type === 'FOLLOWS_FROM' };
}

function readStatus(tags: ReadonlyMap<string, string>): TelemetrySpan['status'] {
  const reported = textOfJson(tags.get('otel.status_code'))?.toLowerCase();
  if (reported === 'error' || reported === 'ok') return reported;
  const error = tags.get('error');
  return error === 'true' || error === '"true"' ? 'error' : 'unset';
}

function readKind(name: string | undefined): SpanKind {
  return SPAN_KINDS.find(kind => kind === name) ?? 'unspecified';
}

function readLog(fields: Fields | undefined, start: number): SpanEvent {
  const attributes = readTags(fields, 'fields');
  const name = textOfJson(attributes.find(attribute => attribute.name === 'event')?.json);
  return {
    name: name ?? 'log',
    at: readTime(fields, 'timestamp') ?? start,
    attributes: name === undefined ? attributes : attributes.filter(attribute => attribute.name !== 'event'),
  };
}

function readWarnings(fields: Fields, at: number): readonly SpanEvent[] {
  return asList(fields?.get('warnings'))
    .filter(warning => typeof warning === 'string')
    .map(warning => ({ name: describeJaeger(warning), at, attributes: [] }));
}

/** The members of OTLP's JSON for the types of tags. */
const TAG_VALUES: ReadonlyMap<unknown, string> = new Map([
  ['bool', 'boolValue'],
  ['int64', 'intValue'],
  ['float64', 'doubleValue'],
]);

/** Reads tags `{key, type, value}`; 64-bit integers may be texts, and bytes are Base64. */
function readTags(fields: Fields | undefined, name: string): readonly SpanAttribute[] {
  return asList(fields?.get(name)).flatMap(item => {
    const tag = readFields(item);
    const key = textOf(tag, 'key');
    const value = tag?.get('value');
    if (key === undefined || value === undefined) return [];
    const type = TAG_VALUES.get(tag?.get('type'));
    // Indexes store booleans as words.
    const plain = type === 'boolValue' && (value === 'true' || value === 'false') ? value === 'true' : value;
    const json = type === undefined ? undefined : printAnyValue(new Map([[type, plain]]));
    return [{ name: key, json: json ?? JSON.stringify(value) }];
  });
}

function textOf(fields: Fields | undefined, name: string): string | undefined {
  return readText(fields?.get(name));
}

function textOfJson(json: string | undefined): string | undefined {
  return json?.startsWith('"') ? String(JSON.parse(json)) : undefined;
}
