import { ROOT_CONTEXT, SpanKind, trace, type Context, type Tracer } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TraceEvent } from '../../core/events/events.ts';

/** The memory of OpenTelemetry's JavaScript SDK: finished spans in its in-memory exporter. */
export interface HeldSpans {
  readonly exporter: InMemorySpanExporter;
  readonly count: number;
}

/**
 * Records calls with the official SDK, one span for each call with
 * the facts of its events except payloads, and retains the spans.
 */
export function recordSpans(events: Iterable<TraceEvent>): HeldSpans {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const tracer = provider.getTracer('bench');
  const contexts = new Map<string, Context>();
  let spans = new Map<string, ReturnType<Tracer['startSpan']>>();
  let count = 0;
  for (const event of events) {
    if (event.type === 'call') {
      const above = (event.parent === undefined ? undefined : contexts.get(event.parent)) ?? ROOT_CONTEXT;
      const attributes = {
        'gen_ai.agent.name': event.agent,
        'session.id': event.session ?? '',
        'rpc.system': event.protocol,
        'openstarry.trace': event.trace,
        'openstarry.depth': event.names?.at(-1)?.depth ?? 0,
      };
      const span = tracer.startSpan(
        event.title,
        { kind: SpanKind.CLIENT, startTime: event.at, attributes },
        above,
      );
      contexts.set(event.call, trace.setSpan(ROOT_CONTEXT, span));
      spans.set(event.call, span);
    } else if (event.type === 'wire' && event.direction === 'in')
      spans.get(event.call)?.addEvent('piece', event.at);
    else if (event.type === 'end') {
      const span = spans.get(event.call);
      const { input = 0, output = 0 } = event.usage ?? {};
      span?.setAttributes({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output });
      span?.end(event.at);
      count++;
    }
  }
  spans = new Map();
  return { exporter, count };
}
