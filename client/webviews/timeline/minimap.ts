import { hasFailed } from '../../../trace/graph/whole-calls.ts';
import { element } from '../shared/element.ts';
import { pixelRatio, resizeCanvas } from '../shared/canvas.ts';
import type { TraceModel } from './model.ts';
import type { Palette } from './palette.ts';
import { shareAt, type TimeSpan } from './time-scale.ts';

/** What the map asks of the view: the span that is seen is to have its middle at a share of all. */
export interface MinimapHost {
  center(share: number): void;
}

const HEIGHT = 24;

/** All of the trace in a strip: how many calls ran at each moment, those that failed, and which part of it is seen. */
export class Minimap {
  readonly #canvas = element('canvas', {});
  readonly #seen = element('div', { class: 'minimap-seen' });
  readonly root = element(
    'div',
    { class: 'minimap', attributes: { 'aria-hidden': 'true', title: 'Press or drag to see another part' } },
    this.#canvas,
    this.#seen,
  );
  #isHeld = false;

  constructor(host: MinimapHost) {
    const center = (event: PointerEvent): void => {
      const { left, width } = this.root.getBoundingClientRect();
      if (width > 0) host.center((event.clientX - left) / width);
    };
    this.root.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.#isHeld = true;
      this.root.setPointerCapture(event.pointerId);
      center(event);
    });
    this.root.addEventListener('pointermove', event => this.#isHeld && center(event));
    for (const end of ['pointerup', 'pointercancel'] as const)
      this.root.addEventListener(end, () => (this.#isHeld = false));
  }

  /** Moves the frame around what is seen; without it, all is seen. */
  frame(span: TimeSpan | undefined, all: TimeSpan, width: number): void {
    this.#seen.hidden = span === undefined;
    if (!span) return;
    const [from, to] = [shareAt(all, span.from) * width, shareAt(all, span.to) * width];
    this.#seen.style.transform = `translateX(${from}px)`;
    this.#seen.style.width = `${Math.max(3, to - from)}px`;
  }

  /** Draws all calls anew. Work: calls and pixels. */
  draw(model: TraceModel, all: TimeSpan, width: number, palette: Palette): void {
    const ratio = pixelRatio();
    const columns = Math.max(1, Math.round(width * ratio));
    const height = Math.round(HEIGHT * ratio);
    resizeCanvas(this.#canvas, { width: columns, height });
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, columns, height);
    const { running, failed, most } = countRunning(model, all, columns);
    for (let x = 0; x < columns; x++) {
      const count = running[x] ?? 0;
      if (count === 0) continue;
      // The root of the count: one call beside a hundred is still seen.
      const bar = Math.max(1, Math.round(Math.sqrt(count / most) * (height - 4)));
      context.fillStyle = (failed[x] ?? 0) > 0 ? palette.failed : palette.usual;
      context.fillRect(x, height - bar, 1, bar);
    }
  }
}

interface Running {
  readonly running: Int32Array;
  readonly failed: Uint8Array;
  /** At least 1. */
  readonly most: number;
}

/** For each of so many stretches of a span: how many calls ran in it, and whether one failed in it, or was cut. */
export function countRunning(model: TraceModel, all: TimeSpan, columns: number): Running {
  const running = new Int32Array(columns + 1);
  const failed = new Uint8Array(columns);
  const columnAt = (time: number): number => {
    const column = Math.floor(shareAt(all, time) * columns);
    return Number.isNaN(column) ? 0 : Math.max(0, Math.min(columns - 1, column));
  };
  for (const call of model.all()) {
    const [from, to] = [columnAt(call.state.at), columnAt(model.endOf(call))];
    running[from] = (running[from] ?? 0) + 1;
    running[to + 1] = (running[to + 1] ?? 0) - 1;
    if (hasFailed(call.state)) failed[to] = 1;
  }
  let most = 1;
  for (let x = 1; x < columns; x++) {
    running[x] = (running[x] ?? 0) + (running[x - 1] ?? 0);
    most = Math.max(most, running[x] ?? 0);
  }
  return { running, failed, most: Math.max(most, running[0] ?? 0) };
}
