import { element, setText } from '../shared/element.ts';

/** What the editor of a cell asks of its grid. */
export interface CellEditorHost {
  /** Takes a text; the answer says what is wrong with it, and is undefined where it was sent. */
  commit(text: string): string | undefined;
  /** The editor was closed by a key: the grid gets the focus back. */
  closed(): void;
}

/** Pixels of the sentence, at most, and of the cell above it. */
const PROBLEM_WIDTH = 320;
const PROBLEM_HEIGHT = 96;

/** A cell in the part of the grid that is seen, in pixels. */
export interface EditorPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly room: { readonly width: number; readonly height: number };
}

/** An input in the place of a cell. Enter sends, Escape and leaving it give up; a refusal is shown beside it. */
export class CellEditor {
  readonly #input = element('input', {
    class: 'cell-input',
    attributes: { type: 'text', 'aria-label': 'New value', spellcheck: 'false', autocomplete: 'off' },
  });
  readonly #problem = element('p', { class: 'cell-problem', role: 'alert' });
  readonly #host: CellEditorHost;

  /** Lies over the cells. */
  readonly root = element('div', { class: 'cell-editor' }, this.#input, this.#problem);

  constructor(host: CellEditorHost) {
    this.#host = host;
    this.root.hidden = true;
    this.#input.addEventListener('keydown', event => this.#onKey(event));
    this.#input.addEventListener('blur', () => this.close());
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  open(text: string, problem = ''): void {
    this.root.hidden = false;
    this.#input.value = text;
    this.#say(problem);
    this.#input.focus({ preventScroll: true });
    this.#input.select();
  }

  close(): void {
    this.root.hidden = true;
    this.#say('');
  }

  /** Places it over a cell; the sentence stays inside of the room that there is. */
  place({ left, top, width, room }: EditorPlace): void {
    this.root.style.transform = `translate(${left}px, ${top}px)`;
    this.root.style.minWidth = `${width}px`;
    const isLow = top + PROBLEM_HEIGHT > room.height;
    this.root.classList.toggle('low', isLow);
    this.#problem.style.marginInlineStart = `${Math.min(0, room.width - left - PROBLEM_WIDTH)}px`;
  }

  #say(problem: string): void {
    setText(this.#problem, problem);
    this.#problem.hidden = problem === '';
    this.#input.ariaInvalid = String(problem !== '');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    const problem = event.key === 'Enter' ? this.#host.commit(this.#input.value) : undefined;
    if (problem !== undefined) return this.#say(problem);
    this.close();
    this.#host.closed();
  }
}
