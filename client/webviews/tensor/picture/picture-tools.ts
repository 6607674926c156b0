import { COLOUR_MAPS, type ColourMapName } from '../../../../tensor/colour-maps.ts';
import type { ValueRange } from '../../../../tensor/heat-map.ts';
import { buildChoice, Select, type SelectOption } from '../../shared/buttons.ts';
import { h, type View } from '../../shared/view.ts';
import type { ZoomStep } from './picture-gestures.ts';
import { parseRange, RANGE_CHOICES, suggestColours, type RangeChoice } from './picture-range.ts';

/** The colours of a heat map: the map, the range of values at its ends, and an own range as typed. */
export interface ColourChoice {
  readonly map: ColourMapName;
  readonly range: RangeChoice;
  readonly low: string;
  readonly high: string;
}

/** The stored colours; the values of the tensor determine them until the user chooses some. */
export function readColours(
  stored: (name: string) => string | undefined,
  full: ValueRange | undefined,
): ColourChoice {
  const suggested = suggestColours(full);
  const map = COLOUR_MAPS.find(({ name }) => name === stored('map'))?.name;
  const range = RANGE_CHOICES.find(({ name }) => name === stored('range'))?.name;
  return {
    map: map ?? suggested.map,
    range: range ?? suggested.range,
    low: stored('low') ?? '0',
    high: stored('high') ?? '1',
  };
}

interface ColourProps {
  readonly colours: ColourChoice;
  readonly onColours: (colours: ColourChoice) => void;
}

/** The controls of a heat map's colours: the map, and the values at its ends. */
function ColourTools({ colours, onColours }: ColourProps): View {
  const choose = (change: Partial<ColourChoice>): void => onColours({ ...colours, ...change });
  const own = parseRange(colours.low, colours.high);
  const end = (label: string, name: 'low' | 'high'): View =>
    h('input', {
      class: 'number',
      type: 'text',
      'aria-label': label,
      'aria-invalid': !own.ok,
      spellcheck: false,
      autocomplete: 'off',
      value: colours[name],
      onChange: event => choose({ [name]: event.currentTarget.value }),
    });
  return h(
    'div',
    { class: 'tools' },
    buildChoice({
      label: 'Colours',
      rows: COLOUR_MAPS,
      value: colours.map,
      onChoose: map => choose({ map }),
    }),
    buildChoice({
      label: 'Range',
      rows: RANGE_CHOICES,
      value: colours.range,
      onChoose: range => choose({ range }),
    }),
    colours.range === 'own' &&
      h(
        'span',
        { class: 'field' },
        end('Lower end', 'low'),
        'to',
        end('Upper end', 'high'),
        h('span', { class: 'problem', role: 'alert' }, own.ok ? '' : own.problem),
      ),
  );
}

interface ZoomProps {
  /** The current zoom in words. */
  readonly zoom: string;
  readonly onZoom: (to: ZoomStep) => void;
}

interface PictureToolsProps extends ColourProps, ZoomProps {
  /** The ways to show the tensor, and the chosen one. */
  readonly options: readonly SelectOption[];
  readonly shownAs: string;
  readonly onShowAs: (shownAs: string) => void;
  readonly kind: 'heat map' | 'image';
}

/** The controls for how a tensor is shown, and the zoom buttons. */
export function PictureTools(props: PictureToolsProps): View {
  const { options, shownAs, onShowAs, kind, colours, onColours, zoom, onZoom } = props;
  return h(
    'div',
    { class: 'tools' },
    h('label', { class: 'field' }, 'Show as', h(Select, { options, value: shownAs, onChoose: onShowAs })),
    kind === 'heat map' && h(ColourTools, { colours, onColours }),
    h(ZoomButtons, { zoom, onZoom }),
  );
}

/** The zoom buttons of a stage, with the current zoom between them. */
export function ZoomButtons({ zoom, onZoom }: ZoomProps): View {
  const button = (label: string, name: string, key: string, to: ZoomStep): View =>
    h(
      'button',
      {
        class: 'button',
        type: 'button',
        title: `${name}, key ${key}`,
        'aria-label': name,
        onClick: () => onZoom(to),
      },
      label,
    );
  return h(
    'div',
    { class: 'field zoom-buttons', role: 'group', 'aria-label': 'Zoom' },
    button('−', 'Zoom out', '−', 'out'),
    h('span', { class: 'number zoom', role: 'status', 'aria-label': 'Zoom' }, zoom),
    button('+', 'Zoom in', '+', 'in'),
    button('Fit', 'Fit the whole picture', '0', 'whole'),
    button('1:1', 'Actual size, 1:1', '1', 'actual'),
  );
}
