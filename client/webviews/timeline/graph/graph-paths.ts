import type { GraphBox } from '../../../../trace/graph/graph-layout.ts';

/** The size of a box, and the distance from one box to the next, in pixels. */
export const BOX = { width: 128, height: 44 } as const;
const PITCH = { x: 222, y: 88 } as const;
const MARGIN = { x: 28, top: 12, bottom: 44 } as const;

/** The radius of line corners, and the distance of adjacent lines between boxes, in pixels. */
const CORNER = 8;
const APART = 7;

/** A position in the picture, in pixels from the upper left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The SVG path of a line, its arrow head, and the middle of its label. */
export interface LinePath {
  readonly way: string;
  readonly head: string;
  readonly label: Place;
  /** The space for the label: on both sides of a short line, or in one row along a long line. */
  readonly room: 'short' | 'long';
}

/** The upper left corner of a box. */
export function placeOf({ column, row }: Pick<GraphBox, 'column' | 'row'>): Place {
  return { x: MARGIN.x + column * PITCH.x, y: MARGIN.top + row * PITCH.y };
}

/** The size in pixels of a picture with this number of columns and rows. */
export function sizeOf({ columns, rows }: { readonly columns: number; readonly rows: number }): {
  readonly width: number;
  readonly height: number;
} {
  const last = placeOf({ column: Math.max(0, columns - 1), row: Math.max(0, rows - 1) });
  return { width: last.x + BOX.width + MARGIN.x, height: last.y + BOX.height + MARGIN.bottom };
}

/** The number of a line among those that reach the same box directly, or that use the same gap. */
export interface LineSlot {
  readonly number: number;
  readonly of: number;
}

/** Where lines leave and reach a box, as shares of its height: direct lines in the upper part, other lines below. */
const STRAIGHT = { out: 0.4, first: 0.1, last: 0.7 } as const;
const AROUND = 0.82;

/** True if a line goes directly from one column to the next. Other lines are routed around the boxes. */
export function isStraight({ from, to }: { readonly from: GraphBox; readonly to: GraphBox }): boolean {
  return to.column === from.column + 1;
}

/**
 * The path of a line. A line to the next column is direct. Any other one, backward or over other boxes, goes
 * through the gap below its first row, where there are no boxes.
 */
export function pathOf(line: { readonly from: GraphBox; readonly to: GraphBox }, slot: LineSlot): LinePath {
  const [source, target] = [placeOf(line.from), placeOf(line.to)];
  const start = { x: source.x + BOX.width, y: source.y };
  return isStraight(line)
    ? goStraight(start, target, line.from.row, slot)
    : goAround(start, target, slot.number);
}

function goStraight(source: Place, target: Place, row: number, { number, of }: LineSlot): LinePath {
  const { out, first, last } = STRAIGHT;
  const share = first + ((last - first) * (number + 1)) / (of + 1);
  const start = { x: source.x, y: source.y + BOX.height * out };
  const end = { x: target.x, y: target.y + BOX.height * share };
  // All lines that leave a box share a trunk. The trunks of boxes in different rows are side by side.
  const trunk = start.x + 14 + (row % 3) * 5;
  const points = [start, { x: trunk, y: start.y }, { x: trunk, y: end.y }, { x: end.x - 6, y: end.y }];
  const way = start.y === end.y ? [start, { x: end.x - 6, y: end.y }] : points;
  return { way: roundWay(way), head: headAt(end), label: { x: end.x - 37, y: end.y }, room: 'short' };
}

function goAround(source: Place, target: Place, number: number): LinePath {
  const shift = (number % 4) * APART;
  const start = { x: source.x, y: source.y + BOX.height * AROUND };
  const end = { x: target.x, y: target.y + BOX.height * AROUND };
  const gutter = source.y + BOX.height + 16 + shift;
  const [right, left] = [start.x + 7 + shift / 2, end.x - 14 - shift / 2];
  const points = [
    start,
    { x: right, y: start.y },
    { x: right, y: gutter },
    { x: left, y: gutter },
    { x: left, y: end.y },
    { x: end.x - 6, y: end.y },
  ];
  return {
    way: roundWay(points),
    head: headAt(end),
    label: { x: (right + left) / 2, y: gutter },
    room: 'long',
  };
}

/** A path through points with rounded corners. */
function roundWay(points: readonly Place[]): string {
  const parts = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before) return `M${print(point)}`;
    if (!after) return `L${print(point)}`;
    const room = Math.min(distance(before, point), distance(point, after)) / 2;
    const corner = Math.min(CORNER, room);
    return `L${print(towards(point, before, corner))}Q${print(point)} ${print(towards(point, after, corner))}`;
  });
  return parts.join('');
}

function distance(one: Place, other: Place): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function towards(from: Place, to: Place, by: number): Place {
  const length = distance(from, to);
  if (length === 0) return from;
  return { x: from.x + ((to.x - from.x) * by) / length, y: from.y + ((to.y - from.y) * by) / length };
}

/** The arrow head. Lines reach their boxes from the left. */
function headAt({ x, y }: Place): string {
  return `M${x},${y}l-8,-4v8z`;
}

function print({ x, y }: Place): string {
  return `${x},${y}`;
}
