import type { Value } from '../../../core/values/value.ts';
import type { Report } from '../../../core/message/report.ts';
import { printJson } from '../../../language/values/json-printer.ts';
import { TextSink, type Layout } from '../../../language/values/text-layer.ts';

/**
 * Prints a value as the JSON that an agent gets: in one line unless `layout` says otherwise, with all numbers
 * as they were written. Values that JSON lacks have the notation of docs/json-notation.md.
 */
export function printForAgent(value: Value, report?: Report, layout: Layout = 'compact'): string {
  const sink = new TextSink(undefined);
  printJson(value, sink, layout, 0, report, 'written');
  return sink.toString();
}
