import { countOf } from '../../../../core/text/count.ts';
import { element, setText } from '../../shared/element.ts';

/** A collapsed table of names and values; hidden if empty. */
export class TableView {
  readonly #title: string;
  readonly #summary = element('summary', {});
  readonly #body = element('tbody', {});
  readonly root: HTMLElement;
  #text = '[]';

  constructor(title: string) {
    this.#title = title;
    this.root = element(
      'details',
      { class: 'fold section' },
      this.#summary,
      element('table', { class: 'headers' }, this.#body),
    );
    this.root.hidden = true;
  }

  /** Rewrites the rows if they differ. */
  update(rows: readonly (readonly [name: string, value: string])[]): void {
    const text = JSON.stringify(rows);
    if (text === this.#text) return;
    this.#text = text;
    this.root.hidden = rows.length === 0;
    setText(this.#summary, `${this.#title}, ${countOf(rows.length, 'row')}`);
    this.#body.replaceChildren(
      ...rows.map(([name, value]) =>
        element('tr', {}, element('th', { attributes: { scope: 'row' } }, name), element('td', {}, value)),
      ),
    );
  }
}
