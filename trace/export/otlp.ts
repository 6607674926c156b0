import { MCP_METHOD_ROOTS, MCP_METHODS } from '../../protocols/mcp/names.ts';
import { PRODUCT } from '../../core/catalog/product.ts';
import { SPAN_KINDS, TELEMETRY, type SpanKind } from '../../core/catalog/telemetry.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { printAnyValue } from '../import/otlp-attributes.ts';
import { spanOf } from '../../core/events/told-id.ts';
import type { CallNode, TraceTree } from '../fold/tree.ts';
import { bareEnvelopeOf, endOf, envelopeOf } from './envelope.ts';
import { tellContent } from './otlp-content.ts';
import { toHexId, toNanoseconds } from './otlp-ids.ts';
import { toAnyValue, type AnyValue, type KeyValue } from './otlp-values.ts';
import { callerOf, walkCalls, type ExportSource } from './source.ts';

/** All calls of traces as spans: see `printSpans`. */
export function exportOtlp(source: ExportSource): AsyncGenerator<string, void> {
  return printSpans(placeCalls(source.trees), source.tellsContent ? source : undefined);
}

/** A call, and the name of its trace. */
export interface PlacedCall {
  readonly node: CallNode;
  readonly trace: string;
}

/**
 * Calls as spans in OTLP's JSON (opentelemetry-proto 1.x, `ExportTraceServiceRequest`), grouped by the service that would have
 * told of them: the caller, or the agent for what it was seen to serve. Attributes are those of GenAI and MCP; `parley.call`
 * keeps what they cannot say. What was asked and answered is told where its source is given, and not otherwise, as the
 * conventions ask.
 */
export async function* printSpans(
  calls: Iterable<PlacedCall>,
  content?: Pick<ExportSource, 'payload' | 'protocols'>,
): AsyncGenerator<string, void> {
  const services = groupByService(calls);
  yield '{"resourceSpans":[';
  let first = true;
  for (const [service, told] of services) {
    const resource = { attributes: [text(TELEMETRY.serviceName, service)] };
    const scope = { name: PRODUCT.name, version: PRODUCT.version };
    yield `${first ? '' : ','}\n{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`;
    first = false;
    for (const [index, call] of told.entries()) {
      const said = content ? await sayContent(call.node, content) : [];
      yield `${index === 0 ? '' : ','}\n${JSON.stringify(toSpan(call, said))}`;
    }
    yield '\n]}]}';
  }
  yield '\n]}\n';
}

async function sayContent(
  node: CallNode,
  source: Pick<ExportSource, 'payload' | 'protocols'>,
): Promise<readonly KeyValue[]> {
  const payload = await source.payload(node.call.call);
  const { operation } = operationOf(node);
  const { protocols } = source;
  return tellContent(node, payload, { operation, protocols }).map(([name, value]) => text(name, value));
}

/** All calls of traces, each after the one above it. */
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
  // A span that somebody told of says itself whose it is.
  const told = call.told && attributes.find(({ name }) => name === TELEMETRY.serviceName);
  const name = told && parseJson(told.json);
  if (typeof name === 'string') return name;
  return (isServed(node) ? call.agent : callerOf(node)) ?? PRODUCT.name;
}

function isServed({ call }: CallNode): boolean {
  return call.seen === 'callee';
}

/** A call as a span, in OTLP's JSON, with what it says beside its attributes. */
function toSpan({ node, trace }: PlacedCall, said: readonly KeyValue[]): object {
  const { call, status, message } = node;
  const parentId = parentSpanOf(node);
  const isFailed = status !== 'ok' && status !== 'open';
  return {
    traceId: toHexId(trace, 32),
    spanId: spanIdOf(node),
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name: nameOf(node),
    kind: SPAN_KINDS.indexOf(kindOf(node)),
    startTimeUnixNano: toNanoseconds(call.at),
    endTimeUnixNano: toNanoseconds(endTimeOf(node)),
    attributes: attributesOf(node, said),
    events: eventsOf(node),
    status: isFailed ? { code: 2, ...(message === undefined ? {} : { message }) } : {},
  };
}

/** A span that came from elsewhere keeps its id, unless it tells of a call that was heard, which has that id. */
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
  return node.call.told && node.call.from === undefined ? 'internal' : 'client';
}

/** OpenTelemetry has no spans that go on: such a one ends with what came of it last, and an event says so. */
function endTimeOf(node: CallNode): number {
  return endOf(node)?.at ?? Math.max(node.call.at, node.traffic.lastAt);
}

/** A method of MCP that is no call of a tool: a call of one has the tool's name for its title. */
const MCP_METHOD = new RegExp(`^(?:${MCP_METHODS.join('|')}|(?:${MCP_METHOD_ROOTS.join('|')})/\\S*)(?= |$)`);

/** What an agent is asked of its tools, whatever it speaks. */
const ASKED = /^(?:LIST$|INFO )/;

/** What is done, as far as a title tells it. */
function operationOf({ call }: CallNode): {
  readonly operation: 'execute_tool' | 'invoke_agent';
  readonly mcpMethod?: string;
} {
  if (call.protocol === 'mcp') {
    const method = ASKED.test(call.title) ? 'tools/list' : MCP_METHOD.exec(call.title)?.[0];
    return method === undefined
      ? { operation: 'execute_tool', mcpMethod: 'tools/call' }
      : { operation: 'invoke_agent', mcpMethod: method };
  }
  const isTool = call.protocol === 'aicf' || call.protocol === 'json-rpc' || call.protocol === 'aio';
  const isNamed = isTool && !ASKED.test(call.title);
  return { operation: isNamed ? 'execute_tool' : 'invoke_agent' };
}

function nameOf(node: CallNode): string {
  const { call } = node;
  if (call.told || call.protocol === 'other') return call.title;
  const { operation, mcpMethod } = operationOf(node);
  if (mcpMethod === 'tools/call') return `tools/call ${call.title}`;
  if (mcpMethod !== undefined) return ASKED.test(call.title) ? mcpMethod : call.title;
  return `${operation} ${operation === 'execute_tool' ? call.title : call.agent}`;
}

function attributesOf(node: CallNode, said: readonly KeyValue[]): readonly KeyValue[] {
  const own = node.attributes.map(({ name, json }) => ({ key: name, value: toAnyValue(json) }));
  const has = new Set(own.map(({ key }) => key));
  const all = [...describeCall(node), ...describeOutcome(node), ...said];
  const added = all.filter(({ key }) => !has.has(key));
  const names: AnyValue = { arrayValue: { values: added.map(({ key }) => ({ stringValue: key })) } };
  // OTLP has no value for some of JSON, such as a number of many digits in a list.
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

function describeCall(node: CallNode): readonly KeyValue[] {
  const { call } = node;
  // What a span does that somebody told of, it says itself, if it is one of these at all.
  if (call.told) return [];
  const { operation, mcpMethod } = operationOf(node);
  return [
    text(TELEMETRY.agentName, call.agent),
    text(TELEMETRY.operation, operation),
    ...(operation === 'execute_tool' ? [text(TELEMETRY.toolName, call.title)] : []),
    ...(mcpMethod === undefined ? [] : [text(TELEMETRY.mcpMethod, mcpMethod)]),
    ...(call.session === undefined
      ? []
      : [text(call.protocol === 'mcp' ? TELEMETRY.mcpSession : TELEMETRY.conversation, call.session)]),
  ];
}

function describeOutcome({ status, code, usage, traffic }: CallNode): readonly KeyValue[] {
  const isFailed = status !== 'ok' && status !== 'open';
  return [
    ...(isFailed ? [text(TELEMETRY.errorType, code ?? (status === 'error' ? '_OTHER' : status))] : []),
    ...count(TELEMETRY.inputTokens, usage?.input),
    ...count(TELEMETRY.outputTokens, usage?.output),
    ...count(TELEMETRY.requestSize, traffic.bytesOut || undefined),
    ...count(TELEMETRY.responseSize, traffic.bytesIn || undefined),
  ];
}

/** Notes, when pieces of a streamed reply came, and that a call goes on. */
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
