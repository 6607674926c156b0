import type { Shared } from '../feature.ts';
import type { TimelinePanel } from './timeline/timeline-panel.ts';
import type { RequestCalls } from './timeline/request-calls.ts';
import type { TraceEditors } from './timeline/trace-editors.ts';
import type { TracesView } from './view/traces-view.ts';

/** What the commands of this feature use. */
export interface TracesParts extends Shared {
  readonly tracesView: TracesView;
  readonly timeline: TimelinePanel;
  readonly traceEditors: TraceEditors;
  readonly requestCalls: RequestCalls;
}
