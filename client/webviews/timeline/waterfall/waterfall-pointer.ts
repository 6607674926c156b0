/** Pointer actions on the waterfall. Places are pixels from the left and the top of the rows. */
export interface PointerHost {
  /** The horizontal position of the chart. */
  chart(): { readonly left: number; readonly width: number };
  /** True if all rows are visible, so that the wheel has nothing to scroll. */
  showsAllRows(): boolean;
  /** True if only a part of the time is visible. */
  isZoomed(): boolean;
  press(place: Place, target: Element): void;
  openAt(place: Place): void;
  zoom(factor: number, share: number): void;
  pan(share: number): void;
  /** The pointer is over a share of the chart; undefined outside of it. */
  point(share: number | undefined): void;
}

/** A position under the pointer. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Movement of the pointer in pixels from which a press is a drag. */
const DRAG = 4;

/** Pixels per line, if the wheel counts in lines. */
const LINE = 22;

/** Listens to the pointer over the rows. Over `head`, which is above them, the wheel always zooms. */
export function listenToPointer(rows: HTMLElement, head: HTMLElement, host: PointerHost): void {
  listenToPresses(rows, host);
  for (const target of [rows, head])
    target.addEventListener('wheel', event => onWheel(event, target === head ? 'head' : 'rows', rows, host), {
      passive: false,
    });
  for (const target of [rows, head]) {
    target.addEventListener('pointermove', event => {
      const share = shareUnder(event.clientX, rows, host);
      host.point(share >= 0 && share <= 1 ? share : undefined);
    });
    target.addEventListener('pointerleave', () => host.point(undefined));
  }
}

function listenToPresses(rows: HTMLElement, host: PointerHost): void {
  let held: { readonly from: number; last: number; isDrag: boolean } | undefined;
  rows.addEventListener('pointerdown', event => {
    if (event.button === 0) held = { from: event.clientX, last: event.clientX, isDrag: false };
  });
  rows.addEventListener('pointermove', event => {
    if (!held || !host.isZoomed() || shareUnder(held.from, rows, host) < 0) return;
    if (!held.isDrag && Math.abs(event.clientX - held.from) < DRAG) return;
    if (!held.isDrag) rows.setPointerCapture(event.pointerId);
    held.isDrag = true;
    host.pan((held.last - event.clientX) / Math.max(1, host.chart().width));
    held.last = event.clientX;
  });
  rows.addEventListener('click', event => {
    const wasDrag = held?.isDrag ?? false;
    held = undefined;
    if (!wasDrag && event.target instanceof Element) host.press(placeUnder(event, rows), event.target);
  });
  rows.addEventListener('pointercancel', () => (held = undefined));
  rows.addEventListener('dblclick', event => host.openAt(placeUnder(event, rows)));
}

function onWheel(event: WheelEvent, over: 'head' | 'rows', rows: HTMLElement, host: PointerHost): void {
  const unit = event.deltaMode === 0 ? 1 : LINE;
  const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  const isZoom =
    event.ctrlKey || event.metaKey || (!event.shiftKey && (over === 'head' || host.showsAllRows()));
  const share = shareUnder(event.clientX, rows, host);
  if (isZoom && event.deltaY !== 0) {
    if (share < 0 || share > 1) return;
    host.zoom(Math.exp(Math.max(-1, Math.min(1, (event.deltaY * unit) / 400))), share);
  } else if (across !== 0 && host.isZoomed()) {
    host.pan((across * unit) / Math.max(1, host.chart().width));
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function placeUnder({ clientX, clientY }: MouseEvent, rows: HTMLElement): Place {
  const { left, top } = rows.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** The share of the chart at the pointer. */
function shareUnder(clientX: number, rows: HTMLElement, host: PointerHost): number {
  const { left, width } = host.chart();
  return (clientX - rows.getBoundingClientRect().left - left) / Math.max(1, width);
}
