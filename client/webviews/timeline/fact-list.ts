import { element } from '../shared/element.ts';
import type { Fact } from './facts.ts';

/** What the links of facts do. */
export interface FactHost {
  openSource(): void;
  select(call: string): void;
}

/** Facts about a call, a line each; written anew only where they differ, so that a selection in them stays. */
export class FactList {
  readonly #host: FactHost;
  readonly root = element('dl', { class: 'facts' });
  #text = '';

  constructor(host: FactHost) {
    this.#host = host;
  }

  update(facts: readonly Fact[]): void {
    const text = JSON.stringify(facts);
    if (text === this.#text) return;
    this.#text = text;
    this.root.replaceChildren(
      ...facts.flatMap(fact => [element('dt', {}, fact.name), element('dd', {}, this.#build(fact))]),
    );
  }

  #build({ value, link }: Fact): HTMLElement | string {
    if (link === undefined) return value;
    const onClick = (): void => (link === 'source' ? this.#host.openSource() : this.#host.select(link.call));
    return element('button', { class: 'link', attributes: { type: 'button' }, onClick }, value);
  }
}
