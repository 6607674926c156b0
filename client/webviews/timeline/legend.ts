import { element } from '../shared/element.ts';

/** What the parts of a bar mean, in the order in which they are met. */
const MEANINGS = [
  ['waiting', 'Waiting for the reply'],
  ['receiving', 'Receiving it'],
  ['piece', 'A piece came'],
  ['part', 'A part of the reply'],
  ['path', 'Critical path: what everything else waited for'],
] as const;

/** The line below the bars that says how to read them. */
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
