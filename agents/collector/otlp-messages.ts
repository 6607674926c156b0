import { Protobuf, type Schema } from './protobuf.ts';

type MessageName =
  | 'Export'
  | 'ResourceSpans'
  | 'Resource'
  | 'ScopeSpans'
  | 'Scope'
  | 'Span'
  | 'SpanEvent'
  | 'Link'
  | 'SpanStatus'
  | 'KeyValue'
  | 'AnyValue'
  | 'ArrayValue'
  | 'KeyValueList'
  | 'Answer'
  | 'PartialSuccess'
  | 'RpcStatus';

const attributes = (number: number) =>
  ({ number, name: 'attributes', type: { message: 'KeyValue' }, isList: true }) as const;
const dropped = (number: number, name: string) =>
  ({ number, name: `dropped${name}Count`, type: 'uint32' }) as const;

/** The fields that identify a span, in a span and in a link. */
const CONTEXT = [
  { number: 1, name: 'traceId', type: 'id' },
  { number: 2, name: 'spanId', type: 'id' },
  { number: 3, name: 'traceState', type: 'string' },
] as const;

/**
 * The messages of OTLP 1 (opentelemetry/proto/trace/v1, common/v1, resource/v1 and collector/trace/v1), with
 * the numbers of their fields and the names in JSON.
 */
const MESSAGES: Schema<MessageName> = {
  Export: [{ number: 1, name: 'resourceSpans', type: { message: 'ResourceSpans' }, isList: true }],
  ResourceSpans: [
    { number: 1, name: 'resource', type: { message: 'Resource' } },
    { number: 2, name: 'scopeSpans', type: { message: 'ScopeSpans' }, isList: true },
    { number: 3, name: 'schemaUrl', type: 'string' },
    // The name before version 0.15.
    { number: 1000, name: 'instrumentationLibrarySpans', type: { message: 'ScopeSpans' }, isList: true },
  ],
  Resource: [attributes(1), dropped(2, 'Attributes')],
  ScopeSpans: [
    { number: 1, name: 'scope', type: { message: 'Scope' } },
    { number: 2, name: 'spans', type: { message: 'Span' }, isList: true },
    { number: 3, name: 'schemaUrl', type: 'string' },
  ],
  Scope: [
    { number: 1, name: 'name', type: 'string' },
    { number: 2, name: 'version', type: 'string' },
    attributes(3),
    dropped(4, 'Attributes'),
  ],
  Span: [
    ...CONTEXT,
    { number: 4, name: 'parentSpanId', type: 'id' },
    { number: 5, name: 'name', type: 'string' },
    { number: 6, name: 'kind', type: 'uint32' },
    { number: 7, name: 'startTimeUnixNano', type: 'fixed64' },
    { number: 8, name: 'endTimeUnixNano', type: 'fixed64' },
    attributes(9),
    dropped(10, 'Attributes'),
    { number: 11, name: 'events', type: { message: 'SpanEvent' }, isList: true },
    dropped(12, 'Events'),
    { number: 13, name: 'links', type: { message: 'Link' }, isList: true },
    dropped(14, 'Links'),
    { number: 15, name: 'status', type: { message: 'SpanStatus' } },
    { number: 16, name: 'flags', type: 'fixed32' },
  ],
  SpanEvent: [
    { number: 1, name: 'timeUnixNano', type: 'fixed64' },
    { number: 2, name: 'name', type: 'string' },
    attributes(3),
    dropped(4, 'Attributes'),
  ],
  Link: [...CONTEXT, attributes(4), dropped(5, 'Attributes'), { number: 6, name: 'flags', type: 'fixed32' }],
  SpanStatus: [
    { number: 2, name: 'message', type: 'string' },
    { number: 3, name: 'code', type: 'uint32' },
  ],
  KeyValue: [
    { number: 1, name: 'key', type: 'string' },
    { number: 2, name: 'value', type: { message: 'AnyValue' } },
  ],
  AnyValue: [
    { number: 1, name: 'stringValue', type: 'string' },
    { number: 2, name: 'boolValue', type: 'bool' },
    { number: 3, name: 'intValue', type: 'int64' },
    { number: 4, name: 'doubleValue', type: 'double' },
    { number: 5, name: 'arrayValue', type: { message: 'ArrayValue' } },
    { number: 6, name: 'kvlistValue', type: { message: 'KeyValueList' } },
    { number: 7, name: 'bytesValue', type: 'bytes' },
  ],
  ArrayValue: [{ number: 1, name: 'values', type: { message: 'AnyValue' }, isList: true }],
  KeyValueList: [{ number: 1, name: 'values', type: { message: 'KeyValue' }, isList: true }],
  Answer: [{ number: 1, name: 'partialSuccess', type: { message: 'PartialSuccess' } }],
  PartialSuccess: [
    { number: 1, name: 'rejectedSpans', type: 'int64' },
    { number: 2, name: 'errorMessage', type: 'string' },
  ],
  RpcStatus: [
    { number: 1, name: 'code', type: 'uint32' },
    { number: 2, name: 'message', type: 'string' },
  ],
};

/** Decodes and encodes what programs and collectors exchange, as values of OTLP's JSON. */
export const OTLP_PROTOBUF = new Protobuf(MESSAGES);

/** Media types of OTLP over HTTP. */
export const OTLP_TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;

export type OtlpEncoding = keyof typeof OTLP_TYPES;
