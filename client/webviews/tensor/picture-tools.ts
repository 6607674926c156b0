import { COLOUR_MAPS, type ColourMapName } from '../../../tensor/colour-maps.ts';
import { element, setText } from '../shared/element.ts';
import { buildSelect, setOptions, type SelectOption } from '../shared/select.ts';
import type { ZoomStep } from './picture-gestures.ts';
import { parseRange, RANGE_CHOICES, type ParsedRange, type RangeChoice } from './picture-range.ts';

/** What the tools of a picture ask for. */
export interface ToolsHost {
  /** Another way to show the tensor was chosen. */
  onAs(as: string): void;
  /** Another map or range was chosen. */
  onColours(): void;
  onZoom(to: ZoomStep): void;
}

/** The choices of the colours of a heat map: which map, and which values its ends stand for. */
export class ColourTools {
  readonly #map: HTMLSelectElement;
  readonly #range: HTMLSelectElement;
  readonly #low: HTMLInputElement;
  readonly #high: HTMLInputElement;
  readonly #ends: HTMLElement;
  readonly #problem = element('span', { class: 'problem', role: 'alert' });

  readonly root: HTMLElement;

  constructor(whenChosen: () => void) {
    const onChange = (): void => {
      this.#update();
      whenChosen();
    };
    const maps = COLOUR_MAPS.map(({ name, title }) => ({ value: name, label: title }));
    const ranges = RANGE_CHOICES.map(({ name, title }) => ({ value: name, label: title }));
    this.#map = buildSelect(maps, onChange);
    this.#range = buildSelect(ranges, onChange);
    this.#map.value = 'cool';
    this.#range.value = 'full';
    this.#low = buildNumber('Lower end', onChange);
    this.#high = buildNumber('Upper end', onChange);
    this.#ends = element('span', { class: 'field' }, this.#low, 'to', this.#high, this.#problem);
    this.root = element(
      'div',
      { class: 'tools' },
      element('label', { class: 'field' }, 'Colours', this.#map),
      element('label', { class: 'field' }, 'Range', this.#range),
      this.#ends,
    );
  }

  get map(): ColourMapName {
    return COLOUR_MAPS.find(({ name }) => name === this.#map.value)?.name ?? 'cool';
  }

  get range(): RangeChoice {
    return RANGE_CHOICES.find(({ name }) => name === this.#range.value)?.name ?? 'full';
  }

  /** The two ends as they were typed. */
  get ends(): readonly [low: string, high: string] {
    return [this.#low.value, this.#high.value];
  }

  /** The range that was typed, where it is one; its problem stands beside it. */
  get own(): ParsedRange {
    return parseRange(this.#low.value, this.#high.value);
  }

  /** Chooses; names that there are not are passed over. */
  choose({ map, range, ends }: ColourChoice): void {
    if (COLOUR_MAPS.some(({ name }) => name === map)) this.#map.value = map ?? '';
    if (RANGE_CHOICES.some(({ name }) => name === range)) this.#range.value = range ?? '';
    if (ends) [this.#low.value, this.#high.value] = ends;
    this.#update();
  }

  /** Shows the fields of a range of one's own where that is chosen, and what is wrong with it. */
  #update(): void {
    const { own } = this;
    this.#ends.hidden = this.range !== 'own';
    setText(this.#problem, own.ok ? '' : own.problem);
    for (const input of [this.#low, this.#high]) input.setAttribute('aria-invalid', String(!own.ok));
  }
}

/** A choice of colours; what is left out stays. */
export interface ColourChoice {
  readonly map?: string | undefined;
  readonly range?: string | undefined;
  readonly ends?: readonly [low: string, high: string];
}

/** How a tensor is shown, and the buttons of the zoom. */
export class PictureTools {
  readonly #as: HTMLSelectElement;
  readonly #zoom = element('span', {
    class: 'number zoom',
    role: 'status',
    attributes: { 'aria-label': 'Zoom' },
  });

  readonly colours: ColourTools;
  readonly root: HTMLElement;

  constructor(host: ToolsHost) {
    this.colours = new ColourTools(() => host.onColours());
    this.#as = buildSelect([], () => host.onAs(this.#as.value));
    this.root = element(
      'div',
      { class: 'tools' },
      element('label', { class: 'field' }, 'Show as', this.#as),
      this.colours.root,
      buildZoomButtons(this.#zoom, to => host.onZoom(to)),
    );
  }

  /** Gives the ways in which the tensor can be shown; one is chosen. */
  offer(options: readonly SelectOption[], chosen: string): void {
    setOptions(this.#as, options);
    this.#as.value = chosen;
  }

  showZoom(text: string): void {
    setText(this.#zoom, text);
  }
}

/** The buttons of a stage's zoom, with what it is now. */
export function buildZoomButtons(now: HTMLElement, onZoom: (to: ZoomStep) => void): HTMLElement {
  const button = (label: string, name: string, key: string, to: ZoomStep): HTMLElement =>
    element(
      'button',
      {
        class: 'button',
        attributes: { type: 'button', title: `${name}, key ${key}`, 'aria-label': name },
        onClick: () => onZoom(to),
      },
      label,
    );
  return element(
    'div',
    { class: 'field zoom-buttons', role: 'group', attributes: { 'aria-label': 'Zoom' } },
    button('−', 'Zoom out', '−', 'out'),
    now,
    button('+', 'Zoom in', '+', 'in'),
    button('Fit', 'Fit the whole picture', '0', 'whole'),
    button('1:1', 'Actual size (1:1)', '1', 'actual'),
  );
}

function buildNumber(label: string, onChange: () => void): HTMLInputElement {
  const input = element('input', {
    class: 'number',
    attributes: { type: 'text', 'aria-label': label, spellcheck: 'false', autocomplete: 'off' },
  });
  input.addEventListener('change', onChange);
  return input;
}
