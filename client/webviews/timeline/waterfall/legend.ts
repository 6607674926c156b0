import { element } from '../../shared/element.ts';

/** The parts of a bar and their meaning, in their order in a bar. */
const MEANINGS = [
  ['waiting', 'Waiting for the reply'],
  ['receiving', 'Receiving it'],
  ['piece', 'A chunk arrived'],
  ['part', 'A part of the reply'],
  ['path', 'Critical path: what everything else waited for'],
] as const;

/** Builds the legend below the bars. */
export function buildLegend(): HTMLElement {
  return element(
    'div',
    { class: 'legend' },
    ...MEANINGS.map(([name, words]) =>
      element(
        'span',
        { class: 'meaning' },
        element('span', { class: `swatch ${name}`, attributes: { 'aria-hidden': 'true' } }),
        words,
      ),
    ),
  );
}
