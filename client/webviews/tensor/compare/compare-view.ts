import './compare.css';
import { whyIncomparable } from '../../../../tensor/compare.ts';
import type { Subject } from '../../../../wire/inspector-messages.ts';
import { element, setText } from '../../shared/element.ts';
import {
  describeTypes,
  describeVerdict,
  listFacts,
  showPlace,
  type Compared,
  type Fact,
} from './compare-facts.ts';
import { DifferencePicture } from './compare-picture.ts';
import { findDifferences, type Findings } from './compare-work.ts';
import { HistogramChart } from '../histogram/histogram-chart.ts';
import { runInSlices, type SlicedWork } from '../../shared/slices.ts';
import type { InspectorActions, InspectorView, OtherShown, Shown } from '../view.ts';

/** The comparison of the shown tensor with another one: verdict, facts, picture and histogram of the differences. */
export class CompareView implements InspectorView {
  readonly name = 'compare';
  readonly title = 'Compare';
  readonly #actions: InspectorActions;
  readonly #first = element('span', {});
  readonly #second = element('span', {});
  readonly #types = element('p', { class: 'types' });
  readonly #verdict = element('p', { class: 'verdict', role: 'status' });
  readonly #progress = element('p', { class: 'muted number', role: 'status' });
  readonly #facts = element('dl', { class: 'comparison-facts number' });
  readonly #picture: DifferencePicture;
  readonly #chart = new HistogramChart('Histogram of the differences');
  readonly #pictures: HTMLElement;
  readonly root: HTMLElement;
  #shown: Shown | undefined;
  #work: { readonly compared: Compared; readonly sliced: SlicedWork } | undefined;
  #findings: Findings | undefined;

  constructor(actions: InspectorActions) {
    this.#actions = actions;
    this.#picture = new DifferencePicture(index => actions.select(index));
    const end = element(
      'button',
      { class: 'button', attributes: { type: 'button' }, onClick: () => this.#end() },
      'End comparison',
    );
    const subjects = element(
      'dl',
      { class: 'compared' },
      element('dt', {}, 'This'),
      element('dd', {}, this.#first),
      element('dt', {}, 'Other'),
      element('dd', {}, this.#second),
    );
    this.#pictures = element(
      'div',
      { class: 'difference-pictures' },
      element(
        'section',
        {},
        element(
          'div',
          { class: 'section-line' },
          element('h2', {}, 'Where they differ: this less the other'),
          this.#picture.tools,
        ),
        this.#picture.root,
      ),
      element(
        'section',
        {},
        element(
          'div',
          { class: 'section-line' },
          element('h2', {}, 'How often by how much, on a logarithmic scale'),
        ),
        this.#chart.root,
      ),
    );
    this.root = element(
      'section',
      { class: 'view compare-view' },
      element('div', { class: 'compared-line' }, subjects, end),
      this.#types,
      this.#verdict,
      this.#progress,
      this.#facts,
      this.#pictures,
    );
  }

  show(shown: Shown): void {
    const { other } = shown;
    if (!other) return this.hide();
    if (this.#shown?.subject.id !== shown.subject.id || this.#shown.other?.subject.id !== other.subject.id)
      this.#findings = undefined;
    this.#shown = shown;
    this.#draw(shown, other);
  }

  hide(): void {
    this.#work?.sliced.stop();
    this.#work = undefined;
    this.#picture.hide();
  }

  #end(): void {
    this.hide();
    this.#actions.post({ type: 'endCompare' });
  }

  #draw(shown: Shown, other: OtherShown): void {
    setText(this.#first, describeSubject(shown.subject));
    setText(this.#second, describeSubject(other.subject));
    const compared: Compared = { one: shown.tensor, other: other.tensor };
    const problem = whyIncomparable(compared.one, compared.other);
    // Earlier findings are invalid if the shapes differ.
    if (problem !== undefined) this.#findings = undefined;
    if (problem !== undefined) this.hide();
    else this.#compare(compared);
    const types = describeTypes(compared);
    setText(this.#types, [types, problem ?? ''].join(' ').trim());
    this.#types.hidden = types === '' && problem === undefined;
    this.#drawFindings(shown);
  }

  #compare(compared: Compared): void {
    if (this.#findings && isSame(this.#findings.compared, compared)) return;
    if (this.#work && isSame(this.#work.compared, compared)) return;
    this.#work?.sliced.stop();
    const sliced = runInSlices(findDifferences(compared), {
      onProgress: share => setText(this.#progress, `Comparing, ${Math.floor(share * 100)} %`),
      onEnd: findings => {
        this.#work = undefined;
        this.#findings = findings;
        setText(this.#progress, '');
        if (this.#shown) this.#drawFindings(this.#shown);
      },
    });
    this.#work = { compared, sliced };
  }

  /** Shows the findings. While a tensor is compared again after a change, the old findings stay visible. */
  #drawFindings({ plane, slicing, selected }: Shown): void {
    const findings = this.#findings;
    const isEmpty = findings?.comparison.count === 0;
    for (const part of [this.#verdict, this.#facts]) part.hidden = !findings;
    this.#pictures.hidden = !findings || isEmpty;
    if (!findings) return;
    const { compared, comparison, histogram } = findings;
    setText(this.#verdict, describeVerdict(comparison));
    this.#drawFacts(isEmpty ? [] : listFacts(comparison, compared), compared);
    if (isEmpty) return;
    this.#picture.show(findings, { plane, slicing, selected });
    this.#chart.show({ histogram, counts: 'log' });
  }

  #drawFacts(facts: readonly Fact[], { one }: Compared): void {
    const lines = facts.map(({ label, value, at, note }) => {
      const where = at === undefined ? [] : [', first at ', this.#buildPlace(showPlace(one.shape, at), at)];
      const spoken = note === undefined ? [] : [element('span', { class: 'muted' }, ` (${note})`)];
      return [element('dt', {}, label), element('dd', {}, value, ...where, ...spoken)];
    });
    const text = lines.map(line => line.map(part => part.textContent).join(' ')).join('\n');
    // The facts are rebuilt only if they differ, so that focused buttons keep their focus.
    if (this.#facts.dataset['text'] === text) return;
    this.#facts.dataset['text'] = text;
    this.#facts.replaceChildren(...lines.flat());
  }

  #buildPlace(place: string, at: number): HTMLElement {
    return element(
      'button',
      {
        class: 'link',
        attributes: { type: 'button', title: 'Select this element' },
        onClick: () => this.#actions.select(at),
      },
      place,
    );
  }
}

function describeSubject({ name, place }: Subject): string {
  return name === '' ? place : `${name} · ${place}`;
}

function isSame(one: Compared, other: Compared): boolean {
  return one.one === other.one && one.other === other.other;
}
