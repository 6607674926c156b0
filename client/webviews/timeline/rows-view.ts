import { element, setText } from '../shared/element.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';
import type { Row, Waterfall } from './rows.ts';

/** What the rows ask of the view. */
export interface RowsHost {
  onSelect(call: string): void;
}

/** Keys that move the selection, by how many rows; the ends are reached by any large number. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowUp', -1],
  ['ArrowDown', 1],
  ['PageUp', -10],
  ['PageDown', 10],
  ['Home', -Infinity],
  ['End', Infinity],
]);

interface DrawnRow {
  readonly root: HTMLElement;
  readonly name: HTMLElement;
  readonly icon: HTMLElement;
  readonly outcome: HTMLElement;
  readonly bar: HTMLElement;
  readonly waiting: HTMLElement;
  readonly receiving: HTMLElement;
  row: Row;
}

/** The waterfall: a row a call. Rows are kept and changed in place, so focus and scroll stay. */
export class RowsView {
  readonly #host: RowsHost;
  readonly #list = element('div', { class: 'rows', role: 'tree', attributes: { 'aria-label': 'Calls' } });
  readonly #axis = element('div', { class: 'axis', attributes: { 'aria-hidden': 'true' } });
  readonly #summary = element('div', { class: 'summary', role: 'status' });
  readonly #drawn = new Map<string, DrawnRow>();
  /** The calls from top to bottom. */
  #order: readonly string[] = [];
  #selected = '';

  readonly root = element('section', { class: 'waterfall' }, this.#summary, this.#list, this.#axis);

  constructor(host: RowsHost) {
    this.#host = host;
    this.#list.addEventListener('keydown', event => this.#onKey(event));
  }

  /** Draws a waterfall; rows that stay are changed and not made anew. */
  update(waterfall: Waterfall): void {
    setText(this.#summary, waterfall.summary);
    const wanted = waterfall.rows.map(row => this.#draw(row).root);
    const isSame =
      wanted.length === this.#list.childElementCount &&
      wanted.every((root, at) => root === this.#list.children[at]);
    if (!isSame) this.#list.replaceChildren(...wanted);
    this.#order = waterfall.rows.map(row => row.call);
    const kept = new Set(this.#order);
    for (const call of this.#drawn.keys()) if (!kept.has(call)) this.#drawn.delete(call);
    const labels = waterfall.axis.map(label => element('span', {}, label));
    this.#axis.replaceChildren(element('span', { class: 'labels' }, ...labels));
  }

  /** Marks a row as the selected one and scrolls to it, without telling the host. Nothing moves where it is that already. */
  select(call: string): void {
    if (call === this.#selected) return;
    this.#selected = call;
    for (const [id, drawn] of this.#drawn) this.#mark(id, drawn);
    this.#drawn.get(call)?.root.scrollIntoView({ block: 'nearest' });
  }

  #draw(row: Row): DrawnRow {
    const drawn = this.#drawn.get(row.call) ?? this.#make(row);
    if (drawn.row.status !== row.status) drawn.icon.replaceChildren(buildStatusIcon(row.status));
    drawn.row = row;
    setText(drawn.outcome, row.outcome);
    drawn.name.style.paddingInlineStart = `${row.depth * 16}px`;
    drawn.root.setAttribute('aria-level', String(row.depth + 1));
    drawn.root.setAttribute('aria-label', `${row.title}, sent to ${row.agent}, ${row.outcome}`);
    drawn.bar.className = `bar status-${row.status}`;
    drawn.bar.style.marginInlineStart = toPercent(row.start);
    drawn.waiting.style.width = toPercent(row.waiting);
    drawn.receiving.style.width = toPercent(row.receiving);
    this.#mark(row.call, drawn);
    return drawn;
  }

  #make(row: Row): DrawnRow {
    const icon = element('span', { class: 'icon' }, buildStatusIcon(row.status));
    const outcome = element('span', { class: 'outcome' });
    const waiting = element('span', { class: 'waiting' });
    const receiving = element('span', { class: 'receiving' });
    const bar = element('span', { class: 'bar' }, waiting, receiving);
    const name = element(
      'span',
      { class: 'name' },
      icon,
      element('span', { class: 'title' }, row.title),
      element('span', { class: 'agent' }, row.agent),
    );
    const root = element(
      'div',
      { class: 'row', role: 'treeitem', onClick: () => this.#choose(row.call) },
      name,
      element('span', { class: 'track' }, bar),
      outcome,
    );
    const drawn: DrawnRow = { root, name, icon, outcome, bar, waiting, receiving, row };
    this.#drawn.set(row.call, drawn);
    return drawn;
  }

  #mark(call: string, drawn: DrawnRow): void {
    const isSelected = call === this.#selected;
    drawn.root.setAttribute('aria-selected', String(isSelected));
    drawn.root.tabIndex = isSelected ? 0 : -1;
  }

  #choose(call: string): void {
    this.select(call);
    this.#drawn.get(call)?.root.focus();
    this.#host.onSelect(call);
  }

  #onKey(event: KeyboardEvent): void {
    const parent = event.key === 'ArrowLeft' ? this.#drawn.get(this.#selected)?.row.parent : undefined;
    const step = STEPS.get(event.key);
    if (parent === undefined && step === undefined) return;
    const at = this.#order.indexOf(this.#selected) + (step ?? 0);
    const next = parent ?? this.#order[Math.max(0, Math.min(this.#order.length - 1, at))];
    event.preventDefault();
    if (next !== undefined) this.#choose(next);
  }
}

function toPercent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
