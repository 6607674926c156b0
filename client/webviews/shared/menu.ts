import { element } from './element.ts';
import { buildIcon } from './icon.ts';

/** An entry of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
  /** The reason why the entry is disabled. */
  readonly disabled?: string;
}

let menus = 0;

/**
 * A button that opens a menu below it. The items are computed at each opening. Handles the usual keys:
 * arrows, Home, End, Escape.
 */
export class MenuButton {
  readonly #items: () => readonly MenuItem[];
  readonly #list: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly root: HTMLElement;

  constructor(label: string, items: () => readonly MenuItem[]) {
    this.#items = items;
    const id = `menu-${++menus}`;
    this.#list = element('div', { class: 'menu', role: 'menu', attributes: { id, 'aria-label': label } });
    this.#list.hidden = true;
    this.#button = element(
      'button',
      {
        class: 'button',
        attributes: {
          type: 'button',
          'aria-haspopup': 'menu',
          'aria-expanded': 'false',
          'aria-controls': id,
        },
        onClick: () => (this.#list.hidden ? this.#open() : this.#close()),
      },
      label,
      buildIcon('chevron-down'),
    );
    this.root = element('div', { class: 'menu-button' }, this.#button, this.#list);
    this.root.addEventListener('keydown', event => this.#onKey(event));
    this.root.addEventListener('focusout', event => {
      if (!(event.relatedTarget instanceof Node && this.root.contains(event.relatedTarget))) this.#close();
    });
  }

  #open(): void {
    const items = this.#items().map(item => this.#buildItem(item));
    this.#list.replaceChildren(...items);
    this.#list.hidden = false;
    this.#list.classList.remove('from-start');
    // Aligns the menu to the left if it would otherwise begin outside of a narrow page.
    this.#list.classList.toggle('from-start', this.#list.getBoundingClientRect().left < 0);
    this.#button.ariaExpanded = 'true';
    items.find(item => item.ariaDisabled !== 'true')?.focus();
  }

  #close(): void {
    this.#list.hidden = true;
    this.#button.ariaExpanded = 'false';
  }

  #buildItem({ label, onChoose, disabled }: MenuItem): HTMLElement {
    const attributes = { tabindex: '-1', ...(disabled === undefined ? {} : { title: disabled }) };
    const item = element('div', { class: 'menu-item', role: 'menuitem', attributes }, label);
    item.ariaDisabled = String(disabled !== undefined);
    item.addEventListener('click', () => {
      if (disabled !== undefined) return;
      this.#button.focus();
      this.#close();
      onChoose();
    });
    return item;
  }

  #onKey(event: KeyboardEvent): void {
    if (this.#list.hidden) {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.#open();
      return;
    }
    const items = [...this.#list.children].filter(item => item instanceof HTMLElement);
    const at = items.findIndex(item => item === document.activeElement);
    const last = items.length - 1;
    const next = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at > 0 ? at - 1 : last, Home: 0, End: last };
    const to = Object.entries(next).find(([key]) => key === event.key)?.[1];
    if (to !== undefined) items[to]?.focus();
    else if (event.key === 'Enter' || event.key === ' ') items[at]?.click();
    else if (event.key === 'Escape') {
      this.#button.focus();
      this.#close();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
