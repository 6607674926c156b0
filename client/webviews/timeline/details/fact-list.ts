import { element } from '../../shared/element.ts';
import type { Fact } from './facts.ts';

/** The actions of links in facts. */
export interface FactHost {
  openSource(): void;
  select(call: string): void;
}

interface ShownFact {
  readonly name: string;
  readonly value: HTMLElement;
  /** The displayed fact as JSON. */
  text: string;
}

/** Facts about a call, one line each. Only changed values are rewritten, so a selection in the others persists. */
export class FactList {
  readonly #host: FactHost;
  readonly root = element('dl', { class: 'facts' });
  #shown: readonly ShownFact[] = [];

  constructor(host: FactHost) {
    this.#host = host;
  }

  update(facts: readonly Fact[]): void {
    const isOther =
      facts.length !== this.#shown.length || facts.some(({ name }, at) => this.#shown[at]?.name !== name);
    if (isOther) {
      this.#shown = facts.map(fact => ({ name: fact.name, text: '', value: element('dd', {}) }));
      this.root.replaceChildren(
        ...this.#shown.flatMap(({ name, value }) => [element('dt', {}, name), value]),
      );
    }
    for (const [at, fact] of facts.entries()) {
      const shown = this.#shown[at];
      const text = JSON.stringify(fact);
      if (!shown || shown.text === text) continue;
      shown.text = text;
      shown.value.replaceChildren(this.#build(fact));
    }
  }

  #build({ value, link }: Fact): HTMLElement | string {
    if (link === undefined) return value;
    const onClick = (): void => (link === 'source' ? this.#host.openSource() : this.#host.select(link.call));
    return element('button', { class: 'link', attributes: { type: 'button' }, onClick }, value);
  }
}
