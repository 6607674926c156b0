import type { Cell } from './axes.ts';

/** Where the grid of a tensor was left: offsets in pixels, and the corner of the selection. */
export interface GridPlace {
  readonly left: number;
  readonly top: number;
  readonly anchor: Cell;
}

/** Reads a place that the page kept; undefined where it is another tensor's, or none. */
export function readGridPlace(kept: string | undefined, id: string): GridPlace | undefined {
  const value = parse(kept);
  if (!isRecord(value) || value['id'] !== id) return undefined;
  const { left, top, anchor } = value;
  if (!isOffset(left) || !isOffset(top) || !isRecord(anchor)) return undefined;
  const { row, column } = anchor;
  return isOffset(row) && isOffset(column) ? { left, top, anchor: { row, column } } : undefined;
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // What another version kept is as good as nothing.
    return undefined;
  }
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
