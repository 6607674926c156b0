import './compare.css';
import { whyIncomparable } from '../../../../tensor/compare.ts';
import type { Subject } from '../../../../wire/inspector-messages.ts';
import { Button } from '../../shared/buttons.ts';
import { element } from '../../shared/element.ts';
import { FactList, type ShownFact } from '../../shared/fact-list.ts';
import { runInSlices, type SlicedWork } from '../../shared/slices.ts';
import { draw, h } from '../../shared/view.ts';
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
import type { InspectorActions, InspectorView, OtherShown, Shown } from '../view.ts';

/** The comparison of the shown tensor with another one: verdict, facts, picture and histogram of the differences. */
export class CompareView implements InspectorView {
  readonly name = 'compare';
  readonly title = 'Compare';
  readonly #actions: InspectorActions;
  readonly #words = element('div', {});
  readonly #picture: DifferencePicture;
  readonly #chart = new HistogramChart('Histogram of the differences');
  readonly #pictures: HTMLElement;
  readonly root: HTMLElement;
  #shown: Shown | undefined;
  #work: { readonly compared: Compared; readonly sliced: SlicedWork } | undefined;
  #findings: Findings | undefined;
  #progress = '';

  constructor(actions: InspectorActions) {
    this.#actions = actions;
    this.#picture = new DifferencePicture(index => actions.select(index));
    const section = (title: string, content: HTMLElement, ...tools: readonly HTMLElement[]): HTMLElement =>
      element(
        'section',
        {},
        element('div', { class: 'section-line' }, element('h2', {}, title), ...tools),
        content,
      );
    this.#pictures = element(
      'div',
      { class: 'difference-pictures' },
      section('Where they differ: this less the other', this.#picture.root, this.#picture.tools),
      section('How often by how much, on a logarithmic scale', this.#chart.root),
    );
    this.root = element('section', { class: 'view compare-view' }, this.#words, this.#pictures);
  }

  show(shown: Shown): void {
    const { other } = shown;
    if (!other) return this.hide();
    if (this.#shown?.subject.id !== shown.subject.id || this.#shown.other?.subject.id !== other.subject.id)
      this.#findings = undefined;
    this.#shown = shown;
    const compared: Compared = { one: shown.tensor, other: other.tensor };
    const problem = whyIncomparable(compared.one, compared.other);
    // Earlier findings are invalid if the shapes differ.
    if (problem !== undefined) this.#findings = undefined;
    if (problem !== undefined) this.hide();
    else this.#compare(compared);
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

  #compare(compared: Compared): void {
    if (this.#findings && isSame(this.#findings.compared, compared)) return;
    if (this.#work && isSame(this.#work.compared, compared)) return;
    this.#work?.sliced.stop();
    const sliced = runInSlices(findDifferences(compared), {
      onProgress: share => this.#report(`Comparing, ${Math.floor(share * 100)} %`),
      onEnd: findings => {
        this.#work = undefined;
        this.#findings = findings;
        this.#report('');
      },
    });
    this.#work = { compared, sliced };
  }

  #report(progress: string): void {
    this.#progress = progress;
    if (this.#shown?.other) this.#draw(this.#shown, this.#shown.other);
  }

  /** Shows the findings. While a tensor is compared again after a change, the old findings stay visible. */
  #draw({ tensor, subject, plane, slicing, selected }: Shown, other: OtherShown): void {
    const compared: Compared = { one: tensor, other: other.tensor };
    const findings = this.#findings;
    const isEmpty = findings?.comparison.count === 0;
    const warning = [describeTypes(compared), whyIncomparable(tensor, other.tensor) ?? ''].join(' ').trim();
    const facts = findings && !isEmpty ? listFacts(findings.comparison, findings.compared) : [];
    const subjects = [
      { name: 'This', value: describeSubject(subject) },
      { name: 'Other', value: describeSubject(other.subject) },
    ];
    draw(
      this.#words,
      h(
        'div',
        { class: 'compared-line' },
        h(FactList, { class: 'compared', facts: subjects }),
        h(Button, { label: 'End comparison', onClick: () => this.#end() }),
      ),
      warning !== '' && h('p', { class: 'types' }, warning),
      h('p', { class: 'verdict', role: 'status' }, findings ? describeVerdict(findings.comparison) : ''),
      h('p', { class: 'muted number', role: 'status' }, this.#progress),
      h(FactList, {
        class: 'comparison-facts number',
        facts: facts.map(fact => this.#buildFact(fact, tensor.shape)),
      }),
    );
    this.#pictures.hidden = !findings || isEmpty;
    if (!findings || isEmpty) return;
    this.#picture.show(findings, { plane, slicing, selected });
    this.#chart.show({ histogram: findings.histogram, counts: 'log' });
  }

  #buildFact({ label, value, at, note }: Fact, shape: readonly number[]): ShownFact {
    const onClick = (): void => {
      if (at !== undefined) this.#actions.select(at);
    };
    const title = 'Select this element';
    return {
      name: label,
      value: [
        value,
        at === undefined ? '' : ', first at ',
        at === undefined ? '' : h(Button, { class: 'link', title, label: showPlace(shape, at), onClick }),
        note === undefined ? '' : h('span', { class: 'muted' }, ` (${note})`),
      ],
    };
  }
}

function describeSubject({ name, place }: Subject): string {
  return name === '' ? place : `${name} · ${place}`;
}

function isSame(one: Compared, other: Compared): boolean {
  return one.one === other.one && one.other === other.other;
}
