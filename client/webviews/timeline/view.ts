import type { ReplyParts } from '../../../protocols/reply-parts/part.ts';
import type { ReportTokens } from '../../../wire/timeline-messages.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** The ways to look at a trace. */
export type ViewName = 'timeline' | 'graph' | 'sequence';

/** The services of the page that a view uses. */
export interface ViewHost {
  /** The known parts of a call's reply; undefined if there are none yet. */
  parts(call: string): ReplyParts | undefined;
  /** The user selected a call: the page marks it in all views, shows its details and notifies the extension. */
  select(call: string): void;
  /** The user opens a call: the page moves the focus to its details. */
  open(call: string): void;
  /** Requests token counts of calls. Answers refer to the number `count`; an empty list stops that count. */
  countTokens(count: number, calls: readonly string[]): void;
  /** Stores a choice of a view, such as a zoom, while the panel is hidden. Keys begin with the name of the view. */
  keep(key: string, value: string): void;
  /** The stored choice; undefined if there is none. */
  stored(key: string): string | undefined;
}

/** A view of a trace. Only the page calls it, at most once per frame, and only while it is in front. */
export interface TraceView {
  readonly name: ViewName;
  /** The label of its tab. */
  readonly title: string;
  /** The element that fills the view's panel. It observes its size with a ResizeObserver. */
  readonly root: HTMLElement;
  /**
   * Shows the current trace. `changed` are the calls that were added, changed, moved or removed since the last update;
   * `all` if the view comes to the front or another trace is shown. Selection, scroll position and expansion persist.
   */
  update(model: TraceModel, changed: ReadonlySet<TraceCall> | 'all'): void;
  /** Only time has passed: `model.now` is later. Called only while calls are open. */
  tick?(model: TraceModel): void;
  /** Selects a call and scrolls it into view, without notifying the page. The call may be missing from the trace. */
  select(call: string): void;
  /** Marks the calls found by the search, and in them its text in lower case; undefined without a search. */
  mark(found: ReadonlySet<string> | undefined, text: string): void;
  /** The number of rows, if the view is a list that needs no more height than its rows. */
  readonly rowCount?: number;
  /** Calls whose reply parts the view shows. */
  readonly looksAt?: ReadonlySet<string>;
  /** The parts of a call's reply changed; the host returns the new ones. */
  partsChanged?(call: string): void;
  /** Requested token counts have arrived. */
  tokensReported?(reported: ReportTokens): void;
  focus(): void;
}
