import type { ConversionName } from '../../../protocol/src/catalog/conversions.ts';
import type { CostRow } from '../../../protocol/src/cost/cost-table.ts';
import { element, setText } from '../shared/element.ts';
import { buildIcon } from '../shared/icon.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';
import { COLUMNS, keyOf, layoutOf, titleOf, type Column, type ColumnName } from './columns.ts';
import { sortRows, type Order } from './order.ts';

/** What the table asks of the page. */
export interface TableHost {
  onSort(column: ColumnName): void;
  /** The user wants to see a row; the text as it is written has no protocol to convert to. */
  onOpen(protocol: ConversionName | undefined): void;
}

interface Head {
  readonly root: HTMLElement;
  readonly icon: HTMLElement;
}

interface DrawnRow {
  readonly root: HTMLElement;
  readonly button: HTMLElement;
  readonly cells: ReadonlyMap<ColumnName, DrawnCell>;
  row: CostRow;
}

interface DrawnCell {
  readonly root: HTMLElement;
  readonly text: HTMLElement;
  readonly bar: HTMLElement | undefined;
}

const NUMBERS = COLUMNS.filter(({ name }) => name !== 'protocol');

/** The table: a row a protocol and layout. Rows are kept and changed in place, so focus and scroll stay. */
export class TableView {
  readonly #host: TableHost;
  readonly #heads: ReadonlyMap<ColumnName, Head>;
  readonly #body = element('tbody', {});
  readonly #drawn = new Map<string, DrawnRow>();
  readonly root: HTMLElement;

  constructor(host: TableHost) {
    this.#host = host;
    this.#heads = new Map(COLUMNS.map(column => [column.name, this.#buildHead(column)]));
    this.root = element(
      'table',
      { class: 'costs', attributes: { 'aria-label': 'Cost in every protocol' } },
      element('thead', {}, element('tr', {}, ...[...this.#heads.values()].map(({ root }) => root))),
      this.#body,
    );
  }

  update(rows: readonly CostRow[], order: Order): void {
    for (const [name, head] of this.#heads) markHead(head, order?.column === name ? order : undefined);
    const wanted = sortRows(rows, order).map(row => this.#draw(row));
    const isSame =
      wanted.length === this.#body.childElementCount &&
      wanted.every(({ root }, at) => root === this.#body.children[at]);
    if (!isSame) this.#place(wanted);
    const kept = new Set(rows.map(keyOf));
    for (const key of this.#drawn.keys()) if (!kept.has(key)) this.#drawn.delete(key);
    for (const { name, ratio } of NUMBERS) {
      const most = ratio ? Math.max(...rows.map(ratio)) : 0;
      for (const { row, cells } of this.#drawn.values()) {
        const bar = cells.get(name)?.bar;
        if (bar && ratio) bar.style.setProperty('--share', (ratio(row) / most).toFixed(4));
      }
    }
  }

  /** What is moved in the page loses the focus: it is given back. */
  #place(wanted: readonly DrawnRow[]): void {
    const focused = document.activeElement;
    this.#body.replaceChildren(...wanted.map(({ root }) => root));
    if (focused instanceof HTMLElement && this.#body.contains(focused))
      focused.focus({ preventScroll: true });
  }

  #draw(row: CostRow): DrawnRow {
    const drawn = this.#drawn.get(keyOf(row)) ?? this.#make(row);
    drawn.row = row;
    for (const { name, show } of NUMBERS) {
      const text = drawn.cells.get(name)?.text;
      if (text) setText(text, show(row));
    }
    const losses = drawn.cells.get('losses')?.root;
    losses?.classList.toggle('some', row.losses > 0);
    return drawn;
  }

  #make(row: CostRow): DrawnRow {
    const { protocol, layout } = row;
    const isSource = layout === 'source';
    const title = isSource ? 'Show where it is written' : `Show as ${titleOf(row)}, live`;
    const button = element('button', { class: 'link', attributes: { type: 'button', title } }, titleOf(row));
    const cells = new Map(NUMBERS.map(column => [column.name, buildCell(column)]));
    const root = element(
      'tr',
      {
        ...(isSource && { class: 'source', attributes: { 'aria-current': 'true' } }),
        // A click on the button, or a key, comes up to here.
        onClick: () => {
          if (String(document.getSelection()) === '') this.#host.onOpen(isSource ? undefined : protocol);
        },
      },
      element(
        'th',
        { attributes: { scope: 'row' } },
        button,
        ' ',
        element('span', { class: 'layout' }, layoutOf(row)),
      ),
      ...[...cells.values()].map(cell => cell.root),
    );
    const drawn: DrawnRow = { root, button, cells, row };
    this.#drawn.set(keyOf(row), drawn);
    return drawn;
  }

  #buildHead({ name, head, label }: Column): Head {
    const icon = element('span', { class: 'icon' });
    const root = element(
      'th',
      { class: name === 'protocol' ? '' : 'number', attributes: { scope: 'col' } },
      element(
        'button',
        {
          class: 'head',
          attributes: { type: 'button', 'aria-label': label, title: `Sort by ${label.toLowerCase()}` },
          onClick: () => this.#host.onSort(name),
        },
        head,
        icon,
      ),
    );
    return { root, icon };
  }
}

function buildCell({ name, ratio }: Column): DrawnCell {
  const text = element('span', { class: 'text' });
  const bar = ratio && element('span', { class: 'bar', attributes: { 'aria-hidden': 'true' } });
  const root = element('td', { class: `number ${name}` }, ...(bar ? [bar] : []), text);
  // Shown where there are losses: the number says the same.
  if (name === 'losses') root.prepend(buildStatusIcon('incomplete'));
  return { root, text, bar };
}

function markHead({ root, icon }: Head, order: Order): void {
  if (root.ariaSort === (order?.direction ?? 'none')) return;
  root.ariaSort = order?.direction ?? 'none';
  icon.replaceChildren(
    ...(order ? [buildIcon(order.direction === 'ascending' ? 'arrow-up' : 'arrow-down')] : []),
  );
}
