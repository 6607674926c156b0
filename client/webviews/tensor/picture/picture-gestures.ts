import { pixelRatio } from '../../shared/canvas.ts';
import type { Point } from './picture-viewport.ts';

export type ZoomStep = 'in' | 'out' | 'whole' | 'actual';

/** Gestures on a picture. Points are in screen pixels from the element's origin. */
export interface GestureHost {
  /** The pointer moved, or left. */
  point(at: Point | undefined): void;
  click(at: Point): void;
  /** A drag begins. The returned function receives the distance from its start. */
  grab(): (by: Point) => void;
  /** A step of the wheel at a point, or a key. */
  zoom(to: ZoomStep, at?: Point): void;
  /** An arrow key: a step in a direction. */
  pan(direction: Point): void;
  /** An arrow key with Shift. */
  selectNext(direction: Point): void;
}

/** The maximum movement of a click, in page pixels. */
const CLICK_REACH = 4;
/** Wheel movement for one zoom step, in pixels of scrolling. */
const WHEEL_STEP = 40;

const ARROWS: ReadonlyMap<string, Point> = new Map([
  ['ArrowLeft', { x: -1, y: 0 }],
  ['ArrowRight', { x: 1, y: 0 }],
  ['ArrowUp', { x: 0, y: -1 }],
  ['ArrowDown', { x: 0, y: 1 }],
]);

const ZOOM_KEYS: ReadonlyMap<string, ZoomStep> = new Map([
  ['+', 'in'],
  ['=', 'in'],
  ['-', 'out'],
  ['0', 'whole'],
  ['1', 'actual'],
]);

/** Listens to pointer, wheel and keys on an element. */
export function listenToGestures(root: HTMLElement, host: GestureHost): void {
  root.addEventListener('pointermove', event => host.point(pointOf(event, root)));
  root.addEventListener('pointerleave', () => host.point(undefined));
  root.addEventListener('pointerdown', event => {
    if (event.button === 0) followPress(root, host, event);
  });
  listenToWheel(root, host);
  root.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !pressKey(host, event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** A press is a click if it ends near its start, else a drag. */
function followPress(root: HTMLElement, host: GestureHost, pressed: PointerEvent): void {
  const from = pointOf(pressed, root);
  let drag: ((by: Point) => void) | undefined;
  const end = new AbortController();
  const { signal } = end;
  const onEnd = (): void => {
    end.abort();
    root.classList.remove('dragged');
  };
  const onMove = (moved: PointerEvent): void => {
    const to = pointOf(moved, root);
    const by = { x: to.x - from.x, y: to.y - from.y };
    if (!drag && Math.hypot(by.x, by.y) <= CLICK_REACH * pixelRatio()) return;
    root.classList.add('dragged');
    drag ??= host.grab();
    drag(by);
  };
  const onRelease = (released: PointerEvent): void => {
    onEnd();
    if (!drag) host.click(pointOf(released, root));
  };
  root.setPointerCapture(pressed.pointerId);
  root.addEventListener('pointermove', onMove, { signal });
  root.addEventListener('pointerup', onRelease, { signal });
  root.addEventListener('pointercancel', onEnd, { signal });
}

function listenToWheel(root: HTMLElement, host: GestureHost): void {
  let turned = 0;
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const isPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
    // Small movements of a touchpad are summed. A line or a page is a whole step.
    turned += isPixels ? event.deltaY : event.deltaY * WHEEL_STEP;
    if (Math.abs(turned) < WHEEL_STEP) return;
    host.zoom(turned < 0 ? 'in' : 'out', pointOf(event, root));
    turned = 0;
  };
  root.addEventListener('wheel', onWheel, { passive: false });
}

/** Returns true if the picture handles the key. */
function pressKey(host: GestureHost, { key, shiftKey }: KeyboardEvent): boolean {
  const direction = ARROWS.get(key);
  const zoom = ZOOM_KEYS.get(key);
  if (direction && shiftKey) host.selectNext(direction);
  else if (direction) host.pan(direction);
  else if (zoom) host.zoom(zoom);
  return direction !== undefined || zoom !== undefined;
}

function pointOf({ clientX, clientY }: MouseEvent, root: HTMLElement): Point {
  const box = root.getBoundingClientRect();
  const ratio = pixelRatio();
  return { x: Math.floor((clientX - box.left) * ratio), y: Math.floor((clientY - box.top) * ratio) };
}
