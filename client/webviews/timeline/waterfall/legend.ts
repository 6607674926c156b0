import { h, type View } from '../../shared/view.ts';

/** The parts of a bar and their meaning, in their order in a bar. */
const MEANINGS = [
  { name: 'waiting', words: 'Waiting for the reply' },
  { name: 'receiving', words: 'Receiving the reply' },
  { name: 'piece', words: 'Chunk' },
  { name: 'part', words: 'Part of the reply' },
  { name: 'path', words: 'Critical path', explanation: 'The calls that determine how long the trace takes' },
] as const;

export type Drawn = (typeof MEANINGS)[number]['name'];

/** The meanings of what is drawn. */
export function buildLegend(drawn: ReadonlySet<Drawn>): readonly View[] {
  return MEANINGS.filter(({ name }) => drawn.has(name)).map(({ name, words, ...more }) =>
    h(
      'span',
      { key: name, class: 'meaning', title: 'explanation' in more ? more.explanation : '' },
      h('span', { class: `swatch ${name}`, 'aria-hidden': true }),
      words,
    ),
  );
}
