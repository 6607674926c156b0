import type { Value } from '../../../core/values/value.ts';
import type { Report } from '../../../core/message/report.ts';
import { printJson } from '../../../language/values/json-printer.ts';
import { TextSink, type Layout } from '../../../language/values/text-layer.ts';

/**
 * A value as the JSON that an agent gets: in one line unless `layout` says, and all numbers as they were written. What
 * JSON has no value for stays in the notation of docs/json-notation.md.
 */
export function printForAgent(value: Value, report?: Report, layout: Layout = 'compact'): string {
  const sink = new TextSink(undefined);
  printJson(value, sink, layout, 0, report, 'written');
  return sink.toString();
}
