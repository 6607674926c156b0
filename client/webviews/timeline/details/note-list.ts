import { element } from '../../shared/element.ts';

/** A list of notes, one per line; hidden if empty. Unchanged notes are not rewritten. */
export class NoteList {
  readonly root: HTMLElement;
  #text = '';

  /** `label` is the name of the list for screen readers. */
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
