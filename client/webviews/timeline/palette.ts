import type { CallState } from '../../../trace/fold/call-state.ts';
import { hasFailed } from '../../../trace/graph/whole-calls.ts';

/** The colours of the charts in the current theme: the variables of `timeline.css`. */
export interface Palette {
  readonly usual: string;
  readonly failed: string;
  readonly stopped: string;
  readonly text: string;
  readonly line: string;
  readonly path: string;
  readonly cycle: string;
  readonly background: string;
  /** The opacity of waiting time, from 0 to 1. */
  readonly waiting: number;
}

/** Reads the theme's colours once, and again after a theme change, which it reports to `onChange`. */
export class ThemePalette {
  #palette: Palette | undefined;

  constructor(onChange: () => void) {
    const observer = new MutationObserver(() => {
      this.#palette = undefined;
      onChange();
    });
    // A theme change modifies a class of the body and the variables in the style of the root element.
    observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  }

  get colours(): Palette {
    return (this.#palette ??= readPalette());
  }
}

/** The colour of the bar of a call or of a part of its reply. */
export function colourOf(palette: Palette, call: Pick<CallState, 'status'>): string {
  if (hasFailed(call)) return palette.failed;
  return call.status === 'cancelled' ? palette.stopped : palette.usual;
}

function readPalette(): Palette {
  const style = getComputedStyle(document.body);
  const read = (name: string): string => style.getPropertyValue(`--chart-${name}`).trim();
  return {
    usual: read('usual'),
    failed: read('failed'),
    stopped: read('stopped'),
    text: read('text'),
    line: read('line'),
    path: read('path'),
    cycle: read('cycle'),
    background: read('background'),
    waiting: Number(read('waiting')) || 1,
  };
}
