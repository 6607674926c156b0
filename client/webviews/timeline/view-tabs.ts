import type { TellTokens } from '../../../protocol/src/wire/timeline-messages.ts';
import { element } from '../shared/element.ts';
import type { TraceView, ViewName } from './view.ts';

interface Tab {
  readonly view: TraceView;
  readonly button: HTMLElement;
  readonly panel: HTMLElement;
}

/** The tabs of the views. Arrow keys move between them, as the pattern of ARIA says; one view is in front. */
export class ViewTabs {
  readonly #tabs: readonly Tab[];
  readonly #onChoose: (view: TraceView) => void;
  readonly list: HTMLElement;
  readonly panels: HTMLElement;
  #front: TraceView;

  constructor(views: readonly [TraceView, ...TraceView[]], onChoose: (view: TraceView) => void) {
    this.#tabs = views.map(view => this.#build(view));
    this.#onChoose = onChoose;
    this.#front = views[0];
    this.list = element(
      'div',
      { class: 'tabs', role: 'tablist', attributes: { 'aria-label': 'Ways to look at the trace' } },
      ...this.#tabs.map(tab => tab.button),
    );
    // One way is no choice.
    this.list.hidden = views.length < 2;
    this.panels = element('div', { class: 'panels' }, ...this.#tabs.map(tab => tab.panel));
    this.list.addEventListener('keydown', event => this.#onKey(event));
    this.#mark();
  }

  /** The view in front. */
  get front(): TraceView {
    return this.#front;
  }

  /** Calls of whose replies the views show parts, those of hidden views too. */
  get looksAt(): ReadonlySet<string> {
    return new Set(this.#tabs.flatMap(({ view }) => [...(view.looksAt ?? [])]));
  }

  /** The parts of the reply of a call were told. */
  partsChanged(call: string): void {
    for (const { view } of this.#tabs) view.partsChanged?.(call);
  }

  /** Tokens were counted. */
  tokensTold(told: TellTokens): void {
    for (const { view } of this.#tabs) view.tokensTold?.(told);
  }

  /** Brings a view to the front. */
  choose(name: ViewName): void {
    const tab = this.#tabs.find(({ view }) => view.name === name);
    if (!tab || tab.view === this.#front) return;
    this.#front = tab.view;
    this.#mark();
    this.#onChoose(tab.view);
  }

  #mark(): void {
    for (const { view, button, panel } of this.#tabs) {
      const isFront = view === this.#front;
      button.ariaSelected = String(isFront);
      button.tabIndex = isFront ? 0 : -1;
      panel.hidden = !isFront;
    }
  }

  #build(view: TraceView): Tab {
    const attributes = { id: `tab-${view.name}`, type: 'button', 'aria-controls': `panel-${view.name}` };
    const onClick = (): void => this.choose(view.name);
    const button = element('button', { class: 'tab', role: 'tab', attributes, onClick }, view.title);
    const labels = { id: `panel-${view.name}`, 'aria-labelledby': `tab-${view.name}` };
    const panel = element('div', { class: 'panel', role: 'tabpanel', attributes: labels }, view.root);
    return { view, button, panel };
  }

  #onKey(event: KeyboardEvent): void {
    const at = this.#tabs.findIndex(({ view }) => view === this.#front);
    const last = this.#tabs.length - 1;
    const places = {
      ArrowRight: at < last ? at + 1 : 0,
      ArrowLeft: at > 0 ? at - 1 : last,
      Home: 0,
      End: last,
    };
    const to = this.#tabs[Object.entries(places).find(([key]) => key === event.key)?.[1] ?? -1];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    to.button.focus();
    this.choose(to.view.name);
  }
}
