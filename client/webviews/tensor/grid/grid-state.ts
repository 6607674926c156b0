import type { Cell } from '../axes.ts';

/** The saved state of a tensor's grid: offsets in pixels, and the anchor of the selection. */
export interface GridPlace {
  readonly left: number;
  readonly top: number;
  readonly anchor: Cell;
}

/** A grid state in the text form that `readGridPlace` reads: the id of its tensor, and a line of numbers. */
export function printGridPlace(id: string, { left, top, anchor }: GridPlace): string {
  return `${id}\n${left} ${top} ${anchor.row} ${anchor.column}`;
}

/** Reads a saved grid state; undefined if there is none or it belongs to another tensor. */
export function readGridPlace(stored: string | undefined, id: string): GridPlace | undefined {
  const [owner, numbers = ''] = (stored ?? '').split('\n');
  const [left = NaN, top = NaN, row = NaN, column = NaN] = numbers.split(' ').map(Number);
  const isPlace = [left, top, row, column].every(each => Number.isFinite(each) && each >= 0);
  return owner === id && isPlace ? { left, top, anchor: { row, column } } : undefined;
}
