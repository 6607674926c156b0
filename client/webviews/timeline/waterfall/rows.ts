import { showCount } from '../../../../core/text/count.ts';
import { PART_WORDS, type TracePart } from '../../../../protocols/reply-parts/part.ts';
import { describePartTimes, outcomeOfPart, titleOfPart } from '../../../../trace/part-words.ts';
import { Icon, StatusIcon } from '../../shared/icons.ts';
import type { RowPlace } from '../../shared/virtual-list.ts';
import { BadgeList } from '../badge.ts';
import { describeTimes, listBadges, outcomeOf, type Badge } from '../call-words.ts';
import type { TraceCall, TraceModel } from '../model.ts';
import { PartIcon } from '../../shared/reply/part-icon.ts';
import { barOfPart, extentOf, placeLabel } from './bars.ts';
import type { ListedRow, RowList } from './row-list.ts';
import type { TimeSpan } from './time-scale.ts';
import { h, type View } from '../../shared/view.ts';

/** The indentation in pixels per ancestor, and the maximum number of indentations, so that names have enough space. */
const INDENT = 14;
const MAX_INDENTS = 16;

/** The state of the rows besides their calls. */
export interface RowLooks {
  readonly model: TraceModel;
  readonly list: RowList;
  readonly selected: string;
  /** The selected part of the selected call; empty if the call itself is selected. */
  readonly selectedPart: string;
  readonly found: ReadonlySet<string> | undefined;
  /** The visible time, and the width of its chart with the space for labels behind it, in pixels. */
  readonly span: TimeSpan;
  readonly width: number;
  readonly room: number;
}

/** A row: a call, or a part of its reply in place of a call. */
export function buildRow(row: ListedRow, { id, index, top }: RowPlace, looks: RowLooks): View {
  const { call, part, level } = row;
  const { model, list, selected, selectedPart, found, span, width, room } = looks;
  const callId = call.state.id;
  const words = part ? describePart(part, model) : describeCall(call, model);
  const bar = part ? barOfPart(part, span, width).stretch : extentOf(model, call, span, width);
  const { side, x } = placeLabel(bar, room, words.outcome.length);
  const place =
    side === 'after'
      ? `inset-inline-start: calc(var(--name-width) + ${x}px); max-width: ${room - x}px`
      : `inset-inline-end: calc(100% - var(--name-width) - ${x}px)`;
  const hasOwnParts = !part && call.children.length > 0 && list.hasParts(call);
  const classes = [
    'row',
    words.kind,
    hasOwnParts ? 'has-parts' : '',
    hasOwnParts && list.opened.has(callId) ? 'shows-parts' : '',
    !part && found?.has(callId) ? 'found' : '',
  ];
  const indent = Math.min(level, MAX_INDENTS) * INDENT;
  return h(
    'div',
    {
      key: id,
      id,
      class: classes.filter(Boolean).join(' '),
      role: 'row',
      style: `transform: translateY(${top}px)`,
      'aria-rowindex': index + 1,
      'aria-level': level + 1,
      'aria-selected': callId === selected && (part?.id ?? '') === selectedPart,
      'aria-expanded': list.hasBelow(row) ? !list.isFolded(row) : undefined,
    },
    h(
      'div',
      { class: 'name bar', role: 'gridcell', style: `padding-inline-start: ${indent}px` },
      h('span', { class: 'twist' }, h(Icon, { name: 'chevron-right' })),
      h('span', { class: 'deep muted number' }, level > MAX_INDENTS ? level : undefined),
      h('span', { class: 'icon' }, words.icon),
      h('span', { class: 'agent muted clip' }, words.agent),
      h('span', { class: 'title clip' }, words.title),
      h(BadgeList, { badges: words.badges }),
      h(
        'span',
        { class: 'parts-toggle', title: 'Show or hide the parts of the reply (P)', 'aria-hidden': true },
        h(Icon, { name: 'parts' }),
      ),
    ),
    h('div', { class: 'track', role: 'gridcell', 'aria-label': words.times }),
    h('div', { class: 'outcome muted number clip', role: 'gridcell', style: place }, words.outcome),
  );
}

interface RowWords {
  /** The classes of the row. */
  readonly kind: string;
  readonly icon: View;
  readonly agent: string;
  readonly title: string;
  readonly outcome: string;
  readonly times: string;
  readonly badges: readonly Badge[];
}

function describeCall(call: TraceCall, model: TraceModel): RowWords {
  const { state } = call;
  return {
    kind: `status-${state.status}${state.isView ? ' is-view' : ''}`,
    icon: h(StatusIcon, { status: state.status }),
    agent: state.agent,
    title: state.title,
    outcome: outcomeOf(state),
    times: describeTimes(model, call),
    badges: listBadges(state, model.depthLimit),
  };
}

function describePart(part: TracePart, model: TraceModel): RowWords {
  const { kind, status, notes } = part;
  const count = showCount(notes.length);
  return {
    // A request before the call may fail as expected, for example a probe for a newer version.
    kind: `part status-${kind === 'exchange' ? 'ok' : status}`,
    icon: h(PartIcon, { kind }),
    agent: PART_WORDS[kind],
    title: titleOfPart(part),
    outcome: outcomeOfPart(part),
    times: describePartTimes(part, model.start),
    badges: notes.length === 0 ? [] : [{ kind: 'note', text: count, accessiblePrefix: 'notes' }],
  };
}
