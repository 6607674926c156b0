import { placeCalls, printSpans, type PlacedCall } from '../../trace/export/otlp.ts';
import type { ExportSource } from '../../trace/export/source.ts';
import { parseJson } from '../../core/text/json.ts';
import { cutExport, MOST_SPANS, type SpanBatch } from './batches.ts';

/** Where spans find what was asked and answered. */
export type SpanContent = Pick<ExportSource, 'payload' | 'protocols'>;

/** Traces as spans in batches, one after the other: no more than one batch is in memory as text. */
export async function* batchesOf(
  source: Pick<ExportSource, 'trees' | 'payload' | 'protocols' | 'tellsContent'>,
): AsyncGenerator<SpanBatch, void> {
  const content = source.tellsContent ? source : undefined;
  let calls: PlacedCall[] = [];
  for (const call of placeCalls(source.trees)) {
    calls.push(call);
    if (calls.length < MOST_SPANS) continue;
    yield* spansOf(calls, content);
    calls = [];
  }
  if (calls.length > 0) yield* spansOf(calls, content);
}

/** Calls as spans; with `content` they tell what was asked and answered. */
export async function* spansOf(
  calls: readonly PlacedCall[],
  content: SpanContent | undefined,
): AsyncGenerator<SpanBatch, void> {
  const parts: string[] = [];
  for await (const part of printSpans(calls, content)) parts.push(part);
  yield* cutExport(parseJson(parts.join('')));
}
