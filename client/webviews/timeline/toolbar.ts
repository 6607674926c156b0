import { TRACE_ACTIONS, type TraceAction } from '../../../wire/timeline-messages.ts';
import { IconButton } from '../shared/buttons.ts';
import { element, setText } from '../shared/element.ts';
import { describeTrace } from './call-words.ts';
import type { TraceModel } from './model.ts';
import { draw, h } from '../shared/view.ts';

/** Icon and label of each button of the toolbar. */
const ACTIONS = {
  exportTrace: { icon: 'export', label: 'Export trace' },
  copyTrace: { icon: 'copy', label: 'Copy trace' },
  compareTrace: { icon: 'compare', label: 'Compare with another trace' },
  replayCall: { icon: 'replay', label: 'Replay the selected call or the trace' },
} as const satisfies Record<TraceAction, object>;

/** The line over the views: the trace, the tabs of the views, the search, and the actions on the trace. */
export class Toolbar {
  readonly #title = element('span', { class: 'trace-title clip' });
  readonly #facts = element('span', { class: 'muted number clip' });
  readonly root: HTMLElement;

  constructor(tabs: HTMLElement, search: HTMLElement, act: (action: TraceAction) => void) {
    const actions = element('div', { class: 'actions' });
    draw(
      actions,
      ...TRACE_ACTIONS.map(action => h(IconButton, { ...ACTIONS[action], onClick: () => act(action) })),
    );
    const title = element('h1', {}, this.#title, this.#facts);
    this.root = element('header', { class: 'toolbar bar wraps' }, title, tabs, search, actions);
  }

  update(model: TraceModel, size: number): void {
    setText(this.#title, model.roots[0]?.state.title ?? 'Trace');
    setText(this.#facts, describeTrace(model, size));
  }
}
