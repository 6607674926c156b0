import { GraphView } from './graph-view.ts';
import { SequenceView } from './sequence-view.ts';
import type { TraceView } from './view.ts';
import { WaterfallView, type WaterfallHost } from './waterfall-view.ts';

/** The ways to look at a trace, in the order of their tabs. */
export function buildViews(host: WaterfallHost): readonly [TraceView, ...TraceView[]] {
  return [new WaterfallView(host), new GraphView(host), new SequenceView(host)];
}
