import { defined } from '../../core/text/fields.ts';
import { findProtocol } from '../../core/catalog/protocols.ts';
import { TELEMETRY, TELEMETRY_OPERATIONS, type SpanKind } from '../../core/catalog/trace-names.ts';
import { parseJson } from '../../core/text/json.ts';
import {
  type AttributesEvent,
  type CallEvent,
  type EndEvent,
  type NoteEvent,
  type TokenUsage,
  type TraceEvent,
  type TraceProtocol,
  toReportedId,
} from '../../core/events/events.ts';
import { NO_SECRETS, redactUrl } from '../../core/secrets/redact.ts';
import { redactReported } from '../../core/secrets/redact-event.ts';
import { isSecretName, isSecretPath } from '../../core/secrets/secret-name.ts';
import { REDACTED } from '../../core/secrets/redact-stream.ts';
import { restoreCall } from './envelope.ts';

/** An attribute of telemetry, with its value as the original JSON text. */
export type SpanAttribute = AttributesEvent['attributes'][number];

/** A span of OpenTelemetry. Times are milliseconds since 1970, with fractions. */
export interface TelemetrySpan {
  /** 32 digits of lower-case hex, as in OTLP; any other text is accepted as well. */
  readonly traceId: string;
  /** 16 digits of lower-case hex. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly start: number;
  /** Missing if the span has not ended. */
  readonly end?: number;
  readonly status: 'unset' | 'ok' | 'error';
  readonly statusMessage?: string;
  readonly attributes: readonly SpanAttribute[];
  /** The attributes of its source, such as `service.name`. */
  readonly resource: readonly SpanAttribute[];
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
}

/** An event within a span. */
export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: readonly SpanAttribute[];
}

/** A link to another span. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

/** The maximum number of events, and of links, of a span that become notes; the others are counted. */
const MAX_EVENTS = 100;

/**
 * The source of spans. In a file, and in a backend such as Jaeger, spans that this program exported are restored. A
 * receiver cannot trust such a mark, because any program may send it for any of our calls. Ids in a file stay as they
 * are; ids from other sources are prefixed, because they may equal those of observed calls.
 */
export type SpanSource = 'file' | 'backend' | 'program';

/**
 * Converts spans to events: each span is a call that was not observed, with its parent by id. Credentials in
 * headers and URLs are removed.
 */
export function eventsOfSpans(
  spans: Iterable<TelemetrySpan>,
  from: SpanSource = 'file',
): readonly TraceEvent[] {
  const events: TraceEvent[] = [];
  for (const span of spans)
    for (const event of eventsOfSpan(span, from)) events.push(redactReported(event, NO_SECRETS));
  return events;
}

function eventsOfSpan(reported: TelemetrySpan, from: SpanSource): readonly TraceEvent[] {
  const restored = from === 'program' ? undefined : restoreOwn(reported);
  if (restored) return restored;
  const span = from === 'file' ? reported : { ...reported, spanId: toReportedId(reported.spanId) };
  const facts = factsOf(span.attributes);
  const call = callOf(span, facts);
  const attributes = [...span.attributes, ...span.resource.filter(({ name }) => !facts.has(name))];
  return [
    call,
    ...(attributes.length === 0
      ? []
      : [
          {
            type: 'attributes',
            call: span.spanId,
            at: span.start,
            attributes: attributes.map(redactAttribute),
          } as const,
        ]),
    ...notesOf(span),
    ...endOf(span, facts),
  ];
}

/** Attributes by name, as JSON text, because few of them are parsed. */
type Facts = ReadonlyMap<string, string>;

function factsOf(attributes: readonly SpanAttribute[]): Facts {
  return new Map(attributes.map(({ name, json }) => [name, json]));
}

function valueOf(facts: Facts, name: string): unknown {
  const json = facts.get(name);
  return json === undefined ? undefined : parseJson(json);
}

function textOf(facts: Facts, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = valueOf(facts, name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

function callOf(span: TelemetrySpan, facts: Facts): CallEvent {
  const service = textOf(factsOf(span.resource), TELEMETRY.serviceName);
  const { agent, from } = sidesOf(span, facts, service);
  return defined({
    type: 'call',
    call: span.spanId,
    trace: span.traceId,
    parent: span.parentSpanId,
    at: span.start,
    agent,
    from,
    protocol: protocolOf(facts),
    title: span.name,
    session: textOf(facts, TELEMETRY.conversation, TELEMETRY.mcpSession),
    seen: span.kind === 'server' || span.kind === 'consumer' ? 'callee' : undefined,
    reported: true,
  });
}

/** The callee and, if known, the caller. */
function sidesOf(
  { kind }: TelemetrySpan,
  facts: Facts,
  service = 'unknown service',
): { readonly agent: string; readonly from?: string } {
  const called = calledBy(facts);
  if (kind === 'server' || kind === 'consumer') return { agent: service };
  if (called !== undefined) return { agent: called, from: service };
  if (kind !== 'client' && kind !== 'producer') return { agent: service };
  const { peerService, serverAddress, peerName, rpcService } = TELEMETRY;
  const peer = textOf(facts, peerService, serverAddress, peerName, rpcService);
  return { agent: peer ?? 'unknown service', from: service };
}

/** The agent, tool or model that an operation of generative AI calls. */
function calledBy(facts: Facts): string | undefined {
  const { agentName, toolName, requestModel, provider, system, operation } = TELEMETRY;
  const name = textOf(facts, operation);
  const found = Object.entries(TELEMETRY_OPERATIONS).find(([known]) => known === name);
  switch (found?.[1]) {
    case 'agent':
      return textOf(facts, agentName);
    case 'tool':
      return textOf(facts, toolName);
    case 'model':
      return textOf(facts, requestModel, provider, system);
    case undefined:
      return undefined;
  }
}

function protocolOf(facts: Facts): TraceProtocol {
  const system = facts.has(TELEMETRY.mcpMethod) ? 'mcp' : valueOf(facts, TELEMETRY.rpcSystem);
  return findProtocol(system)?.name ?? 'other';
}

function endOf(span: TelemetrySpan, facts: Facts): readonly EndEvent[] {
  if (span.end === undefined) return [];
  const usage = usageOf(facts);
  const failure = span.status === 'error' ? failureOf(span, facts) : {};
  return [
    {
      type: 'end',
      call: span.spanId,
      at: span.end,
      status: span.status === 'error' ? 'error' : 'ok',
      ...failure,
      ...(usage ? { usage } : {}),
    },
  ];
}

function failureOf(span: TelemetrySpan, facts: Facts): Pick<EndEvent, 'code' | 'message'> {
  const code = textOf(facts, TELEMETRY.errorType, TELEMETRY.httpStatus, TELEMETRY.grpcStatus);
  const exception = span.events.find(({ name }) => name === 'exception');
  const json = exception?.attributes.find(({ name }) => name === TELEMETRY.exceptionMessage)?.json;
  const thrown = json === undefined ? undefined : parseJson(json);
  const message = span.statusMessage ?? (typeof thrown === 'string' ? thrown : undefined);
  return defined({ code, message });
}

function usageOf(facts: Facts): TokenUsage | undefined {
  const usage = defined({
    input: countOf(facts, TELEMETRY.inputTokens, TELEMETRY.promptTokens),
    output: countOf(facts, TELEMETRY.outputTokens, TELEMETRY.completionTokens),
    cached: countOf(facts, TELEMETRY.cachedTokens),
    reasoning: countOf(facts, TELEMETRY.reasoningTokens),
    model: textOf(facts, TELEMETRY.responseModel),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function countOf(facts: Facts, ...names: readonly string[]): number | undefined {
  const count = Number(textOf(facts, ...names));
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function notesOf(span: TelemetrySpan): readonly NoteEvent[] {
  const note = (at: number, text: string): NoteEvent => ({ type: 'note', call: span.spanId, at, text });
  const events = span.events.slice(0, MAX_EVENTS).map(event => note(event.at, describeEvent(event)));
  const links = span.links
    .slice(0, MAX_EVENTS)
    .map(({ traceId, spanId }) => note(span.start, `Linked with the span ${spanId} of the trace ${traceId}`));
  const more = span.events.length + span.links.length - events.length - links.length;
  const rest = more > 0 ? [note(span.start, `${more} more events and links of this span are left out`)] : [];
  return [...events, ...links, ...rest];
}

function describeEvent({ name, attributes }: SpanEvent): string {
  const reported = attributes.map(redactAttribute).map(attribute => `${attribute.name} ${attribute.json}`);
  return reported.length === 0 ? name : `${name}: ${reported.join(', ')}`;
}

/** Matches the attribute of a header, `http.request.header.NAME`. */
const HEADER = /^(?:http|rpc\.[a-z]+)\.(?:request|response)\.(?:header|metadata)\.(.+)$/;

function redactAttribute(attribute: SpanAttribute): SpanAttribute {
  const { name, json } = attribute;
  const header = HEADER.exec(name)?.[1];
  if (header === undefined ? isSecretPath(name) : isSecretName(header, 'header'))
    return { name, json: JSON.stringify(REDACTED) };
  const text = parseJson(json);
  if (typeof text !== 'string') return attribute;
  const isPart = name === 'url.query' || name === 'url.fragment';
  const shown = isPart ? redactUrl(`?${text}`).slice(1) : redactUrl(text);
  return shown === text ? attribute : { name, json: JSON.stringify(shown) };
}

/** Restores the call of a span that we exported; undefined for any other. */
function restoreOwn(span: TelemetrySpan): readonly TraceEvent[] | undefined {
  const envelope = span.attributes.find(({ name }) => name === TELEMETRY.call);
  if (!envelope) return undefined;
  const text = parseJson(envelope.json);
  const facts = factsOf(span.attributes);
  const added: readonly unknown[] = [valueOf(facts, TELEMETRY.added)].flat();
  const ours = new Set<unknown>([TELEMETRY.call, TELEMETRY.added, ...added]);
  // An `agentName` that the call itself had may name another agent.
  const agent = added.includes(TELEMETRY.agentName) ? textOf(facts, TELEMETRY.agentName) : undefined;
  return restoreCall(typeof text === 'string' ? parseJson(text) : undefined, {
    ...(agent === undefined ? {} : { agent }),
    attributes: span.attributes.filter(({ name }) => !ours.has(name)).map(redactAttribute),
  });
}
