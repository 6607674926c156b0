import { element, setAttribute, setText } from '../../shared/element.ts';
import { buildIcon } from '../../shared/icon.ts';
import { actOnKey } from '../../shared/keys.ts';
import { Scroller } from '../../shared/scroller.ts';
import { offsetShowing, windowAt, type Rows } from '../../shared/virtual-rows.ts';
import type { TraceCall } from '../model.ts';
import {
  callsOf,
  cellOf,
  describePosition,
  nameOfRow,
  type TotalsColumn,
  type TotalsRow,
} from './totals-rows.ts';
import { ABOUT } from './totals-tokens.ts';

/** The height of a row and the widths of columns in pixels. */
const ROW = 22;
const NAME = 220;
const COLUMN = { narrow: 64, wide: 92 } as const;

/** Callbacks of the table to the view. */
export interface TotalsHost {
  /** The user chose a call. */
  choose(call: TraceCall): void;
  /** The user opens the selected call. */
  open(): void;
}

interface Slot {
  readonly root: HTMLElement;
  readonly name: HTMLElement;
  readonly position: HTMLElement;
  readonly cycle: HTMLElement;
  readonly cells: HTMLElement;
}

/** The totals of a trace by agent and caller: the content of the picture as text and numbers. */
export class TotalsTable {
  readonly #host: TotalsHost;
  readonly #layer = element('div', { class: 'row-layer', role: 'rowgroup' });
  readonly #headCells = element('div', { class: 'totals-row', role: 'row' });
  readonly #head = element('div', { class: 'totals-head', role: 'rowgroup' }, this.#headCells);
  readonly #port = element(
    'div',
    {
      class: 'totals',
      role: 'treegrid',
      attributes: { tabindex: '0', 'aria-label': 'Totals by agent and caller', 'aria-readonly': 'true' },
    },
    this.#head,
    this.#layer,
  );
  readonly #scroller = new Scroller(
    this.#port,
    () => this.#draw(),
    () => this.#resize(),
  );
  readonly root = this.#scroller.root;
  readonly #slots: Slot[] = [];
  #rows: readonly TotalsRow[] = [];
  #columns: readonly TotalsColumn[] = [];
  #columnTitles = '';
  #selected: TraceCall | undefined;
  /** The index of the last chosen row, while the selected call belongs to it. */
  #row = 0;

  constructor(host: TotalsHost) {
    this.#host = host;
    this.#port.addEventListener('keydown', event => this.#onKey(event));
    this.#layer.addEventListener('click', event => this.#onClick(event));
  }

  focus(): void {
    this.#port.focus({ preventScroll: true });
  }

  update(rows: readonly TotalsRow[], columns: readonly TotalsColumn[]): void {
    const was = this.#rows[this.#row];
    this.#rows = rows;
    // Keeps the same row after rows have moved.
    const key = was && keyOf(was);
    if (key !== undefined)
      this.#row = Math.max(
        0,
        rows.findIndex(row => keyOf(row) === key),
      );
    if (describeColumns(columns) !== this.#columnTitles) this.#setColumns(columns);
    this.#follow();
    this.#resize();
  }

  /** Marks the row of a call. */
  select(call: TraceCall | undefined): void {
    if (call === this.#selected) return;
    this.#selected = call;
    this.#follow();
    this.#showRow();
  }

  /** Scrolls the row of the selected call into view. */
  #showRow(): void {
    const rows: Rows = { count: this.#rows.length, size: ROW };
    const { down } = this.#scroller;
    this.#scroller.moveTo({ top: offsetShowing(rows, down.view, down.offset, this.#row) });
    this.#draw();
  }

  /** Chooses a call of a row: the first one, or the one after the selected call. */
  chooseOf(calls: readonly TraceCall[]): void {
    const at = this.#selected === undefined ? -1 : calls.indexOf(this.#selected);
    const call = calls[(at + 1) % Math.max(1, calls.length)];
    if (call) this.#host.choose(call);
  }

  /** Moves to the row of the selected call, if the current row does not contain it. */
  #follow(): void {
    const selected = this.#selected;
    const row = this.#rows[this.#row];
    if (selected === undefined || (row && callsOf(row).includes(selected))) return;
    const at = this.#rows.findIndex(each => each.kind === 'edge' && each.edge.calls.includes(selected));
    if (at >= 0) this.#row = at;
  }

  #setColumns(columns: readonly TotalsColumn[]): void {
    this.#columns = columns;
    this.#columnTitles = describeColumns(columns);
    const head = (title: string, meaning: string, width = ''): HTMLElement =>
      element('div', { class: width, role: 'columnheader', attributes: { title: meaning } }, title);
    this.#headCells.replaceChildren(
      head('Agent', 'Agents in the order of their first calls, and below each those who call it'),
      element(
        'div',
        { class: 'cells' },
        ...columns.map(({ title, meaning, width }) => head(title, meaning, width)),
      ),
    );
  }

  get #width(): number {
    return this.#columns.reduce((sum, { width }) => sum + COLUMN[width], NAME + 16);
  }

  #resize(): void {
    this.#scroller.resize({ width: this.#width, height: this.#rows.length * ROW }, { width: 0, height: ROW });
    setAttribute(this.#port, 'aria-rowcount', String(this.#rows.length + 1));
    this.#draw();
  }

  #draw(): void {
    const { down, across, size } = this.#scroller;
    const rows = windowAt({ count: this.#rows.length, size: ROW }, down.view, down.offset);
    const count = rows.end - rows.first;
    while (this.#slots.length < count) this.#add();
    for (const slot of this.#slots.splice(count)) slot.root.remove();
    const width = Math.max(size.width, this.#width);
    this.#headCells.style.width = `${width}px`;
    this.#headCells.style.transform = `translateX(${-across.offset}px)`;
    for (let index = rows.first; index < rows.end; index++) {
      const [slot, row] = [this.#slots[index % count], this.#rows[index]];
      if (!slot || !row) continue;
      slot.root.style.width = `${width}px`;
      slot.root.style.transform = `translate(${-across.offset}px, ${index * ROW - down.offset}px)`;
      this.#drawRow(slot, row, index);
    }
    const current = this.#slots[this.#row % Math.max(1, count)];
    const isSeen = this.#row >= rows.first && this.#row < rows.end;
    setAttribute(this.#port, 'aria-activedescendant', current && isSeen ? current.root.id : '');
  }

  #drawRow(slot: Slot, row: TotalsRow, index: number): void {
    const calls = index === this.#row && this.#selected !== undefined ? callsOf(row) : [];
    const isSelected = this.#selected !== undefined && calls.includes(this.#selected);
    setText(slot.name, nameOfRow(row));
    setText(slot.position, isSelected ? describePosition(calls, this.#selected) : '');
    slot.cycle.hidden = !(row.kind === 'edge' && row.edge.isInCycle);
    slot.root.className = `totals-row ${row.kind}`;
    setAttribute(slot.root, 'aria-rowindex', String(index + 2));
    setAttribute(slot.root, 'aria-level', row.kind === 'edge' ? '2' : '1');
    setAttribute(slot.root, 'aria-selected', String(isSelected));
    while (slot.cells.childElementCount < this.#columns.length)
      slot.cells.append(element('div', { role: 'gridcell' }));
    while (slot.cells.childElementCount > this.#columns.length) slot.cells.lastElementChild?.remove();
    for (const [at, column] of this.#columns.entries()) {
      const cell = slot.cells.children[at];
      if (!cell) continue;
      const text = cellOf(row, column);
      setText(cell, text);
      setAttribute(cell, 'title', text.startsWith(ABOUT) ? column.meaning : '');
      cell.className = column.title === 'Failed' ? `${column.width} failed` : column.width;
    }
  }

  #add(): void {
    const [name, position] = [element('span', { class: 'name' }), element('span', { class: 'position' })];
    const cycle = element(
      'span',
      { class: 'badge cycle', attributes: { title: 'Part of a cycle: an agent is entered again' } },
      buildIcon('cycle'),
      element('span', {}, 'cycle'),
    );
    const cells = element('div', { class: 'cells' });
    const first = element('div', { class: 'first', role: 'gridcell' }, name, cycle, position);
    const id = `totals-row-${this.#slots.length}`;
    const root = element('div', { role: 'row', attributes: { id } }, first, cells);
    this.#slots.push({ root, name, position, cycle, cells });
    this.#layer.append(root);
  }

  #onClick(event: MouseEvent): void {
    const top = this.#layer.getBoundingClientRect().top;
    this.#goTo(Math.floor((event.clientY - top + this.#scroller.down.offset) / ROW));
  }

  /** Moves to a row and chooses its first call, unless one of its calls is selected. */
  #goTo(index: number): void {
    const row = this.#rows[index];
    const calls = row ? callsOf(row) : [];
    const [first] = calls;
    if (!first) return;
    this.#row = index;
    if (this.#selected === undefined || !calls.includes(this.#selected)) this.#host.choose(first);
    this.#showRow();
  }

  /** Chooses another call of the row. */
  #step(by: number): void {
    const row = this.#rows[this.#row];
    const calls = row ? callsOf(row) : [];
    const at = this.#selected === undefined ? -1 : calls.indexOf(this.#selected);
    const call = at < 0 ? calls[0] : calls[at + by];
    if (call) this.#host.choose(call);
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#scroller.down.view / ROW) - 1);
    // The last row has no calls.
    const last = this.#rows.length - 2;
    const to = (index: number): void => this.#goTo(Math.max(0, Math.min(last, index)));
    const actions = new Map<string, () => unknown>([
      ['ArrowUp', () => to(this.#row - 1)],
      ['ArrowDown', () => to(this.#row + 1)],
      ['PageUp', () => to(this.#row - page)],
      ['PageDown', () => to(this.#row + page)],
      ['Home', () => to(0)],
      ['End', () => to(last)],
      ['ArrowLeft', () => this.#step(-1)],
      ['ArrowRight', () => this.#step(1)],
      ['Enter', () => this.#host.open()],
    ]);
    actOnKey(event, actions);
  }
}

/** The text of the column heads, to detect changes. */
function describeColumns(columns: readonly TotalsColumn[]): string {
  return JSON.stringify(columns.map(({ title, meaning }) => [title, meaning]));
}

function keyOf(row: TotalsRow): string {
  if (row.kind === 'all') return '[]';
  return JSON.stringify(
    row.kind === 'agent' ? [row.agent ?? null] : [row.edge.from ?? null, row.edge.to ?? null],
  );
}
