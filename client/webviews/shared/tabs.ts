import { element } from './element.ts';

/** The content of a tab. `name` is used in element ids, `title` is displayed. */
export interface TabView {
  readonly name: string;
  readonly title: string;
  readonly root: HTMLElement;
}

interface Tab<View> {
  readonly view: View;
  readonly button: HTMLElement;
  readonly panel: HTMLElement;
}

/** Tabs and their panels, with the arrow keys of the ARIA tab pattern. One view is in front. */
export class Tabs<View extends TabView> {
  readonly #tabs: readonly Tab<View>[];
  readonly #onChoose: (view: View) => void;
  readonly list: HTMLElement;
  readonly panels: HTMLElement;
  #front: View;

  /** The first view is in front. A click or key calls `onChoose`; the caller then calls `bring`. */
  constructor(views: readonly [View, ...View[]], label: string, onChoose: (view: View) => void) {
    this.#onChoose = onChoose;
    this.#tabs = views.map(view => this.#build(view));
    this.#front = views[0];
    this.list = element(
      'div',
      { class: 'tabs', role: 'tablist', attributes: { 'aria-label': label } },
      ...this.#tabs.map(tab => tab.button),
    );
    this.panels = element('div', { class: 'panels' }, ...this.#tabs.map(tab => tab.panel));
    this.list.addEventListener('keydown', event => this.#onKey(event));
    this.bring(this.#front);
  }

  get front(): View {
    return this.#front;
  }

  /** Brings a view to the front. Only tabs of offered views are visible. */
  bring(front: View, isOffered: (view: View) => boolean = () => true): void {
    this.#front = front;
    for (const { view, button, panel } of this.#tabs) {
      const isFront = view === front;
      button.hidden = !isOffered(view);
      button.ariaSelected = String(isFront);
      button.tabIndex = isFront ? 0 : -1;
      panel.hidden = !isFront;
    }
    // A single tab offers no choice, so the list is hidden.
    this.list.hidden = this.#tabs.filter(({ button }) => !button.hidden).length < 2;
  }

  /** Focuses the tab in front. */
  focus(): void {
    this.#tabs.find(({ view }) => view === this.#front)?.button.focus();
  }

  #build(view: View): Tab<View> {
    const attributes = { id: `tab-${view.name}`, type: 'button', 'aria-controls': `panel-${view.name}` };
    const onClick = (): void => this.#onChoose(view);
    const button = element('button', { class: 'tab', role: 'tab', attributes, onClick }, view.title);
    const labels = { id: `panel-${view.name}`, 'aria-labelledby': `tab-${view.name}` };
    const panel = element('div', { class: 'panel', role: 'tabpanel', attributes: labels }, view.root);
    return { view, button, panel };
  }

  #onKey(event: KeyboardEvent): void {
    const seen = this.#tabs.filter(({ button }) => !button.hidden);
    const at = seen.findIndex(({ view }) => view === this.#front);
    const last = seen.length - 1;
    const places = new Map([
      ['ArrowRight', at < last ? at + 1 : 0],
      ['ArrowLeft', at > 0 ? at - 1 : last],
      ['Home', 0],
      ['End', last],
    ]);
    const to = seen[places.get(event.key) ?? -1];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    to.button.focus();
    this.#onChoose(to.view);
  }
}
