import { hasFailed } from '../../../../trace/graph/whole-calls.ts';
import { element } from '../../shared/element.ts';
import { pixelRatio, resizeCanvas } from '../../shared/canvas.ts';
import type { TraceModel } from '../model.ts';
import type { Palette } from '../palette.ts';
import { shareAt, type TimeSpan } from './time-scale.ts';

/** Callbacks of the minimap: centers the visible span at a share of the whole trace. */
export interface MinimapHost {
  center(share: number): void;
}

const HEIGHT = 24;

/** A strip of the whole trace: the number of running calls at each moment, the failed ones, and the visible part. */
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

  /** Moves the frame around the visible part; hides it without one. */
  frame(span: TimeSpan | undefined, all: TimeSpan, width: number): void {
    this.#seen.hidden = span === undefined;
    if (!span) return;
    const [from, to] = [shareAt(all, span.from) * width, shareAt(all, span.to) * width];
    this.#seen.style.transform = `translateX(${from}px)`;
    this.#seen.style.width = `${Math.max(3, to - from)}px`;
  }

  /** Draws all calls. Cost: O(calls + pixels). */
  draw(model: TraceModel, all: TimeSpan, width: number, palette: Palette): void {
    const ratio = pixelRatio();
    const columns = Math.max(1, Math.round(width * ratio));
    const height = Math.round(HEIGHT * ratio);
    resizeCanvas(this.#canvas, { width: columns, height });
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, columns, height);
    const { running, failed, most } = countRunning(model, all, columns);
    // Setting a colour takes longer than a bar, so the bars of each colour are drawn together.
    for (const [isFailed, colour] of [palette.usual, palette.failed].entries()) {
      context.fillStyle = colour;
      for (let x = 0; x < columns; x++) {
        const count = running[x] ?? 0;
        if (count === 0 || failed[x] !== isFailed) continue;
        // The square root keeps a single call visible next to a hundred.
        const bar = Math.max(1, Math.round(Math.sqrt(count / most) * (height - 4)));
        context.fillRect(x, height - bar, 1, bar);
      }
    }
  }
}

interface Running {
  readonly running: Int32Array;
  readonly failed: Uint8Array;
  /** At least 1. */
  readonly most: number;
}

/**
 * For each of `columns` equal parts of a span: the number of calls running in it, and whether one failed or
 * was cut off in it.
 */
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
