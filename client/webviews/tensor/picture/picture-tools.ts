import { COLOUR_MAPS, type ColourMapName } from '../../../../tensor/colour-maps.ts';
import { element, setText } from '../../shared/element.ts';
import { buildSelect, setOptions, type SelectOption } from '../../shared/select.ts';
import type { ZoomStep } from './picture-gestures.ts';
import { parseRange, RANGE_CHOICES, type ParsedRange, type RangeChoice } from './picture-range.ts';

/** Callbacks of the picture tools. */
export interface ToolsHost {
  /** The user chose another way to show the tensor. */
  onAs(as: string): void;
  /** The user chose another map or range. */
  onColours(): void;
  onZoom(to: ZoomStep): void;
}

/** The controls of a heat map's colours: the map, and the values at its ends. */
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

  /** The two ends as typed. */
  get ends(): readonly [low: string, high: string] {
    return [this.#low.value, this.#high.value];
  }

  /** The typed range, or its problem, which is also shown. */
  get own(): ParsedRange {
    return parseRange(this.#low.value, this.#high.value);
  }

  /** Sets the choices; unknown names are ignored. */
  choose({ map, range, ends }: ColourChoice): void {
    if (COLOUR_MAPS.some(({ name }) => name === map)) this.#map.value = map ?? '';
    if (RANGE_CHOICES.some(({ name }) => name === range)) this.#range.value = range ?? '';
    if (ends) [this.#low.value, this.#high.value] = ends;
    this.#update();
  }

  /** Shows the fields of a custom range if that is chosen, and its problem. */
  #update(): void {
    const { own } = this;
    this.#ends.hidden = this.range !== 'own';
    setText(this.#problem, own.ok ? '' : own.problem);
    for (const input of [this.#low, this.#high]) input.setAttribute('aria-invalid', String(!own.ok));
  }
}

/** A choice of colours; missing properties stay unchanged. */
export interface ColourChoice {
  readonly map?: string | undefined;
  readonly range?: string | undefined;
  readonly ends?: readonly [low: string, high: string];
}

/** The controls for how a tensor is shown, and the zoom buttons. */
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

  /** Sets the options of how the tensor can be shown, and the chosen one. */
  capabilities(options: readonly SelectOption[], chosen: string): void {
    setOptions(this.#as, options);
    this.#as.value = chosen;
  }

  showZoom(text: string): void {
    setText(this.#zoom, text);
  }
}

/** Builds the zoom buttons of a stage, with the current zoom between them. */
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
