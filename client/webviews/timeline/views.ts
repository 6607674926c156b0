import { GraphView } from './graph/graph-view.ts';
import { SequenceView } from './sequence/sequence-view.ts';
import type { TraceView } from './view.ts';
import { WaterfallView, type WaterfallHost } from './waterfall/waterfall-view.ts';

/** Builds the views of a trace, in the order of their tabs. */
export function buildViews(host: WaterfallHost): readonly [TraceView, ...TraceView[]] {
  return [new WaterfallView(host), new GraphView(host), new SequenceView(host)];
}
