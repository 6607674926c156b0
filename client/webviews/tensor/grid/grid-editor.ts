import { element, setText } from '../../shared/element.ts';

/** Callbacks of a cell editor to its grid. */
export interface CellEditorHost {
  /** Sends a typed text. Returns the problem, or undefined if it was sent. */
  commit(text: string): string | undefined;
  /** The editor was closed by a key; the grid takes the focus. */
  closed(): void;
}

/** The maximum size of the problem text and the cell above it, in pixels. */
const PROBLEM_WIDTH = 320;
const PROBLEM_HEIGHT = 96;

/** The position of a cell in the visible part of the grid, in pixels. `room` is the size of that part. */
export interface EditorPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly room: { readonly width: number; readonly height: number };
}

/** An input over a cell. Enter sends the value; Escape or leaving the input cancels. A refusal is shown next to it. */
export class CellEditor {
  readonly #input = element('input', {
    class: 'cell-input number',
    attributes: { type: 'text', 'aria-label': 'New value', spellcheck: 'false', autocomplete: 'off' },
  });
  readonly #problem = element('p', { class: 'cell-problem', role: 'alert' });
  readonly #host: CellEditorHost;

  /** The element that is placed over the cells. */
  readonly root = element('div', { class: 'cell-editor' }, this.#input, this.#problem);

  constructor(host: CellEditorHost) {
    this.#host = host;
    this.root.hidden = true;
    this.#input.addEventListener('keydown', event => this.#onKey(event));
    this.#input.addEventListener('blur', () => this.close());
  }

  open(text: string, problem = ''): void {
    this.root.hidden = false;
    this.#input.value = text;
    this.#show(problem);
    this.#input.focus({ preventScroll: true });
    this.#input.select();
  }

  close(): void {
    this.root.hidden = true;
    this.#show('');
  }

  /** Places the editor over a cell and keeps the problem text inside of the visible part. */
  place({ left, top, width, room }: EditorPlace): void {
    this.root.style.transform = `translate(${left}px, ${top}px)`;
    this.root.style.minWidth = `${width}px`;
    const isLow = top + PROBLEM_HEIGHT > room.height;
    this.root.classList.toggle('low', isLow);
    this.#problem.style.marginInlineStart = `${Math.min(0, room.width - left - PROBLEM_WIDTH)}px`;
  }

  #show(problem: string): void {
    setText(this.#problem, problem);
    this.#problem.hidden = problem === '';
    this.#input.ariaInvalid = String(problem !== '');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    const problem = event.key === 'Enter' ? this.#host.commit(this.#input.value) : undefined;
    if (problem !== undefined) return this.#show(problem);
    this.close();
    this.#host.closed();
  }
}
