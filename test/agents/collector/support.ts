import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Tracer,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';

/** The official SDK with one exporter, as an instrumented agent has it. */
export function openSdk(
  exporter: SpanExporter,
  service = 'weather',
): { tracer: Tracer; close: () => Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'host.cpus': 4 }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  return {
    tracer: provider.getTracer('test', '1.2'),
    async close() {
      await provider.forceFlush();
      await provider.shutdown();
    },
  };
}

/** The context that a `traceparent` header names. */
export function contextOf(traceparent: string): Context {
  const [, traceId = '', spanId = ''] = traceparent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}

/** Records a planner that asks a model and a tool which fails; every kind of value is in it. */
export function runTeam(tracer: Tracer): void {
  const start = 1_760_000_000_000;
  const planner = tracer.startSpan(
    'invoke_agent planner',
    { kind: SpanKind.SERVER, startTime: start },
    ROOT_CONTEXT,
  );
  planner.setAttributes({
    text: 'Grüße 😀',
    empty: '',
    whole: 42,
    negative: -7,
    half: 0.5,
    yes: true,
    list: ['a', 'b'],
    numbers: [1, 2.5],
  });
  const within = trace.setSpan(ROOT_CONTEXT, planner);
  const model = tracer.startSpan('chat large', { kind: SpanKind.CLIENT, startTime: start + 10 }, within);
  model.setAttributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'large',
    'gen_ai.usage.input_tokens': 120,
    'gen_ai.usage.output_tokens': 30,
  });
  model.addEvent('first token', { index: 0 }, start + 15);
  model.end(start + 30);
  const tool = tracer.startSpan(
    'execute_tool book',
    { kind: SpanKind.INTERNAL, startTime: start + 40, links: [{ context: model.spanContext() }] },
    within,
  );
  tool.setAttributes({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'book',
    'error.type': '422',
  });
  tool.setStatus({ code: SpanStatusCode.ERROR, message: 'no room' });
  tool.end(start + 50);
  planner.end(start + 60);
}

/** What `runTeam` records, as the SDK hands it to exporters. */
export async function recordTeam(): Promise<ReadableSpan[]> {
  const memory = new InMemorySpanExporter();
  const { tracer, close } = openSdk(memory);
  runTeam(tracer);
  const spans = memory.getFinishedSpans();
  await close();
  return spans;
}
