import { countOf } from '../../../../core/text/count.ts';
import { element, setAttribute } from '../../shared/element.ts';
import { Icon } from '../../shared/icons.ts';
import { actOnKey, listMoves } from '../../shared/keys.ts';
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
import { draw, h, type View } from '../../shared/view.ts';

/** The maximum number of rows of agents and callers. */
const MAX_ROWS = 1000;

/** The height of a row in pixels. */
const ROW = 22;

/** Callbacks of the table to the view. */
export interface TotalsHost {
  /** The user chose a call. */
  choose(call: TraceCall): void;
  /** The user opens the selected call. */
  open(): void;
}

/** The totals of a trace by agent and caller: the content of the picture as text and numbers. */
export class TotalsTable {
  readonly #host: TotalsHost;
  readonly root = element('div', {
    class: 'totals',
    role: 'treegrid',
    attributes: { tabindex: '0', 'aria-label': 'Totals by agent and caller', 'aria-readonly': 'true' },
  });
  /** The rows of agents and callers, and the last row with the sums. */
  #rows: readonly TotalsRow[] = [];
  #all: TotalsRow | undefined;
  #leftOut = 0;
  #columns: readonly TotalsColumn[] = [];
  #selected: TraceCall | undefined;
  /** The index of the last chosen row, while the selected call belongs to it. */
  #row = 0;

  constructor(host: TotalsHost) {
    this.#host = host;
    this.root.addEventListener('keydown', event => this.#onKey(event));
  }

  focus(): void {
    this.root.focus({ preventScroll: true });
  }

  update(rows: readonly TotalsRow[], columns: readonly TotalsColumn[]): void {
    // Keeps the same row after rows have moved.
    const was = this.#rows[this.#row];
    this.#rows = rows.slice(0, Math.min(MAX_ROWS, rows.length - 1));
    this.#all = rows.at(-1);
    this.#leftOut = rows.length - 1 - this.#rows.length;
    this.#columns = columns;
    const at = was ? this.#rows.findIndex(row => keyOf(row) === keyOf(was)) : this.#row;
    this.#row = Math.max(0, at);
    this.#follow();
    this.#draw();
  }

  /** Marks the row of a call. */
  select(call: TraceCall | undefined): void {
    if (call === this.#selected) return;
    this.#selected = call;
    this.#follow();
    this.#showRow();
  }

  /** Chooses a call of a row: the first one, or the one after the selected call. */
  chooseOf(calls: readonly TraceCall[]): void {
    const at = this.#selected === undefined ? -1 : calls.indexOf(this.#selected);
    const call = calls[(at + 1) % Math.max(1, calls.length)];
    if (call) this.#host.choose(call);
  }

  /** Scrolls the current row into view. */
  #showRow(): void {
    this.#draw();
    this.root.querySelector(`#${rowId(this.#row)}`)?.scrollIntoView({ block: 'nearest' });
  }

  /** Moves to the row of the selected call, if the current row does not contain it. */
  #follow(): void {
    const selected = this.#selected;
    const row = this.#rows[this.#row];
    if (selected === undefined || (row && callsOf(row).includes(selected))) return;
    const at = this.#rows.findIndex(each => each.kind === 'edge' && each.edge.calls.includes(selected));
    if (at >= 0) this.#row = at;
  }

  #draw(): void {
    const head = (title: string, meaning: string, width = ''): View =>
      h('div', { class: width, role: 'columnheader', title: meaning }, title);
    const about = 'Agents in the order of their first calls, and below each those who call it';
    const heads = this.#columns.map(({ title, meaning, width }) => head(title, meaning, width));
    draw(
      this.root,
      h(
        'div',
        { class: 'totals-row bar totals-head muted', role: 'row' },
        head('Agent', about, 'first'),
        h('div', { class: 'cells' }, heads),
      ),
      this.#rows.map((row, index) => this.#buildRow(row, index)),
      this.#leftOut > 0 &&
        h('p', { class: 'totals-row bar muted' }, `${countOf(this.#leftOut, 'more row')} not shown`),
      this.#all && this.#buildRow(this.#all, this.#rows.length),
    );
    setAttribute(this.root, 'aria-rowcount', String(this.#rows.length + 2));
    setAttribute(this.root, 'aria-activedescendant', this.#rows.length > 0 ? rowId(this.#row) : '');
  }

  #buildRow(row: TotalsRow, index: number): View {
    const calls = index === this.#row && this.#selected !== undefined ? callsOf(row) : [];
    const isSelected = this.#selected !== undefined && calls.includes(this.#selected);
    return h(
      'div',
      {
        key: keyOf(row),
        id: rowId(index),
        class: `totals-row bar ${row.kind}`,
        role: 'row',
        'aria-rowindex': index + 2,
        'aria-level': row.kind === 'edge' ? 2 : 1,
        'aria-selected': isSelected,
        onClick: () => this.#goTo(index),
      },
      h(
        'div',
        { class: 'first', role: 'gridcell' },
        h('span', { class: 'name clip' }, nameOfRow(row)),
        row.kind === 'edge' && row.edge.isInCycle && h(CycleBadge, {}),
        h('span', { class: 'position' }, isSelected ? describePosition(calls, this.#selected) : ''),
      ),
      h(
        'div',
        { class: 'cells' },
        this.#columns.map(column => buildCell(cellOf(row, column), column)),
      ),
    );
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
    const page = Math.max(1, Math.floor(this.root.clientHeight / ROW) - 2);
    const last = this.#rows.length - 1;
    const to = (index: number): void => this.#goTo(Math.max(0, Math.min(last, index)));
    const actions = new Map<string, () => unknown>([
      ...listMoves(page, by => to(this.#row + by)),
      ['ArrowLeft', () => this.#step(-1)],
      ['ArrowRight', () => this.#step(1)],
      ['Enter', () => this.#host.open()],
    ]);
    actOnKey(event, actions);
  }
}

function rowId(index: number): string {
  return `totals-row-${index}`;
}

function buildCell(text: string, { title, width, meaning }: TotalsColumn): View {
  const name = title === 'Failed' ? `${width} failed` : width;
  return h(
    'div',
    { class: name, role: 'gridcell', title: text.startsWith(ABOUT) ? meaning : undefined },
    text,
  );
}

function CycleBadge(): View {
  return h(
    'span',
    { class: 'badge muted cycle', title: 'Part of a cycle of calls' },
    h(Icon, { name: 'cycle' }),
    h('span', { class: 'clip' }, 'cycle'),
  );
}

function keyOf(row: TotalsRow): string {
  if (row.kind === 'all') return '[]';
  return JSON.stringify(
    row.kind === 'agent' ? [row.agent ?? null] : [row.edge.from ?? null, row.edge.to ?? null],
  );
}
