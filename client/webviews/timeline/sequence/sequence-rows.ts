import type { SequenceDiagram, SequenceStep } from '../../../../trace/graph/sequence-diagram.ts';
import { element, setAttribute, setText } from '../../shared/element.ts';
import type { Window } from '../../shared/virtual-rows.ts';
import { listBadges } from '../call-words.ts';
import type { TraceCall, TraceModel } from '../model.ts';
import { buildBadge } from '../waterfall/row-ring.ts';
import { STEP_HEIGHT, type LanePlaces } from './sequence-chart.ts';
import { describeStep, isWorthShowing, labelOf } from './sequence-words.ts';
import { formatOffset } from '../waterfall/time-scale.ts';

/** Pixels between a lane and the labels of its arrows. */
const GAP = 12;

/** The state of the rows besides their steps. */
export interface StepLooks {
  readonly model: TraceModel;
  readonly diagram: SequenceDiagram<TraceCall>;
  readonly lanes: LanePlaces;
  /** Pixels between lanes. */
  readonly pitch: number;
  /** The index of the step with the cursor. */
  readonly current: number;
  readonly selected: TraceCall | undefined;
  readonly found: ReadonlySet<string> | undefined;
}

interface Slot {
  readonly root: HTMLElement;
  readonly time: HTMLElement;
  readonly label: HTMLElement;
  readonly title: HTMLElement;
  readonly badges: HTMLElement;
  shown: string;
  index: number;
}

/** The labels of the visible steps, reused as a ring: step `n` uses the element `n` modulo the number of elements. */
export class StepRows {
  readonly #slots: Slot[] = [];
  readonly root = element('div', { class: 'row-layer', role: 'presentation' });

  draw(steps: Window, offset: number, looks: StepLooks): void {
    const count = steps.end - steps.first;
    while (this.#slots.length < count) this.#add();
    for (const slot of this.#slots.splice(count)) slot.root.remove();
    for (let index = steps.first; index < steps.end; index++) {
      const [slot, step] = [this.#slots[index % count], looks.diagram.at(index)];
      if (!slot || !step) continue;
      // Positioned by `top`, not by a transform, because the chart is drawn between a row's background and its text.
      slot.root.style.top = `${index * STEP_HEIGHT - offset}px`;
      slot.index = index;
      drawStep(slot, step, index, looks);
    }
  }

  /** The id of a step's element; undefined if the step is not drawn. */
  idAt(index: number): string | undefined {
    const slot = this.#slots[index % Math.max(1, this.#slots.length)];
    return slot?.index === index ? slot.root.id : undefined;
  }

  #add(): void {
    const [time, title] = [element('span', { class: 'time' }), element('span', { class: 'title' })];
    const badges = element('span', { class: 'badges' });
    const label = element('span', { class: 'label' }, title, badges);
    const id = `step-${this.#slots.length}`;
    const root = element('div', { class: 'step', role: 'option', attributes: { id } }, time, label);
    this.#slots.push({ root, time, label, title, badges, shown: '', index: -1 });
    this.root.append(root);
  }
}

function drawStep(slot: Slot, step: SequenceStep<TraceCall>, index: number, looks: StepLooks): void {
  const { model, diagram, lanes, pitch, selected, found } = looks;
  const { root } = slot;
  const { call, kind } = step;
  const words = describeStep(step, model);
  if (slot.shown !== words) drawWords(slot, step, words, model);
  const isCurrent = index === looks.current && call === selected;
  root.className = `step ${kind} status-${call.state.status}`;
  root.classList.toggle('partner', call === selected && !isCurrent);
  root.classList.toggle('found', found?.has(call.state.id) ?? false);
  setAttribute(root, 'aria-selected', String(isCurrent));
  setAttribute(root, 'aria-posinset', String(index + 1));
  setAttribute(root, 'aria-setsize', String(diagram.length));
  const [left, right] = [lanes.xOf(Math.min(step.from, step.to)), lanes.xOf(Math.max(step.from, step.to))];
  const isOwn = step.from === step.to;
  slot.label.style.left = `${Math.round(left) + (isOwn ? GAP + 24 : GAP)}px`;
  slot.label.style.width = `${Math.max(24, (isOwn ? pitch - 24 : right - left) - GAP * 2)}px`;
}

function drawWords(slot: Slot, step: SequenceStep<TraceCall>, words: string, model: TraceModel): void {
  slot.shown = words;
  setText(slot.time, formatOffset(step.at - model.start, 1));
  setText(slot.title, labelOf(step));
  setAttribute(slot.root, 'aria-label', words);
  setAttribute(slot.root, 'title', words);
  const badges =
    step.kind === 'call' ? listBadges(step.call.state, model.depthLimit).filter(isWorthShowing) : [];
  slot.badges.replaceChildren(...badges.map(buildBadge));
}
