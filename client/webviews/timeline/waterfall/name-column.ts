import { buildDivider } from '../divider.ts';
import type { ViewHost } from '../view.ts';

/** The space in pixels behind the last bar, enough for the usual outcome and duration at its end. */
export const LABEL_WIDTH = 88;
const LEAST_NAME = 152;
const LEAST_CHART = 120;

const STATE_KEY = 'timeline.name';

/** The width of the name column, which the user can change. The bars and the labels at their ends get the rest. */
export class NameColumn {
  readonly #host: ViewHost;
  readonly #onChange: () => void;
  readonly divider: HTMLElement;
  #share: number;

  constructor(host: ViewHost, rows: HTMLElement, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
    const share = Number(host.stored(STATE_KEY));
    this.#share = share > 0 && share < 1 ? share : 0.36;
    this.divider = buildDivider('Width of the names', {
      share: () => this.#share,
      move: clientX => {
        const { left, width } = rows.getBoundingClientRect();
        this.#set((clientX - left) / Math.max(1, width));
      },
      step: by => this.#set(this.#share + by),
    });
  }

  /** The width of the names in pixels, for a total width of the rows. */
  nameWidth(width: number): number {
    const most = Math.max(LEAST_NAME, width - LABEL_WIDTH - LEAST_CHART);
    return Math.round(Math.max(LEAST_NAME, Math.min(most, width * this.#share)));
  }

  /** The width of the bars in pixels. */
  chartWidth(width: number): number {
    return Math.max(0, width - this.nameWidth(width) - LABEL_WIDTH);
  }

  #set(share: number): void {
    this.#share = Math.max(0.1, Math.min(0.9, share));
    this.#host.keep(STATE_KEY, String(this.#share));
    this.#onChange();
  }
}
