import { isRecord } from '../../../../core/guard.ts';
import type { Cell } from '../axes.ts';

/** The saved state of a tensor's grid: offsets in pixels, and the anchor of the selection. */
export interface GridPlace {
  readonly left: number;
  readonly top: number;
  readonly anchor: Cell;
}

/** Reads a saved grid state; undefined if there is none or it belongs to another tensor. */
export function readGridPlace(stored: string | undefined, id: string): GridPlace | undefined {
  const value = parse(stored);
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
    // State stored by another version is ignored.
    return undefined;
  }
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
