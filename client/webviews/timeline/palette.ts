import type { CallState } from '../../../trace/fold/call-state.ts';
import { hasFailed } from '../../../trace/graph/whole-calls.ts';

/** The colours of the charts in the current theme. */
export interface Palette {
  readonly usual: string;
  readonly failed: string;
  readonly stopped: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly path: string;
  readonly cycle: string;
  readonly background: string;
  readonly seen: string;
  /** The opacity of waiting time, from 0 to 1. */
  readonly waiting: number;
}

type ColourName = Exclude<keyof Palette, 'waiting'>;

/** Variables of VS Code in order of preference; the last entry of each row is a system colour. */
const VARIABLES = {
  usual: ['--vscode-charts-blue', '--vscode-progressBar-background', 'Highlight'],
  failed: ['--vscode-testing-iconFailed', '--vscode-errorForeground', 'LinkText'],
  stopped: ['--vscode-testing-iconSkipped', '--vscode-descriptionForeground', 'GrayText'],
  text: ['--vscode-foreground', 'CanvasText'],
  faint: ['--vscode-descriptionForeground', 'GrayText'],
  line: ['--vscode-editorIndentGuide-background1', '--vscode-editorIndentGuide-background', 'GrayText'],
  cycle: ['--vscode-list-warningForeground', 'CanvasText'],
  path: ['--vscode-charts-purple', '--vscode-list-warningForeground', 'CanvasText'],
  background: ['--vscode-editor-background', 'Canvas'],
  seen: ['--vscode-scrollbarSlider-background', 'GrayText'],
} as const satisfies Record<ColourName, readonly string[]>;

const CONTRAST = {
  usual: ['--vscode-contrastActiveBorder', '--vscode-foreground', 'Highlight'],
  line: ['--vscode-contrastBorder', 'GrayText'],
} as const;

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
  const style = getComputedStyle(document.documentElement);
  const isContrast = document.body.classList.contains('vscode-high-contrast');
  const pick = (name: ColourName): string => {
    const more: readonly string[] = isContrast && (name === 'usual' || name === 'line') ? CONTRAST[name] : [];
    const names = [...more, ...VARIABLES[name]];
    for (const each of names) {
      const colour = each.startsWith('--') ? style.getPropertyValue(each).trim() : each;
      if (colour !== '') return colour;
    }
    return 'CanvasText';
  };
  return {
    usual: pick('usual'),
    failed: pick('failed'),
    stopped: pick('stopped'),
    text: pick('text'),
    faint: pick('faint'),
    line: pick('line'),
    path: pick('path'),
    cycle: pick('cycle'),
    background: pick('background'),
    seen: pick('seen'),
    // In high contrast, paler areas also need a contrast of 3 to 1 with the background.
    waiting: isContrast ? 0.7 : 0.4,
  };
}
