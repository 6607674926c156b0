import { element, setText } from '../shared/element.ts';
import { Redraw } from '../shared/redraw.ts';

/** Milliseconds between two texts for what the pointer is at: it moves faster than one reads. */
const DELAY = 80;

/** Says where the selection and the pointer are, and what is there. */
export class ReadoutLine {
  readonly #selected = element('span', { class: 'number' });
  readonly #pointed = element('span', { class: 'number' });
  #read: () => string = () => '';
  readonly #saying = new Redraw(() => this.#say(), { wait: DELAY });

  readonly root = element('p', { class: 'readout', role: 'status' }, this.#selected, this.#pointed);

  /** Says what is selected; an empty text says nothing. */
  select(text: string): void {
    setText(this.#selected, text === '' ? '' : `Selected ${text}`);
  }

  /** Says what the pointer is at, soon; `read` is called when it is said. */
  point(read: () => string): void {
    this.#read = read;
    this.#saying.ask();
  }

  #say(): void {
    const text = this.#read();
    setText(this.#pointed, text === '' ? '' : `Pointer ${text}`);
  }
}
