import { element, setText } from '../../shared/element.ts';
import { Redraw } from '../../shared/redraw.ts';

/** Milliseconds between updates of the pointer text, because the pointer moves faster than one can read. */
const DELAY = 80;

/** Shows the positions and values of the selection and the pointer. */
export class ReadoutLine {
  readonly #selected = element('span', { class: 'number' });
  readonly #pointed = element('span', { class: 'number' });
  #read: () => string = () => '';
  readonly #showing = new Redraw(() => this.#show(), { wait: DELAY });

  readonly root = element('p', { class: 'readout', role: 'status' }, this.#selected, this.#pointed);

  /** Shows the selection; an empty text clears it. */
  select(text: string): void {
    setText(this.#selected, text === '' ? '' : `Selected ${text}`);
  }

  /** Shows the pointer text after a short delay; `read` is called then. */
  point(read: () => string): void {
    this.#read = read;
    this.#showing.ask();
  }

  #show(): void {
    const text = this.#read();
    setText(this.#pointed, text === '' ? '' : `Pointer ${text}`);
  }
}
