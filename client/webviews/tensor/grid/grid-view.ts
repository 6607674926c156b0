import { countElements } from '../../../../tensor/tensor.ts';
import { element, setAttribute } from '../../shared/element.ts';
import { Select } from '../../shared/buttons.ts';
import { h, type View } from '../../shared/view.ts';
import { cellOf, indexAt, type Cell } from '../axes.ts';
import { CELL_STYLES, cellReader, columnWidth, fitColumn, hasStyles, type CellStyle } from './cells.ts';
import { CellEditor } from './grid-editor.ts';
import { listenToPointer } from './grid-pointer.ts';
import {
  clampCell,
  moveRange,
  rectangleOf,
  singleCell,
  type GridBounds,
  type GridRange,
  type Rectangle,
} from './grid-range.ts';
import { GridCells } from './grid-cells.ts';
import { Scroller } from '../../shared/scroller.ts';
import { printGridPlace, readGridPlace } from './grid-state.ts';
import { exactText } from '../value-line.ts';
import type { InspectorActions, InspectorView, Shown } from '../view.ts';
import { offsetShowing, windowAt } from '../../shared/virtual-rows.ts';

const ROW_HEIGHT = 22;
/** Pixels beside a row number. */
const PADDING = 8;
/** The number of characters in the probe that measures the width of one. */
const PROBE_LENGTH = 100;
const STYLE_WORDS = { short: 'Four decimals', exact: 'Exact' } as const satisfies Record<CellStyle, string>;

/** The actions of the page that the grid uses in addition to those of every tab. */
export interface GridActions extends InspectorActions {
  /** Writes a value. Returns the problem, or undefined if it was sent. */
  write(index: number, text: string): string | undefined;
  /** The rectangle of selected cells changed. */
  rangeChanged(): void;
}

/** The values of a plane as a grid. Only visible cells are drawn; one listener serves all of them. */
export class GridView implements InspectorView {
  readonly name = 'grid';
  readonly title = 'Grid';
  readonly #actions: GridActions;
  readonly #cells = new GridCells();
  readonly #frame = element('div', { class: 'range' });
  readonly #mark = element('div', { class: 'active-cell' });
  readonly #editor: CellEditor;
  readonly #corner = element('div', { class: 'corner', attributes: { 'aria-hidden': 'true' } });
  readonly #body = element('div', { class: 'grid-body', role: 'presentation' }, this.#cells.body);
  readonly #heads = element('div', { class: 'row-heads', role: 'presentation' }, this.#cells.rowHeads);
  readonly #probe = element(
    'span',
    { class: 'probe', attributes: { 'aria-hidden': 'true' } },
    '0'.repeat(PROBE_LENGTH),
  );
  readonly #port = element(
    'div',
    { class: 'grid code', role: 'grid', attributes: { tabindex: '0', 'aria-multiselectable': 'true' } },
    element('div', { class: 'column-heads', role: 'presentation' }, this.#cells.columnHeads),
    this.#heads,
    this.#body,
    this.#corner,
    this.#probe,
  );
  readonly #scroller = new Scroller(
    this.#port,
    () => this.#scrolled(),
    () => this.#layOut(),
  );
  readonly #empty = element('p', { class: 'empty' }, 'This tensor has no elements.');
  readonly root = element('div', { class: 'view grid-view' }, this.#empty, this.#scroller.root);
  #shown: Shown | undefined;
  #range: GridRange = singleCell({ row: 0, column: 0 });
  #columnWidth = 1;
  #headWidth = 0;

  constructor(actions: GridActions) {
    this.#actions = actions;
    this.#editor = new CellEditor({
      commit: text => this.#commit(text),
      closed: () => this.#port.focus({ preventScroll: true }),
    });
    this.#cells.body.append(this.#frame, this.#mark);
    this.#body.append(this.#editor.root);
    this.#port.addEventListener('keydown', event => this.#onKey(event));
    listenToPointer(this.#port, {
      cellUnder: (x, y) => this.#cellUnder(x, y),
      press: (cell, { extend }) => this.#press(cell, { extend }),
      drag: cell => this.#select({ anchor: this.#range.anchor, active: cell }),
      edit: () => this.edit(),
    });
  }

  /** The rectangle of selected cells. */
  get rectangle(): Rectangle {
    return rectangleOf(this.#range);
  }

  show(shown: Shown): void {
    const was = this.#shown;
    this.#shown = shown;
    this.#port.ariaReadOnly = String(!shown.subject.canEdit);
    this.#empty.hidden = shown.selected !== undefined;
    this.#scroller.root.hidden = shown.selected === undefined;
    if (!was || was.subject.id !== shown.subject.id) return this.#open(shown);
    const isSame = was.tensor === shown.tensor && was.plane === shown.plane;
    if (!isSame) this.#layOut();
    const cell = this.#selectedCell(shown);
    const { active } = this.#range;
    const isActive = cell.row === active.row && cell.column === active.column;
    if (!isActive || was.slicing !== shown.slicing) this.#place(singleCell(cell));
  }

  hide(): void {
    this.#editor.close();
  }

  focus(): void {
    this.#port.focus({ preventScroll: true });
  }

  /**
   * Opens the editor in the active cell if the tensor can be changed. `problem` is the reason why a change
   * was refused.
   */
  edit(problem?: string): void {
    const shown = this.#shown;
    if (!shown?.subject.canEdit || shown.selected === undefined) return;
    this.#reveal(this.#range.active);
    this.#editor.open(exactText(shown.tensor, shown.selected), problem);
  }

  /** Shows a new tensor, at its saved offsets if there are any. */
  #open(shown: Shown): void {
    const stored = readGridPlace(this.#actions.stored('grid.place'), shown.subject.id);
    const active = this.#selectedCell(shown);
    this.#range = { anchor: clampCell(stored?.anchor ?? active, shown.plane), active };
    this.#layOut();
    this.#scroller.moveTo(stored ?? { left: 0, top: 0 });
    if (!stored) this.#reveal(active);
    this.#drawSelection();
    this.#actions.rangeChanged();
  }

  #selectedCell({ tensor, slicing, plane, selected = 0 }: Shown): Cell {
    return clampCell(cellOf(tensor.shape, slicing, selected), plane);
  }

  get #bounds(): GridBounds {
    const { rows = 0, columns = 0 } = this.#shown?.plane ?? {};
    return { rows, columns, page: Math.max(1, Math.floor(this.#scroller.down.view / ROW_HEIGHT) - 1) };
  }

  /** Lays out again after a change of size or values: redraws everything at the same offsets. */
  #layOut(): void {
    const shown = this.#shown;
    if (!shown) return;
    const { tensor, plane, subject } = shown;
    const style = this.#cellStyle;
    const character = this.#probe.getBoundingClientRect().width / PROBE_LENGTH;
    const width = columnWidth(tensor.dtype, style, plane.columns);
    this.#columnWidth = width * character;
    this.#headWidth = String(Math.max(0, plane.rows - 1)).length * character + 2 * PADDING;
    this.#port.style.setProperty('--column-width', `${this.#columnWidth}px`);
    this.#port.style.setProperty('--head-width', `${this.#headWidth}px`);
    this.#port.ariaRowCount = String(plane.rows + 1);
    this.#port.ariaColCount = String(plane.columns + 1);
    this.#port.ariaLabel = `Values of ${subject.name}`;
    const read = cellReader(tensor, style);
    this.#cells.reset({
      rowHeight: ROW_HEIGHT,
      columnWidth: this.#columnWidth,
      cell: (row, column) => {
        const { text, look } = read(indexAt(plane, { row, column }));
        return { text: fitColumn(text, width), look };
      },
      head: column => fitColumn(String(column), width),
      isSelected: (row, column) => this.#isSelected(row, column),
    });
    const heads = { width: this.#headWidth, height: ROW_HEIGHT };
    this.#scroller.resize(
      { width: plane.columns * this.#columnWidth, height: plane.rows * ROW_HEIGHT },
      heads,
    );
    this.#draw();
  }

  get #cellStyle(): CellStyle {
    return CELL_STYLES.find(style => style === this.#actions.stored('grid.style')) ?? 'short';
  }

  tools({ tensor }: Shown): View | undefined {
    if (!hasStyles(tensor.dtype)) return undefined;
    const options = CELL_STYLES.map(value => ({ value, label: STYLE_WORDS[value] }));
    const onChoose = (style: string): void => {
      this.#actions.keep('grid.style', style);
      this.#layOut();
      this.#reveal(this.#range.active);
      this.#actions.toolsChanged();
    };
    return h('label', { class: 'field' }, 'Values', h(Select, { options, value: this.#cellStyle, onChoose }));
  }

  #scrolled(): void {
    this.#draw();
    this.#keepPlace();
  }

  #keepPlace(): void {
    const { across, down } = this.#scroller;
    const place = { left: across.offset, top: down.offset, anchor: this.#range.anchor };
    this.#actions.keep('grid.place', printGridPlace(this.#shown?.subject.id ?? '', place));
  }

  #draw(): void {
    const { across, down } = this.#scroller;
    const { rows, columns } = this.#bounds;
    this.#cells.draw(
      windowAt({ count: rows, size: ROW_HEIGHT }, down.view, down.offset),
      windowAt({ count: columns, size: this.#columnWidth }, across.view, across.offset),
      { left: across.offset, top: down.offset },
    );
    this.#drawSelection();
  }

  /** Draws the frame around the selected cells, clipped slightly outside of the view. */
  #drawSelection(): void {
    const { active } = this.#range;
    const { across, down } = this.#scroller;
    const isEmpty = this.#shown?.selected === undefined;
    const rows = windowAt({ count: this.#bounds.rows, size: ROW_HEIGHT }, down.view, down.offset);
    const columns = windowAt(
      { count: this.#bounds.columns, size: this.#columnWidth },
      across.view,
      across.offset,
    );
    const { top, left, bottom, right } = this.rectangle;
    const first = { row: Math.max(top, rows.first - 1), column: Math.max(left, columns.first - 1) };
    const end = { row: Math.min(bottom, rows.end + 1), column: Math.min(right, columns.end + 1) };
    this.#frame.hidden =
      isEmpty ||
      (bottom - top === 1 && right - left === 1) ||
      first.row >= end.row ||
      first.column >= end.column;
    if (!this.#frame.hidden) {
      const place = this.#cells.placeOf(first.row, first.column);
      this.#frame.style.transform = `translate(${place.left}px, ${place.top}px)`;
      this.#frame.style.width = `${(end.column - first.column) * this.#columnWidth}px`;
      this.#frame.style.height = `${(end.row - first.row) * ROW_HEIGHT}px`;
    }
    const cell = this.#cells.idOf(active.row, active.column);
    const at = this.#cells.placeOf(active.row, active.column);
    this.#mark.hidden = isEmpty || !cell;
    if (cell) this.#mark.style.transform = `translate(${at.left}px, ${at.top}px)`;
    setAttribute(this.#port, 'aria-activedescendant', cell ?? '');
    this.#editor.place({
      left: active.column * this.#columnWidth - across.offset,
      top: active.row * ROW_HEIGHT - down.offset,
      width: this.#columnWidth,
      room: { width: across.view, height: down.view },
    });
  }

  #isSelected(row: number, column: number): boolean {
    const { top, left, bottom, right } = this.rectangle;
    return row >= top && row < bottom && column >= left && column < right;
  }

  /** Selects by key or mouse, and notifies the page. */
  #select(range: GridRange): void {
    const shown = this.#shown;
    if (!shown || countElements(shown.tensor.shape) === 0) return;
    this.#place({
      anchor: clampCell(range.anchor, shown.plane),
      active: clampCell(range.active, shown.plane),
    });
    this.#actions.select(indexAt(shown.plane, this.#range.active));
  }

  #place(range: GridRange): void {
    this.#range = range;
    this.#editor.close();
    this.#reveal(range.active);
    this.#cells.write();
    this.#drawSelection();
    this.#keepPlace();
    this.#actions.rangeChanged();
  }

  #reveal({ row, column }: Cell): void {
    const { across, down } = this.#scroller;
    const { rows, columns } = this.#bounds;
    this.#scroller.moveTo({
      left: offsetShowing({ count: columns, size: this.#columnWidth }, across.view, across.offset, column),
      top: offsetShowing({ count: rows, size: ROW_HEIGHT }, down.view, down.offset, row),
    });
  }

  #cellUnder(x: number, y: number): Cell {
    const { across, down } = this.#scroller;
    const column = Math.floor((x - this.#headWidth + across.offset) / this.#columnWidth);
    const row = Math.floor((y - ROW_HEIGHT + down.offset) / ROW_HEIGHT);
    return { row: y < ROW_HEIGHT ? -1 : row, column: x < this.#headWidth ? -1 : column };
  }

  /** Handles a press: a head selects its row or column, the corner selects all. */
  #press({ row, column }: Cell, { extend }: { readonly extend: boolean }): void {
    const { rows, columns } = this.#bounds;
    if (row >= rows || column >= columns) return;
    const active = { row: Math.max(0, row), column: Math.max(0, column) };
    const far = { row: row < 0 ? rows - 1 : row, column: column < 0 ? columns - 1 : column };
    this.#select({ anchor: extend ? this.#range.anchor : far, active });
  }

  #commit(text: string): string | undefined {
    const index = this.#shown?.selected;
    return index === undefined ? undefined : this.#actions.write(index, text);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.target instanceof HTMLInputElement) return;
    const isEdit = event.key === 'F2' || (event.key === 'Enter' && !event.ctrlKey && !event.metaKey);
    const range = isEdit ? undefined : moveRange(this.#range, event, this.#bounds);
    if (isEdit) this.edit();
    if (range) this.#select(range);
    if (!isEdit && !range) return;
    event.preventDefault();
    // VS Code also handles keys that reach the window.
    event.stopPropagation();
  }
}
