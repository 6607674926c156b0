import type { ComposerProposal } from '../../../wire/composer-texts.ts';
import { element } from '../shared/element.ts';

/**
 * Proposals for the text at the cursor: a list below a text field, which retains the focus and has the chosen
 * one as its active descendant.
 */
export class ProposalList {
  readonly root = element('ul', {
    class: 'proposals list',
    role: 'listbox',
    attributes: { id: 'proposals', 'aria-label': 'Suggestions' },
  });
  readonly #field: HTMLElement;
  readonly #onChoose: (proposal: ComposerProposal) => void;
  #items: readonly ComposerProposal[] = [];
  #at = 0;

  constructor(field: HTMLElement, onChoose: (proposal: ComposerProposal) => void) {
    this.#field = field;
    this.#onChoose = onChoose;
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-controls', 'proposals');
    field.addEventListener('blur', () => this.show([]));
    this.show([]);
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  show(items: readonly ComposerProposal[]): void {
    this.#items = items;
    this.#at = 0;
    this.root.replaceChildren(...items.map((item, at) => this.#buildRow(item, at)));
    this.root.hidden = !this.isOpen;
    this.#mark();
  }

  /** Handles a key while the list is open. Returns true if the key was used. */
  take(key: string): boolean {
    if (!this.isOpen) return false;
    const last = this.#items.length - 1;
    switch (key) {
      case 'ArrowDown':
        this.#at = this.#at === last ? 0 : this.#at + 1;
        break;
      case 'ArrowUp':
        this.#at = this.#at === 0 ? last : this.#at - 1;
        break;
      case 'Enter':
      case 'Tab':
        this.#choose(this.#at);
        return true;
      case 'Escape':
        this.show([]);
        return true;
      default:
        return false;
    }
    this.#mark();
    return true;
  }

  #buildRow({ label, detail }: ComposerProposal, at: number): HTMLElement {
    const row = element(
      'li',
      { class: 'proposal bar', role: 'option', attributes: { id: `proposal-${at}` } },
      element('span', { class: 'code' }, label),
      element('span', { class: 'muted clip' }, detail),
    );
    // Prevents the field from losing the focus, which would close the list before the click.
    row.addEventListener('mousedown', event => event.preventDefault());
    row.addEventListener('click', () => this.#choose(at));
    return row;
  }

  #choose(at: number): void {
    const item = this.#items[at];
    this.show([]);
    if (item) this.#onChoose(item);
  }

  #mark(): void {
    for (const [at, row] of [...this.root.children].entries()) {
      row.ariaSelected = String(at === this.#at);
      if (at === this.#at) row.scrollIntoView({ block: 'nearest' });
    }
    if (this.isOpen) this.#field.setAttribute('aria-activedescendant', `proposal-${this.#at}`);
    else this.#field.removeAttribute('aria-activedescendant');
  }
}
