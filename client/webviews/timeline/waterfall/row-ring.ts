import { showCount } from '../../../../core/text/count.ts';
import { PART_WORDS, type TracePart } from '../../../../protocols/reply-parts/part.ts';
import { element, setAttribute, setText } from '../../shared/element.ts';
import { buildIcon } from '../../shared/icon.ts';
import { buildStatusIcon } from '../../shared/status-icon.ts';
import type { Window } from '../../shared/virtual-rows.ts';
import { describeTimes, explainBadge, listBadges, outcomeOf, type Badge } from '../call-words.ts';
import { ROW_HEIGHT } from './chart.ts';
import type { TraceModel } from '../model.ts';
import { buildPartIcon, buildPartsIcon } from '../part-icon.ts';
import { describePartTimes, outcomeOfPart, titleOfPart } from '../../../../trace/part-words.ts';
import type { ListedRow, RowList } from './row-list.ts';

/** The indentation in pixels per ancestor, and the maximum number of indentations, so that names have enough space. */
const INDENT = 14;
const MAX_INDENTS = 16;

const BADGE_ICONS = {
  cycle: 'cycle',
  depth: 'depth',
  tripped: 'depth',
  inferred: 'inferred',
  sides: 'sides',
  note: 'note',
} as const satisfies Record<Badge['kind'], Parameters<typeof buildIcon>[0]>;

/** The state of the rows besides their calls. */
export interface RowLooks {
  readonly model: TraceModel;
  readonly list: RowList;
  readonly depthLimit: number;
  readonly selected: string;
  /** The selected part of the selected call; empty if the call itself is selected. */
  readonly selectedPart: string;
  readonly found: ReadonlySet<string> | undefined;
}

interface Slot {
  readonly root: HTMLElement;
  readonly name: HTMLElement;
  readonly twist: HTMLElement;
  readonly icon: HTMLElement;
  readonly deep: HTMLElement;
  readonly agent: HTMLElement;
  readonly title: HTMLElement;
  readonly badges: HTMLElement;
  /** Toggles the parts of a call's reply. */
  readonly parts: HTMLElement;
  readonly track: HTMLElement;
  readonly outcome: HTMLElement;
  /** The currently drawn object, so that nothing is written twice. */
  shown: ListedRow['call']['state'] | TracePart | undefined;
  /** Identifies the current icon. */
  icons: string;
  index: number;
  top: number;
}

/** The elements of the visible rows, reused as a ring: row `n` uses the element `n` modulo the number of elements. */
export class RowRing {
  readonly #slots: Slot[] = [];
  readonly root = element('div', { class: 'row-layer', role: 'rowgroup' });

  /** Draws the rows of a window, scrolled by `offset` pixels. */
  draw(rows: Window, offset: number, looks: RowLooks): void {
    const count = rows.end - rows.first;
    while (this.#slots.length < count) this.#add();
    for (const slot of this.#slots.splice(count)) slot.root.remove();
    for (let index = rows.first; index < rows.end; index++) {
      const slot = this.#slots[index % count];
      const row = looks.list.at(index);
      if (slot && row) drawSlot(slot, row, { ...looks, index, top: index * ROW_HEIGHT - offset });
    }
  }

  /** The id of a row's element; undefined if the row is not drawn. */
  idAt(index: number): string | undefined {
    const slot = this.#slots[index % Math.max(1, this.#slots.length)];
    return slot?.index === index ? slot.root.id : undefined;
  }

  #add(): void {
    const slot = makeSlot(`call-row-${this.#slots.length}`);
    this.#slots.push(slot);
    this.root.append(slot.root);
  }
}

function makeSlot(id: string): Slot {
  const twist = element('span', { class: 'twist' }, buildIcon('chevron-right'));
  const [icon, deep] = [element('span', { class: 'icon' }), element('span', { class: 'deep' })];
  const [agent, title] = [element('span', { class: 'agent' }), element('span', { class: 'title' })];
  const badges = element('span', { class: 'badges' });
  const attributes = { title: 'Show or hide the parts of the reply (P)', 'aria-hidden': 'true' };
  const parts = element('span', { class: 'parts-toggle', attributes }, buildPartsIcon());
  const children = [twist, deep, icon, agent, title, badges, parts];
  const name = element('div', { class: 'name', role: 'gridcell' }, ...children);
  const track = element('div', { class: 'track', role: 'gridcell' });
  const outcome = element('div', { class: 'outcome', role: 'gridcell' });
  const root = element('div', { class: 'row', role: 'row', attributes: { id } }, name, track, outcome);
  const drawn = { shown: undefined, icons: '', index: -1, top: NaN };
  return { root, name, twist, icon, deep, agent, title, badges, parts, track, outcome, ...drawn };
}

function drawSlot(
  slot: Slot,
  row: ListedRow,
  looks: RowLooks & { readonly index: number; readonly top: number },
): void {
  const { root } = slot;
  const { call, part, level } = row;
  if (slot.top !== looks.top) root.style.transform = `translateY(${looks.top}px)`;
  slot.top = looks.top;
  slot.index = looks.index;
  const { state } = call;
  if (part && slot.shown !== part) drawPart(slot, part, looks);
  else if (!part && slot.shown !== state) drawState(slot, call, looks);
  setAttribute(root, 'aria-rowindex', String(looks.index + 1));
  setAttribute(root, 'aria-level', String(level + 1));
  const isSelected = state.id === looks.selected && (part?.id ?? '') === looks.selectedPart;
  setAttribute(root, 'aria-selected', String(isSelected));
  const expanded = looks.list.hasBelow(row) ? String(!looks.list.isFolded(row)) : '';
  const hasOwnParts = !part && call.children.length > 0 && looks.list.hasParts(call);
  root.classList.toggle('has-parts', hasOwnParts);
  root.classList.toggle('shows-parts', hasOwnParts && looks.list.opened.has(state.id));
  setAttribute(root, 'aria-expanded', expanded);
  root.classList.toggle('found', !part && (looks.found?.has(state.id) ?? false));
  const indent = `${Math.min(level, MAX_INDENTS) * INDENT}px`;
  if (slot.name.style.paddingInlineStart !== indent) slot.name.style.paddingInlineStart = indent;
  setText(slot.deep, level > MAX_INDENTS ? `${level}` : '');
}

function drawState(slot: Slot, call: ListedRow['call'], { model, depthLimit }: RowLooks): void {
  const { state } = call;
  slot.shown = state;
  drawIcon(slot, state.status, () => buildStatusIcon(state.status));
  slot.root.className = `row status-${state.status}${state.isView ? ' is-view' : ''}`;
  setText(slot.agent, state.agent);
  setText(slot.title, state.title);
  setText(slot.outcome, outcomeOf(state));
  setAttribute(slot.track, 'aria-label', describeTimes(model, call));
  drawBadges(slot, listBadges(state, depthLimit));
}

/** Draws a part in place of a call: its kind as the agent, its content as the title. */
function drawPart(slot: Slot, part: TracePart, { model }: RowLooks): void {
  slot.shown = part;
  const { kind, status, notes } = part;
  drawIcon(slot, `part ${kind}`, () => buildPartIcon(kind));
  slot.root.className = `row part status-${status}`;
  setText(slot.agent, PART_WORDS[kind]);
  setText(slot.title, titleOfPart(part));
  setText(slot.outcome, outcomeOfPart(part));
  setAttribute(slot.track, 'aria-label', describePartTimes(part, model.start));
  drawBadges(
    slot,
    notes.length === 0 ? [] : [{ kind: 'note', text: showCount(notes.length), accessiblePrefix: 'notes' }],
  );
}

function drawIcon(slot: Slot, icon: string, build: () => SVGElement): void {
  if (slot.icons !== icon) slot.icon.replaceChildren(build());
  slot.icons = icon;
}

function drawBadges(slot: Slot, badges: readonly Badge[]): void {
  if (badges.length > 0 || slot.badges.childElementCount > 0)
    slot.badges.replaceChildren(...badges.map(buildBadge));
}

/** Builds a badge with its icon. */
export function buildBadge(badge: Badge): HTMLElement {
  const attributes = { title: explainBadge(badge) };
  return element(
    'span',
    { class: `badge ${badge.kind}`, attributes },
    buildIcon(BADGE_ICONS[badge.kind]),
    element(
      'span',
      { class: 'visually-hidden' },
      badge.accessiblePrefix === undefined ? '' : `${badge.accessiblePrefix} `,
    ),
    element('span', {}, badge.text),
  );
}
