import { element } from '../../shared/element.ts';
import { draw, h, type View } from '../../shared/view.ts';
import type { Window } from '../../shared/virtual-rows.ts';
import type { CellText } from './cells.ts';

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

/**
 * The maximum distance of positions in a layer, in pixels: beyond some millions a browser places elements
 * inexactly.
 */
const MAX_DISTANCE = 1_000_000;

const NOTHING: Window = { first: 0, end: 0 };

/**
 * The elements of the visible cells. Row `n` uses the element `n` modulo the number of rows, so scrolling by a
 * row writes only one row. A row is one line of monospaced text with its cells as spans, because a browser lays
 * out a line many times faster than as many boxes.
 */
export class GridCells {
  readonly #lines = element('div', { class: 'contents' });
  /** Layers that move in both directions, only horizontally, and only vertically. */
  readonly body = element('div', { class: 'layer', role: 'presentation' }, this.#lines);
  readonly columnHeads = element('div', { class: 'layer', role: 'presentation' });
  readonly rowHeads = element('div', { class: 'layer', role: 'presentation' });
  #content: GridContent | undefined;
  #rows = NOTHING;
  #columns = NOTHING;
  /** The row at the origin of the layers; the first visible column is there, too. */
  #origin = 0;

  /** Replaces values or sizes; the next drawing shows them. */
  reset(content: GridContent): void {
    this.#content = content;
    this.#rows = NOTHING;
  }

  /** Draws the visible cells, and moves the layers so that the offsets in pixels are at the start of the port. */
  draw(rows: Window, columns: Window, { left, top }: { readonly left: number; readonly top: number }): void {
    const content = this.#content;
    if (!content) return;
    const isSame = [rows.first - this.#rows.first, rows.end - this.#rows.end].every(moved => moved === 0);
    const isSameLine = columns.first === this.#columns.first && columns.end === this.#columns.end;
    if (Math.abs(rows.first - this.#origin) * content.rowHeight > MAX_DISTANCE) this.#origin = rows.first;
    this.#rows = rows;
    this.#columns = columns;
    if (!isSame || !isSameLine) this.write();
    const x = columns.first * content.columnWidth - left;
    const y = this.#origin * content.rowHeight - top;
    this.body.style.transform = `translate(${x}px, ${y}px)`;
    this.columnHeads.style.transform = `translate(${x}px, 0)`;
    this.rowHeads.style.transform = `translate(0, ${y}px)`;
  }

  /** Writes the visible cells again, for example after the selection has changed. */
  write(): void {
    const content = this.#content;
    if (!content) return;
    const columns = Array.from(
      { length: this.#columns.end - this.#columns.first },
      (_, at) => this.#columns.first + at,
    );
    const heads = columns.map(column =>
      h('span', { role: 'columnheader', 'aria-colindex': column + 2 }, content.head(column)),
    );
    draw(this.columnHeads, h('div', { class: 'cells', role: 'row', 'aria-rowindex': 1 }, heads));
    const [lines, rowHeads]: [View[], View[]] = [[], []];
    const count = this.#rows.end - this.#rows.first;
    for (let row = this.#rows.first; row < this.#rows.end; row++) {
      const slot = row % count;
      const style = `transform: translateY(${this.placeOf(row, 0).top}px)`;
      const id = `row-head-${slot}`;
      rowHeads[slot] = h(
        'div',
        { key: slot, id, class: 'row-head', role: 'rowheader', 'aria-colindex': 1, style },
        String(row),
      );
      const cells = columns.map(column => {
        const { text, look } = content.cell(row, column);
        const place = { id: `cell-${slot}-${column - this.#columns.first}`, 'aria-colindex': column + 2 };
        const isSelected = content.isSelected(row, column);
        return h('span', { ...place, class: look, role: 'gridcell', 'aria-selected': isSelected }, text);
      });
      // The head is in another layer that scrolls separately, but belongs to this row.
      const line = {
        key: slot,
        class: 'cells',
        role: 'row',
        'aria-owns': id,
        'aria-rowindex': row + 2,
        style,
      } as const;
      lines[slot] = h('div', line, cells);
    }
    draw(this.rowHeads, ...rowHeads);
    draw(this.#lines, ...lines);
  }

  /** The position of a cell in the body layer, in pixels. */
  placeOf(row: number, column: number): { readonly left: number; readonly top: number } {
    const { columnWidth = 0, rowHeight = 0 } = this.#content ?? {};
    return { left: (column - this.#columns.first) * columnWidth, top: (row - this.#origin) * rowHeight };
  }

  /** The id of the element of a cell; undefined if it is not visible. */
  idOf(row: number, column: number): string | undefined {
    const [rows, columns] = [this.#rows, this.#columns];
    const isSeen = row >= rows.first && row < rows.end && column >= columns.first && column < columns.end;
    return isSeen ? `cell-${row % (rows.end - rows.first)}-${column - columns.first}` : undefined;
  }
}
