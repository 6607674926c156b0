import { countOf } from '../../../../core/text/count.ts';
import { Button, IconButton } from '../../shared/buttons.ts';
import { element } from '../../shared/element.ts';
import { draw, h } from '../../shared/view.ts';
import { parseQuery } from './search-query.ts';
import { countMatches, findElement, type SearchStart } from './search-scan.ts';
import { parsePlace } from './search-place.ts';
import { runInSlices, type SlicedWork } from '../../shared/slices.ts';
import type { Shown } from '../view.ts';

/** Callbacks of the search bar to the page. */
export interface SearchHost {
  select(index: number): void;
  /** The bar was closed; the front view takes the focus. */
  closed(): void;
}

type Mode = 'find' | 'go';

const WORDS = {
  find: { label: 'Find', placeholder: '3.5, nan, inf, > 0.5' },
  go: { label: 'Go to', placeholder: 'An index for each axis: 3, 17' },
} as const satisfies Record<Mode, object>;

const NONE = 'None found.';

/**
 * Finds values and goes to elements by index. The search runs between frames, shows its progress, and can be
 * stopped.
 */
export class SearchBar {
  readonly #host: SearchHost;
  readonly #label = element('label', { attributes: { for: 'search-input' } });
  readonly #input = element('input', {
    class: 'search-input',
    attributes: { id: 'search-input', type: 'text', spellcheck: 'false', autocomplete: 'off' },
  });
  /** What is beside the input: the buttons and the status. */
  readonly #tools = element('div', { class: 'contents' });
  #mode: Mode = 'find';
  #texts: Record<Mode, string> = { find: '', go: '' };
  #shown: Shown | undefined;
  #work: SlicedWork | undefined;
  /** The number of matches as text, once all are counted. */
  #found = '';

  /** True once a search has taken so long that it can be stopped. */
  #isSearching = false;
  #words = '';

  readonly root = element(
    'div',
    { class: 'search-bar bar wraps', role: 'search' },
    this.#label,
    this.#input,
    this.#tools,
  );

  constructor(host: SearchHost) {
    this.#host = host;
    this.root.hidden = true;
    this.#input.addEventListener('input', () => this.#typed());
    this.root.addEventListener('keydown', event => this.#onKey(event));
  }

  update(shown: Shown): void {
    const isOther = this.#shown !== undefined && this.#shown.tensor !== shown.tensor;
    this.#shown = shown;
    if (!isOther || this.root.hidden) return;
    this.#stopWork('');
    if (this.#mode === 'find') this.#count();
  }

  open(mode: Mode): void {
    if (!this.root.hidden) this.#texts[this.#mode] = this.#input.value;
    this.#stopWork('');
    this.#mode = mode;
    this.root.hidden = false;
    this.#label.textContent = WORDS[mode].label;
    this.#input.placeholder = WORDS[mode].placeholder;
    this.#input.value = this.#texts[mode];
    this.#draw();
    this.#input.focus();
    this.#input.select();
  }

  close(): void {
    this.#texts[this.#mode] = this.#input.value;
    this.#stopWork('');
    this.root.hidden = true;
    this.#host.closed();
  }

  #typed(): void {
    this.#stopWork('');
    this.#input.ariaInvalid = 'false';
    if (this.#mode === 'find' && this.#input.value.trim() !== '') this.#count();
  }

  #fail(problem: string): void {
    this.#input.ariaInvalid = 'true';
    this.#show(problem);
  }

  #show(text: string): void {
    this.#words = text;
    this.#draw();
  }

  #draw(): void {
    const find = (direction: SearchStart['direction']) => (): void => this.#find(direction);
    const isProblem = this.#input.ariaInvalid === 'true' && this.#words !== '';
    draw(
      this.#tools,
      this.#mode === 'find'
        ? [
            h(IconButton, { icon: 'arrow-up', label: 'Previous match', onClick: find('previous') }),
            h(IconButton, { icon: 'arrow-down', label: 'Next match', onClick: find('next') }),
          ]
        : undefined,
      this.#isSearching && h(Button, { label: 'Stop', onClick: () => this.#stopWork('Stopped.') }),
      h(
        'span',
        { class: isProblem ? 'search-status problem' : 'search-status muted', role: 'status' },
        this.#words,
      ),
      h(IconButton, { icon: 'close', label: 'Close', onClick: () => this.close() }),
    );
  }

  #count(): void {
    this.#found = '';
    const shown = this.#shown;
    const query = shown && parseQuery(shown.tensor, this.#input.value);
    if (query?.kind === 'fault') return this.#fail(query.problem);
    if (!shown || !query) return;
    this.#run(countMatches(shown.numbers, query.matcher), count => {
      this.#found = count === 0 ? NONE : `${countOf(count, 'element')} found.`;
      this.#show(this.#found);
    });
  }

  #find(direction: SearchStart['direction']): void {
    const shown = this.#shown;
    const query = shown && parseQuery(shown.tensor, this.#input.value);
    if (query?.kind === 'fault') return this.#fail(query.problem);
    if (!shown || !query || shown.selected === undefined) return;
    this.#run(findElement(shown.numbers, query.matcher, { at: shown.selected, direction }), index => {
      this.#show(index === undefined ? NONE : this.#found);
      if (index !== undefined) this.#host.select(index);
    });
  }

  #go(): void {
    const place = this.#shown && parsePlace(this.#shown.tensor.shape, this.#input.value);
    if (place?.kind === 'fault') return this.#fail(place.problem);
    if (!place) return;
    this.#host.select(place.index);
    this.close();
  }

  #run<Result>(work: Generator<number, Result>, onEnd: (result: Result) => void): void {
    this.#work?.stop();
    this.#work = runInSlices(work, {
      onProgress: share => {
        this.#isSearching = true;
        this.#show(`Searching… ${Math.floor(share * 100)} %`);
      },
      onEnd: result => {
        this.#stopWork('');
        onEnd(result);
      },
    });
  }

  #stopWork(words: string): void {
    this.#work?.stop();
    this.#work = undefined;
    this.#isSearching = false;
    this.#show(words);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.#input && this.#mode === 'go') this.#go();
    else if (event.key === 'Enter' && event.target === this.#input)
      this.#find(event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
