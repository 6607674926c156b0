import { element } from '../shared/element.ts';
import type { InspectorView, ViewName } from './view.ts';

interface Tab {
  readonly view: InspectorView;
  readonly button: HTMLElement;
  readonly panel: HTMLElement;
}

/** The tabs and their panels. Arrow keys move between tabs, as the pattern of ARIA says; one tab is in front. */
export class Tabs {
  readonly #tabs: readonly Tab[];
  readonly #onChoose: (name: ViewName) => void;
  #front: ViewName = 'grid';
  readonly list: HTMLElement;
  readonly panels: HTMLElement;

  constructor(views: readonly InspectorView[], onChoose: (name: ViewName) => void) {
    this.#onChoose = onChoose;
    this.#tabs = views.map(view => this.#build(view));
    this.list = element(
      'div',
      { class: 'tabs', role: 'tablist', attributes: { 'aria-label': 'Ways to look at the tensor' } },
      ...this.#tabs.map(tab => tab.button),
    );
    this.panels = element('div', { class: 'panels' }, ...this.#tabs.map(tab => tab.panel));
    this.list.addEventListener('keydown', event => this.#onKey(event));
  }

  get front(): ViewName {
    return this.#front;
  }

  /** Brings a tab to the front, as a click does. */
  choose(name: ViewName): void {
    this.#onChoose(name);
  }

  /** The tab that is wanted comes to the front; in the place of a comparison that there is not, the first one. */
  update(wanted: ViewName, { isComparing }: { readonly isComparing: boolean }): void {
    const [first] = this.#tabs;
    this.#front = wanted === 'compare' && !isComparing ? (first?.view.name ?? wanted) : wanted;
    for (const { view, button, panel } of this.#tabs) {
      const isFront = view.name === this.#front;
      button.hidden = view.name === 'compare' && !isComparing;
      button.ariaSelected = String(isFront);
      button.tabIndex = isFront ? 0 : -1;
      panel.hidden = !isFront;
    }
  }

  focus(): void {
    this.#tabs.find(({ view }) => view.name === this.#front)?.button.focus();
  }

  #build(view: InspectorView): Tab {
    const button = element(
      'button',
      {
        class: 'tab',
        role: 'tab',
        attributes: { id: `tab-${view.name}`, type: 'button', 'aria-controls': `panel-${view.name}` },
        onClick: () => this.choose(view.name),
      },
      view.title,
    );
    const panel = element(
      'div',
      {
        class: 'panel',
        role: 'tabpanel',
        attributes: { id: `panel-${view.name}`, 'aria-labelledby': `tab-${view.name}` },
      },
      view.root,
    );
    return { view, button, panel };
  }

  #onKey(event: KeyboardEvent): void {
    const seen = this.#tabs.filter(({ button }) => !button.hidden);
    const at = seen.findIndex(({ view }) => view.name === this.#front);
    const last = seen.length - 1;
    const next = {
      ArrowRight: at < last ? at + 1 : 0,
      ArrowLeft: at > 0 ? at - 1 : last,
      Home: 0,
      End: last,
    };
    const to = seen[Object.entries(next).find(([key]) => key === event.key)?.[1] ?? -1];
    if (!to) return;
    event.preventDefault();
    to.button.focus();
    this.choose(to.view.name);
  }
}
