import { countOf, moreAre } from '../../../../core/text/count.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from '../../../../protocols/reply-parts/part.ts';
import { element, setText } from '../../shared/element.ts';
import { NoteList } from './note-list.ts';
import { buildPartIcon } from '../part-icon.ts';
import { describePartTimes, outcomeOfPart, titleOfPart } from '../../../../trace/part-words.ts';

/**
 * The parts of a call's reply: one line each, which expands to its content. It is updated in place while a
 * reply grows.
 */
export class PartsView {
  readonly #size = element('span', { class: 'size' });
  readonly #notes = new NoteList('Notes on the reply');
  readonly #list = element('div', { class: 'part-list' });
  readonly #views = new Map<string, PartView>();
  #call = '';
  #opened = '';
  readonly root = element(
    'section',
    { class: 'exchange parts' },
    element('h2', {}, 'Parts of the reply', this.#size),
    this.#notes.root,
    this.#list,
  );

  /** Shows the parts of a call; hidden if there are none. `selected` is opened and scrolled into view once. */
  update(
    call: { readonly id: string; readonly at: number },
    reply: ReplyParts | undefined,
    selected: string,
  ): void {
    const { parts, notes } = reply ?? { parts: [], notes: [] };
    if (call.id !== this.#call) this.#reset(call.id);
    this.root.hidden = parts.length === 0 && notes.length === 0;
    setText(this.#size, parts.length === 0 ? 'none' : countOf(parts.length, 'part'));
    this.#notes.update(notes);
    const rows = listRows(parts, 0);
    const ids = new Set(rows.map(({ part }) => part.id));
    for (const [id, view] of this.#views) if (!ids.has(id)) this.#remove(id, view);
    for (const [index, { part, level }] of rows.entries()) {
      const view = this.#views.get(part.id) ?? this.#add(part.id);
      if (this.#list.children[index] !== view.root)
        this.#list.insertBefore(view.root, this.#list.children[index] ?? null);
      view.update(part, level, call.at);
    }
    this.#open(selected);
  }

  /** Focuses the selected part. Returns false if there is none. */
  focus(selected: string): boolean {
    const view = this.#views.get(selected);
    view?.focus();
    return view !== undefined;
  }

  #open(selected: string): void {
    if (selected === this.#opened) return;
    const view = this.#views.get(selected);
    // A part may be selected before it has arrived here.
    if (!view && selected !== '') return;
    this.#opened = selected;
    view?.open();
  }

  #reset(call: string): void {
    this.#call = call;
    this.#opened = '';
    for (const [id, view] of this.#views) this.#remove(id, view);
  }

  #add(id: string): PartView {
    const view = new PartView();
    this.#views.set(id, view);
    return view;
  }

  #remove(id: string, view: PartView): void {
    this.#views.delete(id);
    view.root.remove();
  }
}

/** The view of a part: a line, and its content, which is written when it is opened. */
class PartView {
  readonly #icon = element('span', { class: 'icon' });
  readonly #word = element('span', { class: 'word' });
  readonly #title = element('span', { class: 'title' });
  readonly #outcome = element('span', { class: 'outcome' });
  readonly #summary = element('summary', {}, this.#icon, this.#word, this.#title, this.#outcome);
  readonly #times = element('p', { class: 'times' });
  readonly #notes = new NoteList('Notes on the part');
  readonly #text = element('pre', { class: 'body', attributes: { tabindex: '0' } });
  readonly #hidden = element('p', { class: 'hidden-part' });
  readonly #fold = element(
    'details',
    { class: 'part-fold' },
    this.#summary,
    this.#times,
    this.#notes.root,
    this.#text,
    this.#hidden,
  );
  readonly root = this.#fold;
  #part: TracePart | undefined;
  #kind = '';
  #start = 0;

  constructor() {
    this.#fold.addEventListener('toggle', () => this.#write());
  }

  update(part: TracePart, level: number, start: number): void {
    if (this.#part === part) return;
    this.#part = part;
    this.#start = start;
    if (this.#kind !== part.kind) this.#icon.replaceChildren(buildPartIcon(part.kind));
    this.#kind = part.kind;
    this.#fold.className = `part-fold status-${part.status}`;
    this.#fold.style.marginInlineStart = `${level * 16}px`;
    setText(this.#word, PART_WORDS[part.kind]);
    setText(this.#title, titleOfPart(part));
    setText(this.#outcome, outcomeOfPart(part));
    this.#write();
  }

  open(): void {
    this.#fold.open = true;
    this.#write();
    this.#fold.scrollIntoView({ block: 'nearest' });
  }

  focus(): void {
    this.#summary.focus();
  }

  #write(): void {
    const part = this.#part;
    if (!part || !this.#fold.open) return;
    const times = describePartTimes(part, this.#start);
    setText(this.#times, `${times.slice(0, 1).toUpperCase()}${times.slice(1)}`);
    this.#notes.update(part.notes);
    this.#text.hidden = part.text === undefined;
    this.#text.setAttribute('aria-label', `${PART_WORDS[part.kind]}, what it says`);
    setText(this.#text, part.text ?? '');
    const { hidden = 0 } = part;
    this.#hidden.hidden = hidden === 0;
    setText(this.#hidden, `${moreAre(hidden, 'character')} not shown here.`);
  }
}

function listRows(
  parts: readonly TracePart[],
  level: number,
): readonly { readonly part: TracePart; readonly level: number }[] {
  return parts.flatMap(part => [{ part, level }, ...listRows(part.children, level + 1)]);
}
