import type { TraceAction } from '../../../wire/timeline-messages.ts';
import { element, setText } from '../shared/element.ts';
import { buildIconButton } from '../shared/icon.ts';
import { describeTrace } from './call-words.ts';
import type { TraceModel } from './model.ts';

/** Icon and label of each button of the toolbar. */
const ACTIONS = {
  exportTrace: { icon: 'export', label: 'Export trace' },
  copyTrace: { icon: 'copy', label: 'Copy trace' },
  compareTrace: { icon: 'compare', label: 'Compare with another trace' },
  replayCall: { icon: 'replay', label: 'Replay the selected call or the trace' },
} as const satisfies Record<TraceAction, object>;

/** The line over the views: the trace, the tabs of the views, the search, and the actions on the trace. */
export class Toolbar {
  readonly #title = element('span', { class: 'trace-title' });
  readonly #facts = element('span', { class: 'muted number' });
  readonly #actions = element('div', { class: 'actions' });
  readonly #act: (action: TraceAction) => void;
  readonly root: HTMLElement;
  #shown: readonly TraceAction[] = [];

  constructor(tabs: HTMLElement, search: HTMLElement, act: (action: TraceAction) => void) {
    this.#act = act;
    this.root = element(
      'header',
      { class: 'toolbar' },
      element('h1', {}, this.#title, this.#facts),
      tabs,
      search,
      this.#actions,
    );
  }

  update(model: TraceModel, size: number): void {
    const first = model.roots[0];
    setText(this.#title, first?.state.title ?? 'Trace');
    setText(this.#facts, describeTrace(model, size));
  }

  /** Shows the buttons of the available actions. */
  capabilities(actions: readonly TraceAction[]): void {
    if (actions.join() === this.#shown.join()) return;
    this.#shown = actions;
    this.#actions.replaceChildren(
      ...actions.map(action => {
        const { icon, label } = ACTIONS[action];
        return buildIconButton(icon, label, () => this.#act(action));
      }),
    );
  }
}
