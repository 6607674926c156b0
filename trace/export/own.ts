import { PRODUCT } from '../../core/catalog/product.ts';
import { toStored } from '../../core/events/payload.ts';
import { printTraceEvent, printTraceHeader } from '../file.ts';
import { endOf } from './envelope.ts';
import { walkCalls, type ExportSource } from './source.ts';

/** Exports traces as a trace file (docs/trace-format.md), with all known data, call by call. */
export async function* exportOwn(source: ExportSource): AsyncGenerator<string, void> {
  yield printTraceHeader(`${PRODUCT.title} ${PRODUCT.version}`);
  for (const node of walkCalls(source.trees)) {
    // The call event includes what was learned later. A parent that was inferred is inferred again on import.
    const begun = node.call;
    const common = { call: begun.call, at: begun.at };
    const { attributes, notes } = node;
    yield printTraceEvent(begun);
    for (const event of toStored(await source.payload(begun.call))) yield printTraceEvent(event);
    if (attributes.length > 0) yield printTraceEvent({ type: 'attributes', ...common, attributes });
    for (const text of notes) yield printTraceEvent({ type: 'note', ...common, text });
    const end = endOf(node);
    if (end) yield printTraceEvent({ type: 'end', call: begun.call, ...end });
  }
}
