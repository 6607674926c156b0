import { countOf } from '../../../../core/text/count.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from '../../../../protocols/reply-parts/part.ts';
import { describePartTimes, outcomeOfPart, titleOfPart } from '../../../../trace/part-words.ts';
import { viewContent } from '../../../../wire/reply-view.ts';
import { NoteList } from '../../shared/fact-list.ts';
import { Fold } from '../../shared/fold.ts';
import type { TextHost } from '../../shared/reply/markdown.ts';
import { PartIcon } from '../../shared/reply/part-icon.ts';
import { PieceList } from '../../shared/reply/piece-view.ts';
import { h, type View } from '../../shared/view.ts';

interface PartListProps {
  readonly reply: ReplyParts | undefined;
  /** When the call began. */
  readonly start: number;
  /** The id of the selected part, which is open. */
  readonly selected: string;
  /** Parts with this text are opened; in lower case. */
  readonly find: string;
  readonly host: TextHost;
}

/** The parts of a call's reply: one line each, which opens to its content. */
export function PartList({ reply, start, selected, find, host }: PartListProps): View | undefined {
  const { parts, notes } = reply ?? { parts: [], notes: [] };
  if (parts.length === 0 && notes.length === 0) return undefined;
  const earlier = parts.filter(({ kind }) => kind === 'exchange');
  const buildParts = (some: readonly TracePart[]): readonly View[] =>
    listParts(some, 0).map(({ part, level }) =>
      h(Part, { key: part.id, part, level, start, selected, find, host, isEarlier: some === earlier }),
    );
  return h(
    'section',
    { class: 'exchange parts' },
    h(
      'h2',
      {},
      'Parts of the reply',
      h('span', { class: 'size muted' }, parts.length === 0 ? 'none' : countOf(parts.length, 'part')),
    ),
    h(NoteList, { label: 'Notes on the reply', notes }),
    buildParts(parts.filter(({ kind }) => kind !== 'exchange')),
    earlier.length !== 0 &&
      h(Fold, {
        class: 'fold',
        summary: `Before the call: ${countOf(earlier.length, 'exchange')} of the connection`,
        isWanted: listParts(earlier, 0).some(({ part }) => part.id === selected || isFound(part, find)),
        content: () => buildParts(earlier),
      }),
  );
}

interface PartProps {
  readonly part: TracePart;
  readonly level: number;
  readonly start: number;
  readonly selected: string;
  readonly find: string;
  readonly host: TextHost;
  /** True for a part from before the call, whose failure may be expected, for example of a probe. */
  readonly isEarlier: boolean;
}

function Part({ part, level, start, selected, find, host, isEarlier }: PartProps): View {
  return h(Fold, {
    class: `part-fold row-fold status-${isEarlier ? 'ok' : part.status}`,
    style: `margin-inline-start: ${level * 16}px`,
    isWanted: part.id === selected || isFound(part, find),
    isMarked: part.id === selected,
    summary: [
      h('span', { class: 'icon' }, h(PartIcon, { kind: part.kind })),
      h('span', { class: 'word muted' }, PART_WORDS[part.kind]),
      h('span', { class: 'title clip' }, titleOfPart(part)),
      h('span', { class: 'outcome' }, outcomeOfPart(part)),
    ],
    content: () => buildContent(part, start, find, host),
  });
}

function isFound({ text = '' }: TracePart, find: string): boolean {
  return find !== '' && text.toLowerCase().includes(find);
}

function buildContent(
  part: TracePart,
  start: number,
  find: string,
  host: TextHost,
): readonly (View | undefined)[] {
  const times = describePartTimes(part, start);
  return [
    h('p', { class: 'times muted' }, `${times.slice(0, 1).toUpperCase()}${times.slice(1)}`),
    h(PieceList, { pieces: viewContent(part), find, host }),
  ];
}

function listParts(
  parts: readonly TracePart[],
  level: number,
): readonly { readonly part: TracePart; readonly level: number }[] {
  return parts.flatMap(part => [{ part, level }, ...listParts(part.children, level + 1)]);
}
