import type { ReplyParts } from '../../../protocols/reply-parts/part.ts';
import type { TellTokens } from '../../../wire/timeline-messages.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** The ways to look at a trace. */
export type ViewName = 'timeline' | 'graph' | 'sequence';

/** What a view asks of the page. */
export interface ViewHost {
  /** What was told of the parts of a call's reply; undefined where nothing was. */
  parts(call: string): ReplyParts | undefined;
  /** The user selected a call: the page marks it in all views, shows its details and tells the extension. */
  select(call: string): void;
  /** The user wants to read a call: the page moves the focus to its details. */
  open(call: string): void;
  /** Has the tokens of calls counted, as the answers to a question by its number; without calls, ends a count. */
  countTokens(count: number, calls: readonly string[]): void;
  /** Keeps a choice of a view, such as a zoom, while the panel is hidden. Keys begin with the name of the view. */
  keep(key: string, value: string): void;
  /** What was kept, or undefined. */
  kept(key: string): string | undefined;
}

/** One way to look at a trace. The page alone calls it, at most once a frame, and only while it is in front. */
export interface TraceView {
  readonly name: ViewName;
  /** The label of its tab. */
  readonly title: string;
  /** It fills its panel; its own sizes come from a ResizeObserver. */
  readonly root: HTMLElement;
  /**
   * The trace as it stands now. `changed` are the calls that are new, that changed, that stand elsewhere or that went since
   * the last time; `all` where the view comes to the front or another trace is shown. Selection, scroll and expansion stay.
   */
  update(model: TraceModel, changed: ReadonlySet<TraceCall> | 'all'): void;
  /** Time went on and nothing else: `model.now` is later. Only where open calls still run. */
  tick?(model: TraceModel): void;
  /** Marks a call as the selected one and brings it into sight, without telling the page. It may not be in the trace. */
  select(call: string): void;
  /** Calls that the search found; undefined where nothing is searched. */
  mark(found: ReadonlySet<string> | undefined): void;
  /** Calls of whose replies it shows the parts. */
  readonly looksAt?: ReadonlySet<string>;
  /** The parts of the reply of a call were told, as the host gives them now. */
  partsChanged?(call: string): void;
  /** Tokens were counted that it asked for. */
  tokensTold?(told: TellTokens): void;
  /** Takes the focus. */
  focus(): void;
}
