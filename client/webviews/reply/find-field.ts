import { showCount } from '../../../core/text/count.ts';
import { IconButton } from '../shared/buttons.ts';
import { markText, MAX_MARKS } from '../shared/mark-text.ts';
import { countInFar, listFar } from '../shared/reply/nearby.ts';
import { h, type View } from '../shared/view.ts';

/** Callbacks of the field to the page. */
export interface FindHost {
  /** The searched text changed, or the field was opened or closed. */
  changed(): void;
  /** The element with what is searched; undefined before it is drawn. */
  pieces(): HTMLElement | undefined;
}

/** A place of the searched text, or a section with some that is not drawn. */
interface Found {
  readonly place: Range | Element;
  readonly count: number;
}

/** Finds a text in a reply, also where it is not drawn. */
export class FindField {
  readonly #host: FindHost;
  #input: HTMLInputElement | undefined;
  #isOpen = false;
  #text = '';
  /** The number of the current place, from 0. */
  #at = 0;
  #found: readonly Found[] = [];
  #isMore = false;

  constructor(host: FindHost) {
    this.#host = host;
  }

  /** The searched text in lower case; empty if there is none. */
  get text(): string {
    return this.#isOpen ? this.#text.toLowerCase() : '';
  }

  open(): void {
    this.#isOpen = true;
    this.#host.changed();
    requestAnimationFrame(() => {
      this.#input?.focus();
      this.#input?.select();
    });
  }

  build(): View | undefined {
    if (!this.#isOpen) return undefined;
    return h(
      'div',
      { class: 'find bar', role: 'search', onKeyDown: event => this.#onKey(event) },
      h('input', {
        type: 'text',
        class: 'find-input',
        placeholder: 'Find in reply',
        'aria-label': 'Find in reply',
        spellcheck: false,
        value: this.#text,
        ref: input => void (this.#input = input ?? undefined),
        onInput: event => this.#search(event.currentTarget.value),
      }),
      h('span', { class: 'find-count muted number', role: 'status' }, this.#describe()),
      h(IconButton, { icon: 'arrow-up', label: 'Previous (Shift+Enter)', onClick: () => this.#step(-1) }),
      h(IconButton, { icon: 'arrow-down', label: 'Next (Enter)', onClick: () => this.#step(1) }),
      h(IconButton, { icon: 'close', label: 'Close (Escape)', onClick: () => this.#close() }),
    );
  }

  /** Marks the places in what is drawn now. */
  mark(): void {
    const root = this.#host.pieces();
    if (!root) return;
    const marks = markText('found-reply', [root], this.text);
    this.#isMore = marks.length === MAX_MARKS;
    const far = this.text === '' ? [] : listFar(root);
    this.#found = merge(marks, far, this.text);
    const current = this.#current?.place;
    CSS.highlights.set('found-here', new Highlight(...(current instanceof Range ? [current] : [])));
  }

  #search(text: string): void {
    this.#text = text;
    this.#at = 0;
    this.#host.changed();
    this.#show();
  }

  get #total(): number {
    return this.#found.reduce((sum, { count }) => sum + count, 0);
  }

  get #current(): Found | undefined {
    let before = 0;
    return this.#found.find(({ count }) => (before += count) > this.#at);
  }

  #describe(): string {
    const total = this.#total;
    if (this.text === '') return '';
    if (total === 0) return 'No results';
    const all = this.#isMore ? `more than ${showCount(total)}` : showCount(total);
    return `${showCount(Math.min(this.#at + 1, total))} of ${all}`;
  }

  #step(by: number): void {
    const total = this.#total;
    if (total === 0) return;
    this.#at = (this.#at + by + total) % total;
    this.#show();
  }

  /** Scrolls to the current place; a section that is not drawn yet is drawn first. */
  #show(): void {
    requestAnimationFrame(() => {
      this.mark();
      const place = this.#current?.place;
      const element = place instanceof Range ? place.startContainer.parentElement : place;
      element?.scrollIntoView({ block: place instanceof Range ? 'center' : 'start' });
      this.#host.changed();
      if (place instanceof Element) setTimeout(() => this.#show(), SETTLE);
    });
  }

  #close(): void {
    this.#isOpen = false;
    this.#host.changed();
    this.#host.pieces()?.focus();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') this.#step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Milliseconds after which a section that came near is drawn. */
const SETTLE = 60;

function merge(marks: readonly Range[], far: readonly Element[], text: string): readonly Found[] {
  const found: Found[] = [];
  let at = 0;
  for (const section of far) {
    for (let mark = marks[at]; mark && isBefore(mark, section); mark = marks[++at])
      found.push({ place: mark, count: 1 });
    const count = countInFar(section, text);
    if (count > 0) found.push({ place: section, count });
  }
  return [...found, ...marks.slice(at).map(place => ({ place, count: 1 }))];
}

function isBefore(mark: Range, element: Element): boolean {
  return (mark.startContainer.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
