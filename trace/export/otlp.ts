import type { Protocols } from '../../protocols/protocol.ts';
import { PRODUCT } from '../../core/catalog/product.ts';
import { SPAN_KINDS, TELEMETRY, type SpanKind } from '../../core/catalog/trace-names.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { printAnyValue } from '../import/otlp-attributes.ts';
import { spanOf } from '../../core/events/events.ts';
import type { CallNode, TraceTree } from '../fold/tree.ts';
import { bareEnvelopeOf, endOf, envelopeOf } from './envelope.ts';
import { contentAttributes } from './otlp-content.ts';
import { toHexId, toNanoseconds } from './otlp-ids.ts';
import { toAnyValue, type AnyValue, type KeyValue } from './otlp-values.ts';
import { callerOf, walkCalls, type ExportSource } from './source.ts';

/** Exports all calls of traces as spans: see `printSpans`. */
export function exportOtlp(source: ExportSource): AsyncGenerator<string, void> {
  return printSpans(
    placeCalls(source.trees),
    source.includesContent ? source : { protocols: source.protocols },
  );
}

/** A call, and the name of its trace. */
export interface PlacedCall {
  readonly node: CallNode;
  readonly trace: string;
}

/**
 * Prints calls as spans in OTLP's JSON (opentelemetry-proto 1.x, `ExportTraceServiceRequest`), grouped by the
 * service that would have reported them: the caller, or the agent for calls observed at the agent. Attributes
 * are those of GenAI and MCP; `parley.call` has everything else. The content of requests and replies is
 * exported only if `source` has payloads, because the conventions make it optional.
 */
export async function* printSpans(
  calls: Iterable<PlacedCall>,
  source: SpanContext,
): AsyncGenerator<string, void> {
  const services = groupByService(calls);
  yield '{"resourceSpans":[';
  let first = true;
  for (const [service, reported] of services) {
    const resource = { attributes: [text(TELEMETRY.serviceName, service)] };
    const scope = { name: PRODUCT.name, version: PRODUCT.version };
    yield `${first ? '' : ','}\n{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`;
    first = false;
    for (const [index, call] of reported.entries()) {
      const attributes = await describeContent(call.node, source);
      yield `${index === 0 ? '' : ','}\n${JSON.stringify(toSpan(call, attributes, source.protocols))}`;
    }
    yield '\n]}]}';
  }
  yield '\n]}\n';
}

/** The context of spans; with `payload`, the content of calls is exported. */
export interface SpanContext
  extends Pick<ExportSource, 'protocols'>, Partial<Pick<ExportSource, 'payload'>> {}

async function describeContent(
  node: CallNode,
  { protocols, payload: find }: SpanContext,
): Promise<readonly KeyValue[]> {
  if (!find) return [];
  const payload = await find(node.call.call);
  const { operation } = operationOf(node, protocols);
  return contentAttributes(node, payload, { operation, protocols }).map(([name, value]) => text(name, value));
}

/** All calls of traces, parents first. */
export function* placeCalls(trees: readonly TraceTree[]): Generator<PlacedCall, void> {
  for (const tree of trees) for (const node of walkCalls([tree])) yield { node, trace: tree.trace };
}

function groupByService(calls: Iterable<PlacedCall>): ReadonlyMap<string, readonly PlacedCall[]> {
  const services = new Map<string, PlacedCall[]>();
  for (const call of calls) {
    const service = serviceOf(call.node);
    const known = services.get(service);
    if (known) known.push(call);
    else services.set(service, [call]);
  }
  return services;
}

function serviceOf(node: CallNode): string {
  const { call, attributes } = node;
  // A span from elsewhere has the name of its own service.
  const reported = call.reported && attributes.find(({ name }) => name === TELEMETRY.serviceName);
  const name = reported && parseJson(reported.json);
  if (typeof name === 'string') return name;
  return (isServed(node) ? call.agent : callerOf(node)) ?? PRODUCT.name;
}

function isServed({ call }: CallNode): boolean {
  return call.seen === 'callee';
}

/** A call as a span in OTLP's JSON; `said` are the attributes of its content. */
function toSpan({ node, trace }: PlacedCall, attributes: readonly KeyValue[], protocols: Protocols): object {
  const { call, status, message } = node;
  const parentId = parentSpanOf(node);
  const isFailed = status !== 'ok' && status !== 'open';
  return {
    traceId: toHexId(trace, 32),
    spanId: spanIdOf(node),
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name: nameOf(node, protocols),
    kind: SPAN_KINDS.indexOf(kindOf(node)),
    startTimeUnixNano: toNanoseconds(call.at),
    endTimeUnixNano: toNanoseconds(endTimeOf(node)),
    attributes: attributesOf(node, attributes, protocols),
    events: eventsOf(node),
    status: isFailed ? { code: 2, ...(message === undefined ? {} : { message }) } : {},
  };
}

/**
 * A span from elsewhere retains its id, unless its parent is the observed call that it describes, which has
 * that id.
 */
function spanIdOf({ call: { call }, parent }: CallNode): string {
  const span = spanOf(call);
  return toHexId(parent?.call.call === span ? call : span, 16);
}

function parentSpanOf({ parent, call }: CallNode): string | undefined {
  if (parent) return spanIdOf(parent);
  return call.parent === undefined ? undefined : toHexId(spanOf(call.parent), 16);
}

function kindOf(node: CallNode): SpanKind {
  if (isServed(node)) return 'server';
  return node.call.reported && node.call.from === undefined ? 'internal' : 'client';
}

/**
 * The end of a span. OpenTelemetry has no open spans, so an open call ends with its latest event, and gets an
 * event for that.
 */
function endTimeOf(node: CallNode): number {
  return endOf(node)?.at ?? Math.max(node.call.at, node.traffic.lastAt);
}

/** Matches titles of requests for an agent's tools, in any protocol. */
const ASKED = /^(?:LIST$|INFO )/;

/** The operation of a call, as far as its title shows. */
function operationOf(
  { call }: CallNode,
  protocols: Protocols,
): {
  readonly operation: 'execute_tool' | 'invoke_agent';
  readonly mcpMethod?: string;
} {
  const { method, titlesAreTools = false } = protocols.find(call.protocol)?.spans ?? {};
  const isAsked = ASKED.test(call.title);
  if (!method) return { operation: titlesAreTools && !isAsked ? 'execute_tool' : 'invoke_agent' };
  const mcpMethod = isAsked ? 'tools/list' : method(call.title);
  return { operation: mcpMethod === 'tools/call' ? 'execute_tool' : 'invoke_agent', mcpMethod };
}

function nameOf(node: CallNode, protocols: Protocols): string {
  const { call } = node;
  if (call.reported || !protocols.find(call.protocol)) return call.title;
  const { operation, mcpMethod } = operationOf(node, protocols);
  if (mcpMethod === 'tools/call') return `tools/call ${call.title}`;
  if (mcpMethod !== undefined) return ASKED.test(call.title) ? mcpMethod : call.title;
  return `${operation} ${operation === 'execute_tool' ? call.title : call.agent}`;
}

function attributesOf(
  node: CallNode,
  attributes: readonly KeyValue[],
  protocols: Protocols,
): readonly KeyValue[] {
  const own = node.attributes.map(({ name, json }) => ({ key: name, value: toAnyValue(json) }));
  const has = new Set(own.map(({ key }) => key));
  const all = [...describeCall(node, protocols), ...describeOutcome(node), ...attributes];
  const added = all.filter(({ key }) => !has.has(key));
  const names: AnyValue = { arrayValue: { values: added.map(({ key }) => ({ stringValue: key })) } };
  // OTLP cannot express all JSON, such as a number of many digits in a list.
  const isExact = node.attributes.every(({ json }, index) => isSame(own[index], json));
  const envelope = isExact ? bareEnvelopeOf(node) : envelopeOf(node);
  return [
    ...own,
    ...added,
    { key: TELEMETRY.added, value: names },
    text(TELEMETRY.call, JSON.stringify(envelope)),
  ];
}

function isSame(attribute: KeyValue | undefined, json: string): boolean {
  return attribute !== undefined && printAnyValue(readFields(attribute.value)) === json;
}

function describeCall(node: CallNode, protocols: Protocols): readonly KeyValue[] {
  const { call } = node;
  // A span from elsewhere has its own attributes, and need not be an agent's call at all.
  if (call.reported) return [];
  const { operation, mcpMethod } = operationOf(node, protocols);
  const session = protocols.find(call.protocol)?.spans?.session ?? TELEMETRY.conversation;
  return [
    text(TELEMETRY.agentName, call.agent),
    text(TELEMETRY.operation, operation),
    ...(operation === 'execute_tool' ? [text(TELEMETRY.toolName, call.title)] : []),
    ...(mcpMethod === undefined ? [] : [text(TELEMETRY.mcpMethod, mcpMethod)]),
    ...(call.session === undefined ? [] : [text(session, call.session)]),
  ];
}

function describeOutcome({ status, code, usage, traffic }: CallNode): readonly KeyValue[] {
  const isFailed = status !== 'ok' && status !== 'open';
  return [
    ...(isFailed ? [text(TELEMETRY.errorType, code ?? (status === 'error' ? '_OTHER' : status))] : []),
    ...count(TELEMETRY.inputTokens, usage?.input),
    ...count(TELEMETRY.outputTokens, usage?.output),
    ...count(TELEMETRY.cachedTokens, usage?.cached),
    ...count(TELEMETRY.reasoningTokens, usage?.reasoning),
    ...(usage?.model === undefined ? [] : [text(TELEMETRY.responseModel, usage.model)]),
    ...count(TELEMETRY.requestSize, traffic.bytesOut || undefined),
    ...count(TELEMETRY.responseSize, traffic.bytesIn || undefined),
    ...count(TELEMETRY.chunks, traffic.piecesIn < 2 ? undefined : traffic.piecesIn),
  ];
}

/** The events of a span: notes, arrival times of streamed pieces, and whether the call is still open. */
function eventsOf(node: CallNode): readonly object[] {
  const { call, notes, traffic, status } = node;
  const chunks = traffic.piecesIn < 2 ? [] : traffic.ticks;
  return [
    ...notes.map(note => ({
      timeUnixNano: toNanoseconds(call.at),
      name: 'parley.note',
      attributes: [text('message', note)],
    })),
    ...chunks.map(at => ({ timeUnixNano: toNanoseconds(at), name: 'parley.chunk' })),
    ...(status === 'open' ? [{ timeUnixNano: toNanoseconds(endTimeOf(node)), name: 'parley.open' }] : []),
  ];
}

function text(key: string, stringValue: string): KeyValue {
  return { key, value: { stringValue } };
}

function count(key: string, value: number | undefined): readonly KeyValue[] {
  return value === undefined ? [] : [{ key, value: { intValue: String(value) } }];
}
