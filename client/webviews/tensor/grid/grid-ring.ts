import { element } from '../../shared/element.ts';
import type { CellText } from './cells.ts';
import { lineCovers, lineLength, lineStart, linesToMove, type Scrolled } from './grid-lines.ts';
import type { Window } from '../../shared/virtual-rows.ts';

/** The content of the grid cells. */
export interface GridContent {
  readonly rowHeight: number;
  readonly columnWidth: number;
  /** The text of a cell, padded to the column width in characters. */
  readonly cell: (row: number, column: number) => CellText;
  /** The head of a column, padded in the same way. */
  readonly head: (column: number) => string;
  readonly isSelected: (row: number, column: number) => boolean;
}

interface CellSlot {
  readonly root: HTMLElement;
  readonly text: Text;
  look: CellText['look'];
  isSelected: boolean;
}

/** A row of adjacent cells. `first` is the column of the first cell; -1 if the line is not written yet. */
interface LineSlot {
  readonly root: HTMLElement;
  readonly cells: readonly CellSlot[];
  first: number;
}

interface RowSlot extends LineSlot {
  readonly head: HTMLElement;
  readonly headText: Text;
  /** The row that the slot shows; -1 for none yet. */
  at: number;
}

/** The number of columns, and the scroll offsets of the grid in pixels. */
interface RingPlace {
  readonly count: number;
  readonly left: number;
  readonly top: number;
}

/**
 * The maximum distance of positions in a layer, in pixels: beyond some millions a browser places elements
 * inexactly.
 */
const MAX_DISTANCE = 1_000_000;

/**
 * The elements of the visible cells. Rows form a ring: row `n` uses the element `n` modulo the number of
 * elements, so scrolling by a row writes only one row. A row is one line of monospaced text with its cells as
 * spans, because a browser lays out a line many times faster than as many boxes. Lines extend beyond the
 * view, so that horizontal scrolling rewrites some of them per frame instead of all at once.
 */
export class GridRing {
  /** Layers that move in both directions, only horizontally, and only vertically. */
  readonly body = element('div', { class: 'layer', role: 'presentation' });
  readonly columnHeads = element('div', { class: 'layer', role: 'presentation' });
  readonly rowHeads = element('div', { class: 'layer', role: 'presentation' });
  #rows: readonly RowSlot[] = [];
  #heads: LineSlot = makeHeads(0);
  #content: GridContent | undefined;
  /** The cell at the origin of the layers. */
  #origin = { row: 0, column: 0 };
  /** The first row and column of the last frame, the column with its fraction, and the scroll directions. */
  #last = { row: 0, column: 0, isDown: true, isForward: true };

  /** Replaces values or sizes; the next `draw` writes every cell. */
  reset(content: GridContent): void {
    this.#content = content;
    this.#forget();
  }

  /** Draws the visible cells, and moves the layers so that the offsets in pixels are at the start of the port. */
  draw(rows: Window, columns: Window, { count, left, top }: RingPlace): void {
    const content = this.#content;
    if (!content) return;
    const lines = { count, seen: columns.end - columns.first };
    this.#resize(rows.end - rows.first, lineLength(lines));
    this.#moveOrigin(rows.first, columns.first);
    const scrolled = this.#scrollTo(rows.first, left / content.columnWidth);
    const start = lineStart(lines, columns.first, scrolled);
    this.#drawHeads(start, content);
    const later = this.#drawRows(rows, start, row => lineCovers(lines, row.first, columns.first));
    const due = later[0] ? linesToMove(later.length, lines, later[0].first, scrolled) : 0;
    // Rows that stay visible longest come first; others may scroll out of view before they are due.
    const order = scrolled.isDown ? later.toReversed() : later;
    for (const slot of order.slice(0, due)) this.#drawRow(slot, slot.at, start);
    const x = this.#origin.column * content.columnWidth - left;
    const y = this.#origin.row * content.rowHeight - top;
    this.body.style.transform = `translate(${x}px, ${y}px)`;
    this.columnHeads.style.transform = `translate(${x}px, 0)`;
    this.rowHeads.style.transform = `translate(0, ${y}px)`;
  }

  /** The position of a cell in the body layer, in pixels. */
  placeOf(row: number, column: number): { readonly left: number; readonly top: number } {
    const { columnWidth = 0, rowHeight = 0 } = this.#content ?? {};
    return { left: (column - this.#origin.column) * columnWidth, top: (row - this.#origin.row) * rowHeight };
  }

  /** The element of a cell; undefined if it is not drawn. */
  cellAt(row: number, column: number): HTMLElement | undefined {
    const slot = this.#rows[row % this.#rows.length];
    return slot?.at === row ? slot.cells[column - slot.first]?.root : undefined;
  }

  /** Marks the selected cells for screen readers. The visible mark is the frame around them. */
  markSelected(): void {
    for (const slot of this.#rows)
      for (const [at, cell] of slot.cells.entries()) this.#mark(cell, slot.at, slot.first + at);
  }

  #mark(cell: CellSlot, row: number, column: number): void {
    const isSelected = this.#content?.isSelected(row, column) ?? false;
    if (cell.isSelected === isSelected) return;
    cell.isSelected = isSelected;
    cell.root.ariaSelected = String(isSelected);
  }

  #scrollTo(row: number, column: number): Scrolled & { readonly isDown: boolean } {
    const last = this.#last;
    const isDown = row === last.row ? last.isDown : row > last.row;
    const isForward = column === last.column ? last.isForward : column > last.column;
    this.#last = { row, column, isDown, isForward };
    return { before: last.column, now: column, isDown, isForward };
  }

  /**
   * Writes the rows that are new or end within the view. Returns the rows that should begin at `start` but do
   * not yet.
   */
  #drawRows(rows: Window, start: number, covers: (slot: RowSlot) => boolean): readonly RowSlot[] {
    const later: RowSlot[] = [];
    for (let row = rows.first; row < rows.end; row++) {
      const slot = this.#rows[row % this.#rows.length];
      if (!slot) continue;
      if (slot.at !== row || !covers(slot)) this.#drawRow(slot, row, start);
      else if (slot.first !== start) later.push(slot);
    }
    return later;
  }

  #drawRow(slot: RowSlot, row: number, start: number): void {
    const content = this.#content;
    if (!content) return;
    const { left, top } = this.placeOf(row, start);
    slot.root.style.transform = `translate(${left}px, ${top}px)`;
    if (slot.at !== row) {
      slot.at = row;
      slot.headText.data = String(row);
      slot.head.style.transform = `translateY(${top}px)`;
      slot.root.ariaRowIndex = String(row + 2);
    }
    numberCells(slot, start);
    for (const [at, drawn] of slot.cells.entries()) {
      const { text, look } = content.cell(row, start + at);
      drawn.text.data = text;
      if (drawn.look !== look) drawn.root.className = look;
      drawn.look = look;
      this.#mark(drawn, row, start + at);
    }
  }

  #drawHeads(start: number, { head }: GridContent): void {
    if (this.#heads.first === start) return;
    numberCells(this.#heads, start);
    for (const [at, slot] of this.#heads.cells.entries()) slot.text.data = head(start + at);
    this.#heads.root.style.transform = `translateX(${this.placeOf(0, start).left}px)`;
  }

  #moveOrigin(row: number, column: number): void {
    const { left, top } = this.placeOf(row, column);
    if (Math.abs(left) <= MAX_DISTANCE && Math.abs(top) <= MAX_DISTANCE) return;
    this.#origin = { row, column };
    this.#forget();
  }

  #forget(): void {
    this.#heads.first = -1;
    for (const slot of this.#rows) slot.at = -1;
  }

  #resize(rows: number, columns: number): void {
    if (rows === this.#rows.length && columns === this.#heads.cells.length) return;
    this.#heads = makeHeads(columns);
    this.#rows = Array.from({ length: rows }, (_, at) => makeRow(at, columns));
    this.columnHeads.replaceChildren(this.#heads.root);
    this.rowHeads.replaceChildren(...this.#rows.map(slot => slot.head));
    for (const old of this.body.querySelectorAll(':scope > .cells')) old.remove();
    this.body.prepend(...this.#rows.map(slot => slot.root));
  }
}

/** Exposes the column numbers of a line to screen readers. */
function numberCells(line: LineSlot, start: number): void {
  if (line.first === start) return;
  line.first = start;
  for (const [at, { root }] of line.cells.entries()) root.ariaColIndex = String(start + at + 2);
}

function makeCell(role: 'gridcell' | 'columnheader', attributes: { readonly id?: string }): CellSlot {
  const text = document.createTextNode('');
  const root = element('span', { role, attributes }, text);
  return { root, text, look: 'number', isSelected: false };
}

function makeHeads(columns: number): LineSlot {
  const cells = Array.from({ length: columns }, () => makeCell('columnheader', {}));
  const root = element(
    'div',
    { class: 'cells', role: 'row', attributes: { 'aria-rowindex': '1' } },
    ...cells.map(cell => cell.root),
  );
  return { root, cells, first: -1 };
}

function makeRow(at: number, columns: number): RowSlot {
  const cells = Array.from({ length: columns }, (_, column) =>
    makeCell('gridcell', { id: `cell-${at}-${column}` }),
  );
  const headText = document.createTextNode('');
  const id = `row-head-${at}`;
  const head = element(
    'div',
    { class: 'row-head', role: 'rowheader', attributes: { id, 'aria-colindex': '1' } },
    headText,
  );
  const root = element(
    'div',
    // The head is in another layer that scrolls separately, but belongs to this row.
    { class: 'cells', role: 'row', attributes: { 'aria-owns': id } },
    ...cells.map(cell => cell.root),
  );
  return { root, cells, first: -1, head, headText, at: -1 };
}
