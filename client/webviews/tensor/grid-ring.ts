import { element } from '../shared/element.ts';
import type { CellText } from './cells.ts';
import type { Window } from './virtual-rows.ts';

/** What the cells of a grid show. */
export interface GridContent {
  readonly rowHeight: number;
  readonly columnWidth: number;
  /** The text of a cell, as many characters as a column is wide. */
  readonly cell: (row: number, column: number) => CellText;
  /** The text over a column, likewise. */
  readonly head: (column: number) => string;
  readonly isSelected: (row: number, column: number) => boolean;
}

interface CellSlot {
  readonly root: HTMLElement;
  readonly text: Text;
  look: CellText['look'];
}

interface RowSlot {
  readonly root: HTMLElement;
  readonly head: HTMLElement;
  readonly headText: Text;
  readonly cells: readonly CellSlot[];
  /** The row that it shows; -1 for none yet. */
  at: number;
}

/** Pixels between the first and the last position in a layer: beyond some millions a browser places them inexactly. */
const MOST_DISTANCE = 1_000_000;

/**
 * The elements of the cells that are seen. Rows form a ring: the element of a row is the one that its number has modulo
 * how many there are, so that scrolling by a row writes one row. A row is one line of text in a font of one width, and
 * its cells are parts of it: a browser lays out a line many times faster than as many boxes.
 */
export class GridRing {
  /** Moves in both directions, across only, and down only. */
  readonly body = element('div', { class: 'layer', role: 'presentation' });
  readonly columnHeads = element('div', {
    class: 'layer cells',
    role: 'row',
    attributes: { 'aria-rowindex': '1' },
  });
  readonly rowHeads = element('div', { class: 'layer', role: 'presentation' });
  #rows: readonly RowSlot[] = [];
  #heads: readonly CellSlot[] = [];
  #content: GridContent | undefined;
  /** The row that stands at the start of the layers. */
  #origin = 0;
  /** The column that every line begins with; -1 for none yet. */
  #first = -1;

  /** Shows other values or other sizes; every cell is written at the next `draw`. */
  reset(content: GridContent): void {
    this.#content = content;
    this.#forget();
  }

  /** Draws the cells of two windows, and moves the layers so that the offsets, in pixels, are at the start of the port. */
  draw(rows: Window, columns: Window, offset: { readonly left: number; readonly top: number }): void {
    const content = this.#content;
    if (!content) return;
    this.#resize(rows.end - rows.first, columns.end - columns.first);
    if (Math.abs(rows.first - this.#origin) * content.rowHeight > MOST_DISTANCE) {
      this.#origin = rows.first;
      this.#forget();
    }
    if (columns.first !== this.#first) this.#moveAcross(columns.first, content);
    for (let row = rows.first; row < rows.end; row++) this.#drawRow(row, content);
    const left = this.#first * content.columnWidth - offset.left;
    const top = this.#origin * content.rowHeight - offset.top;
    this.body.style.transform = `translate(${left}px, ${top}px)`;
    this.columnHeads.style.transform = `translate(${left}px, 0)`;
    this.rowHeads.style.transform = `translate(0, ${top}px)`;
  }

  /** Where a cell stands in the body's layer, in pixels. */
  placeOf(row: number, column: number): { readonly left: number; readonly top: number } {
    const { columnWidth = 0, rowHeight = 0 } = this.#content ?? {};
    return { left: (column - this.#first) * columnWidth, top: (row - this.#origin) * rowHeight };
  }

  /** The element of a cell; undefined where it is not drawn. */
  cellAt(row: number, column: number): HTMLElement | undefined {
    const slot = this.#rows[row % this.#rows.length];
    return slot?.at === row ? slot.cells[column - this.#first]?.root : undefined;
  }

  /** Marks the selected cells for screen readers; people see the frame around them. */
  markSelected(): void {
    for (const slot of this.#rows)
      for (const [at, cell] of slot.cells.entries()) this.#mark(cell, slot.at, this.#first + at);
  }

  #mark({ root }: CellSlot, row: number, column: number): void {
    const isSelected = String(this.#content?.isSelected(row, column) ?? false);
    if (root.ariaSelected !== isSelected) root.ariaSelected = isSelected;
  }

  /** Begins every line with another column. */
  #moveAcross(first: number, { head }: GridContent): void {
    this.#first = first;
    for (const [at, slot] of this.#heads.entries()) {
      slot.text.data = head(first + at);
      slot.root.ariaColIndex = String(first + at + 2);
    }
    for (const slot of this.#rows) {
      slot.at = -1;
      for (const [at, cell] of slot.cells.entries()) cell.root.ariaColIndex = String(first + at + 2);
    }
  }

  #drawRow(row: number, { cell, rowHeight }: GridContent): void {
    const slot = this.#rows[row % this.#rows.length];
    if (!slot || slot.at === row) return;
    slot.at = row;
    slot.headText.data = String(row);
    const place = `translateY(${(row - this.#origin) * rowHeight}px)`;
    slot.root.style.transform = place;
    slot.head.style.transform = place;
    slot.root.ariaRowIndex = String(row + 2);
    for (const [at, drawn] of slot.cells.entries()) {
      const { text, look } = cell(row, this.#first + at);
      drawn.text.data = text;
      if (drawn.look !== look) drawn.root.className = look;
      drawn.look = look;
      this.#mark(drawn, row, this.#first + at);
    }
  }

  #forget(): void {
    this.#first = -1;
    for (const slot of this.#rows) slot.at = -1;
  }

  #resize(rows: number, columns: number): void {
    if (rows === this.#rows.length && columns === this.#heads.length) return;
    this.#forget();
    this.#heads = Array.from({ length: columns }, () => makeCell('columnheader', {}));
    this.#rows = Array.from({ length: rows }, (_, at) => makeRow(at, columns));
    this.columnHeads.replaceChildren(...this.#heads.map(slot => slot.root));
    this.rowHeads.replaceChildren(...this.#rows.map(slot => slot.head));
    for (const old of this.body.querySelectorAll(':scope > .cells')) old.remove();
    this.body.prepend(...this.#rows.map(slot => slot.root));
  }
}

function makeCell(role: 'gridcell' | 'columnheader', attributes: { readonly id?: string }): CellSlot {
  const text = document.createTextNode('');
  return { root: element('span', { role, attributes }, text), text, look: 'number' };
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
    // The head scrolls in a layer of its own; the row owns it none the less.
    { class: 'cells', role: 'row', attributes: { 'aria-owns': id } },
    ...cells.map(cell => cell.root),
  );
  return { root, head, headText, cells, at: -1 };
}
