import { buildDivider } from './divider.ts';
import type { ViewHost } from './view.ts';

/** Pixels of the column behind the bars: an error with its code and its time fit in. */
export const OUTCOME_WIDTH = 168;
const LEAST_NAME = 140;
const LEAST_CHART = 60;

const KEPT = 'timeline.name';

/** How wide the column of the names is, which the user moves; the bars have what is left beside the outcomes. */
export class NameColumn {
  readonly #host: ViewHost;
  readonly #onChange: () => void;
  readonly divider: HTMLElement;
  #share: number;

  constructor(host: ViewHost, rows: HTMLElement, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
    const share = Number(host.kept(KEPT));
    this.#share = share > 0 && share < 1 ? share : 0.44;
    this.divider = buildDivider('Width of the names', {
      share: () => this.#share,
      move: clientX => {
        const { left, width } = rows.getBoundingClientRect();
        this.#set((clientX - left) / Math.max(1, width));
      },
      step: by => this.#set(this.#share + by),
    });
  }

  /** Pixels of the names in rows of so many. */
  nameWidth(width: number): number {
    const most = Math.max(LEAST_NAME, width - OUTCOME_WIDTH - LEAST_CHART);
    return Math.round(Math.max(LEAST_NAME, Math.min(most, width * this.#share)));
  }

  /** Pixels of the bars. */
  chartWidth(width: number): number {
    return Math.max(0, width - this.nameWidth(width) - OUTCOME_WIDTH);
  }

  #set(share: number): void {
    this.#share = Math.max(0.1, Math.min(0.9, share));
    this.#host.keep(KEPT, String(this.#share));
    this.#onChange();
  }
}
