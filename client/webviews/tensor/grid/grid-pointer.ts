import type { Cell } from '../axes.ts';

/** Milliseconds between steps while a drag is held beyond the edge. */
const DRAG_STEP = 40;

/** Mouse actions on a grid. */
export interface GridPointerHost {
  /** The cell at a point, in pixels from the port's corner; -1 for the row or column heads. */
  cellUnder(x: number, y: number): Cell;
  /** A press on a cell or a head. `extend` is true while Shift is held. */
  press(cell: Cell, how: { readonly extend: boolean }): void;
  /** The pointer was dragged over a cell. */
  drag(cell: Cell): void;
  edit(): void;
}

/** Handles selection by mouse, with one listener for all cells. */
export function listenToPointer(port: HTMLElement, host: GridPointerHost): void {
  let corner = { left: 0, top: 0 };
  let point = { x: 0, y: 0 };
  let timer: ReturnType<typeof setInterval> | undefined;
  const cell = (): Cell => host.cellUnder(point.x - corner.left, point.y - corner.top);
  const end = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  port.addEventListener('pointerdown', event => {
    if (event.button !== 0 || event.target instanceof HTMLInputElement) return;
    corner = port.getBoundingClientRect();
    point = { x: event.clientX, y: event.clientY };
    const pressed = cell();
    host.press(pressed, { extend: event.shiftKey });
    if (pressed.row < 0 || pressed.column < 0) return;
    port.setPointerCapture(event.pointerId);
    // A drag held beyond the edge continues to scroll without pointer moves.
    timer ??= setInterval(() => host.drag(cell()), DRAG_STEP);
  });
  port.addEventListener('pointermove', event => {
    point = { x: event.clientX, y: event.clientY };
  });
  port.addEventListener('pointerup', () => {
    if (timer !== undefined) host.drag(cell());
    end();
  });
  port.addEventListener('lostpointercapture', end);
  port.addEventListener('dblclick', event => {
    const { row, column } = host.cellUnder(event.clientX - corner.left, event.clientY - corner.top);
    if (row >= 0 && column >= 0) host.edit();
  });
}
