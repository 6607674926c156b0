import type { Plane } from '../../../../tensor/heat-map.ts';
import type { AxisRange } from '../../../../tensor/slice.ts';
import type { Cell, Slicing } from '../axes.ts';

/**
 * The selected cells of a grid: a rectangle from `anchor` to `active`. Commands use the active cell or the
 * whole rectangle.
 */
export interface GridRange {
  readonly anchor: Cell;
  readonly active: Cell;
}

/** A rectangle of cells; `bottom` and `right` are exclusive. */
export interface Rectangle {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The size of a grid, and the number of rows that a page key scrolls. */
export interface GridBounds {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
}

/** The properties of a keyboard event. */
export interface GridKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** A selection of one cell. */
export function singleCell(cell: Cell): GridRange {
  return { anchor: cell, active: cell };
}

export function rectangleOf({ anchor, active }: GridRange): Rectangle {
  return {
    top: Math.min(anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    bottom: Math.max(anchor.row, active.row) + 1,
    right: Math.max(anchor.column, active.column) + 1,
  };
}

export function countCells({ top, left, bottom, right }: Rectangle): number {
  return (bottom - top) * (right - left);
}

/**
 * The selection after a key; undefined for a key that does not move it. Shift extends the selection, Ctrl
 * goes to the end.
 */
export function moveRange(range: GridRange, key: GridKey, bounds: GridBounds): GridRange | undefined {
  const isFar = key.ctrlKey || key.metaKey;
  if (isFar && key.key.toLowerCase() === 'a') return wholeGrid(bounds);
  const to = target(range.active, key.key, { ...bounds, isFar });
  if (!to) return undefined;
  const active = clampCell(to, bounds);
  return key.shiftKey ? { anchor: range.anchor, active } : singleCell(active);
}

/** Selects the whole grid with the first cell active, so that nothing scrolls. */
export function wholeGrid({ rows, columns }: GridBounds): GridRange {
  return { anchor: { row: rows - 1, column: columns - 1 }, active: { row: 0, column: 0 } };
}

/** The part of each axis of the tensor that a rectangle covers. */
export function axisRanges(slicing: Slicing, { top, left, bottom, right }: Rectangle): readonly AxisRange[] {
  return slicing.at.map((at, axis) => {
    if (axis === slicing.rows) return { start: top, end: bottom, step: 1 };
    if (axis === slicing.columns) return { start: left, end: right, step: 1 };
    return { start: at, end: at + 1, step: 1, isIndex: true };
  });
}

/** Clamps a cell to the plane; the first cell if the plane is empty. */
export function clampCell({ row, column }: Cell, { rows, columns }: Pick<Plane, 'rows' | 'columns'>): Cell {
  return {
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  };
}

function target(
  { row, column }: Cell,
  key: string,
  { rows, columns, page, isFar }: GridBounds & { readonly isFar: boolean },
): Cell | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: isFar ? 0 : row - 1, column };
    case 'ArrowDown':
      return { row: isFar ? rows - 1 : row + 1, column };
    case 'ArrowLeft':
      return { row, column: isFar ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: isFar ? columns - 1 : column + 1 };
    case 'PageUp':
      return { row: row - page, column };
    case 'PageDown':
      return { row: row + page, column };
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 };
    case 'End':
      return { row: isFar ? rows - 1 : row, column: columns - 1 };
    default:
      return undefined;
  }
}
