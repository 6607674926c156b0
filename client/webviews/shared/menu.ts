import { Component } from 'preact';
import { Icon } from './icons.ts';
import { h, type View } from './view.ts';

/** An entry of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
  /** The reason why the entry is disabled. */
  readonly disabled?: string;
}

interface MenuProps {
  readonly label: string;
  /** Computed at each opening. */
  readonly items: () => readonly MenuItem[];
}

interface MenuState {
  /** Undefined while the menu is closed. */
  readonly items: readonly MenuItem[] | undefined;
}

/** A button that opens a menu below it. Handles the usual keys: arrows, Home, End, Escape. */
export class MenuButton extends Component<MenuProps, MenuState> {
  override state: MenuState = { items: undefined };
  #root: HTMLElement | undefined;

  override componentDidUpdate(_: MenuProps, was: MenuState): void {
    const list = this.#root?.querySelector('.menu');
    if (!list || was.items) return;
    // Aligns the menu to the left if it would otherwise begin outside of a narrow page.
    list.classList.toggle('from-start', list.getBoundingClientRect().left < 0);
    list.querySelector<HTMLElement>('.menu-item:not([aria-disabled="true"])')?.focus();
  }

  override render({ label }: MenuProps, { items }: MenuState): View {
    return h(
      'div',
      {
        class: 'menu-button',
        ref: root => void (this.#root = root ?? undefined),
        onKeyDown: event => this.#onKey(event),
        onFocusOut: ({ relatedTarget: to }) => {
          if (!(to instanceof Node && this.#root?.contains(to))) this.#close();
        },
      },
      h(
        'button',
        {
          class: 'button',
          type: 'button',
          'aria-haspopup': 'menu',
          'aria-expanded': items !== undefined,
          onClick: () => (items ? this.#close() : this.#open()),
        },
        label,
        h(Icon, { name: 'chevron-down' }),
      ),
      items &&
        h(
          'div',
          { class: 'menu', role: 'menu', 'aria-label': label },
          items.map(item => this.#build(item)),
        ),
    );
  }

  #build({ label, onChoose, disabled }: MenuItem): View {
    const onClick = (): void => {
      if (disabled !== undefined) return;
      this.#leave();
      onChoose();
    };
    return h(
      'div',
      {
        class: 'menu-item bar',
        role: 'menuitem',
        tabIndex: -1,
        title: disabled,
        'aria-disabled': disabled !== undefined,
        onClick,
      },
      label,
    );
  }

  #open(): void {
    this.setState({ items: this.props.items() });
  }

  #close(): void {
    if (this.state.items) this.setState({ items: undefined });
  }

  /** Closes the menu and focuses its button. */
  #leave(): void {
    this.#root?.querySelector('button')?.focus();
    this.#close();
  }

  #onKey(event: KeyboardEvent): void {
    const items = [...(this.#root?.querySelectorAll<HTMLElement>('.menu-item') ?? [])];
    const at = items.findIndex(item => item === document.activeElement);
    const last = items.length - 1;
    const next = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at > 0 ? at - 1 : last, Home: 0, End: last };
    const to = Object.entries(next).find(([key]) => key === event.key)?.[1];
    if (items.length === 0 && event.key === 'ArrowDown') this.#open();
    else if (items.length === 0) return;
    else if (to !== undefined) items[to]?.focus();
    else if (event.key === 'Enter' || event.key === ' ') items[at]?.click();
    else if (event.key === 'Escape') this.#leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
