import type { TokenUsage } from '../../../../core/events/events.ts';
import { element, setText } from '../../shared/element.ts';
import type { TokenCounts } from './totals-tokens.ts';

/** The line over the totals: which tokens are reported, counted or neither, and the button to count them. */
export class CountLine {
  readonly #counts: TokenCounts;
  readonly #words = element('span', { role: 'status' });
  readonly #button: HTMLElement;
  readonly root: HTMLElement;
  #sums: TokenUsage = {};

  constructor(counts: TokenCounts) {
    this.#counts = counts;
    const onClick = (): void => {
      counts.toggle();
      this.update();
    };
    this.#button = element('button', { class: 'link', attributes: { type: 'button' }, onClick });
    this.root = element('p', { class: 'totals-count' }, this.#words, this.#button);
  }

  /** `sums` are the counted tokens of the whole trace; by default those of the last call. */
  update(sums = this.#sums): void {
    this.#sums = sums;
    const words = this.#counts.describe(sums);
    const action = this.#counts.nameAction();
    this.root.hidden = words === '';
    setText(this.#words, words);
    setText(this.#button, action ?? '');
    this.#button.hidden = action === undefined;
  }
}
