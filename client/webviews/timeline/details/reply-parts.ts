import { countOf, moreAre } from '../../../../core/text/count.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from '../../../../protocols/reply-parts/part.ts';
import { describePartTimes, outcomeOfPart, titleOfPart } from '../../../../trace/part-words.ts';
import { NoteList } from '../../shared/fact-list.ts';
import { Fold } from '../../shared/fold.ts';
import { growingText } from '../../shared/growing-text.ts';
import { PartIcon } from '../part-icon.ts';
import { h, type View } from '../../shared/view.ts';

interface PartListProps {
  readonly reply: ReplyParts | undefined;
  /** When the call began. */
  readonly start: number;
  /** The id of the selected part, which is open. */
  readonly selected: string;
}

/** The parts of a call's reply: one line each, which opens to its content. */
export function PartList({ reply, start, selected }: PartListProps): View | undefined {
  const { parts, notes } = reply ?? { parts: [], notes: [] };
  if (parts.length === 0 && notes.length === 0) return undefined;
  return h(
    'section',
    { class: 'exchange parts' },
    h(
      'h2',
      {},
      'Parts of the reply',
      h('span', { class: 'size' }, parts.length === 0 ? 'none' : countOf(parts.length, 'part')),
    ),
    h(NoteList, { label: 'Notes on the reply', notes }),
    listParts(parts, 0).map(({ part, level }) =>
      h(Part, { key: part.id, part, level, start, isSelected: part.id === selected }),
    ),
  );
}

interface PartProps {
  readonly part: TracePart;
  readonly level: number;
  readonly start: number;
  readonly isSelected: boolean;
}

function Part({ part, level, start, isSelected }: PartProps): View {
  return h(Fold, {
    class: `part-fold status-${part.status}`,
    style: `margin-inline-start: ${level * 16}px`,
    isWanted: isSelected,
    summary: [
      h('span', { class: 'icon' }, h(PartIcon, { kind: part.kind })),
      h('span', { class: 'word' }, PART_WORDS[part.kind]),
      h('span', { class: 'title' }, titleOfPart(part)),
      h('span', { class: 'outcome' }, outcomeOfPart(part)),
    ],
    content: () => buildContent(part, start),
  });
}

function buildContent(part: TracePart, start: number): readonly (View | undefined)[] {
  const times = describePartTimes(part, start);
  const { text, hidden = 0 } = part;
  const label = `${PART_WORDS[part.kind]}, what it says`;
  return [
    h('p', { class: 'times' }, `${times.slice(0, 1).toUpperCase()}${times.slice(1)}`),
    h(NoteList, { label: 'Notes on the part', notes: part.notes }),
    text === undefined
      ? undefined
      : h('pre', { class: 'body', tabIndex: 0, 'aria-label': label, ...growingText(text) }),
    hidden > 0
      ? h('p', { class: 'hidden-part' }, `${moreAre(hidden, 'character')} not shown here.`)
      : undefined,
  ];
}

function listParts(
  parts: readonly TracePart[],
  level: number,
): readonly { readonly part: TracePart; readonly level: number }[] {
  return parts.flatMap(part => [{ part, level }, ...listParts(part.children, level + 1)]);
}
