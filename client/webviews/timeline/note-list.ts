import { element } from '../shared/element.ts';

/** What is odd about something, one note a line; hidden where nothing is. Notes that stay are not written again. */
export class NoteList {
  readonly root: HTMLElement;
  #text = '';

  /** `label` is what a screen reader calls the list. */
  constructor(label: string) {
    this.root = element('ul', { class: 'notes', attributes: { 'aria-label': label } });
    this.root.hidden = true;
  }

  update(notes: readonly string[]): void {
    const text = notes.join('\n');
    this.root.hidden = notes.length === 0;
    if (text === this.#text) return;
    this.#text = text;
    this.root.replaceChildren(...notes.map(note => element('li', {}, note)));
  }
}
