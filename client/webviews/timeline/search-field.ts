import { countOf, showCount } from '../../../core/text/count.ts';
import { WHY_LOST } from '../../../trace/payload-check.ts';
import type { ReportFound } from '../../../wire/timeline-messages.ts';
import { Button, IconButton } from '../shared/buttons.ts';
import { element } from '../shared/element.ts';
import { Icon } from '../shared/icons.ts';
import { Redraw } from '../shared/redraw.ts';
import { runInSlices, type SlicedWork } from '../shared/slices.ts';
import { findMatches, foldCase, holdsText, stepMatch, type MatchPlace } from './matches.ts';
import { TraceModel, type TraceCall } from './model.ts';
import { draw, h } from '../shared/view.ts';

/** Callbacks of the search to the page. */
export interface SearchHost {
  /** Searches data that the page does not have; an empty text stops that search. */
  askElsewhere(search: number, text: string): void;
  /** The id of the selected call. */
  selected(): string;
  select(call: string): void;
  /** The found calls changed; undefined without a search. */
  mark(found: ReadonlySet<string> | undefined): void;
  /** The user left the search; the focus returns to the view. */
  left(): void;
}

/** Milliseconds to wait for the next key before searching. */
const PAUSE = 150;

/** Finds calls: immediately by their state, and through the extension by their payloads. */
export class SearchField {
  readonly #host: SearchHost;
  readonly #input = element('input', {
    class: 'search-input',
    attributes: {
      type: 'text',
      placeholder: 'Search calls and payloads',
      'aria-label': 'Search calls and payloads',
      spellcheck: 'false',
      autocomplete: 'off',
    },
  });
  /** The parts around the input: an icon, the status and the buttons. */
  readonly #tools = element('div', { class: 'contents' });
  readonly root: HTMLElement;
  #model = new TraceModel();
  #text = '';
  #search = 0;
  #found = new Set<string>();
  /** The completed share of the search in the extension; undefined if none is running. */
  #elsewhere: number | undefined;
  /** The number of calls whose payloads could not be read completely. */
  #lost = 0;
  #isStopped = false;
  #work: SlicedWork | undefined;
  readonly #typing = new Redraw(() => this.#read(), { wait: PAUSE });
  /** Throttled, because finding the rank of the selected match takes a pass over all calls. */
  readonly #reporting = new Redraw(() => this.#report(), { share: 10 });

  constructor(host: SearchHost) {
    this.#host = host;
    const icon = element('span', { class: 'search-icon muted', attributes: { 'aria-hidden': 'true' } });
    draw(icon, h(Icon, { name: 'search' }));
    this.root = element('div', { class: 'search bar', role: 'search' }, icon, this.#input, this.#tools);
    this.#input.addEventListener('input', () => this.#typed());
    this.root.addEventListener('keydown', event => this.#onKey(event));
    this.#show();
  }

  /** The searched text in lower case; empty without a search. */
  get text(): string {
    return this.#text;
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** The trace changed: updates the matches. */
  update(model: TraceModel, changed: ReadonlySet<TraceCall> | 'all'): void {
    const isOther = this.#model !== model || changed === 'all';
    this.#model = model;
    if (this.#text === '') return;
    if (isOther) return this.#begin();
    const before = this.#found.size;
    for (const { state } of changed) {
      if (!model.find(state.id)) this.#found.delete(state.id);
      else if (holdsText(state, this.#text)) this.#found.add(state.id);
    }
    if (this.#found.size !== before) this.#reporting.ask();
  }

  /** Adds the calls that the extension found. */
  take({ search, calls, share, lost }: ReportFound): void {
    if (search !== this.#search || this.#text === '') return;
    this.#lost = lost;
    for (const call of calls) this.#found.add(call);
    this.#elsewhere = share < 1 && !this.#isStopped ? share : undefined;
    this.#reporting.ask();
  }

  /** Searches once the user has not typed for a moment. */
  #typed(): void {
    this.#typing.cancel();
    this.#typing.ask();
  }

  #read(): void {
    const text = foldCase(this.#input.value.trim());
    if (text === this.#text) return;
    this.#text = text;
    this.#begin();
  }

  #begin(): void {
    this.#work?.stop();
    this.#search++;
    this.#found = new Set();
    this.#lost = 0;
    this.#isStopped = false;
    this.#elsewhere = this.#text === '' ? undefined : 0;
    this.#host.askElsewhere(this.#search, this.#text);
    if (this.#text === '') return this.#reporting.now();
    this.#work = runInSlices(findMatches(this.#model, this.#text), {
      onEnd: found => {
        for (const call of found) this.#found.add(call);
        this.#reporting.now();
      },
    });
  }

  #stopSearch(): void {
    this.#isStopped = true;
    this.#elsewhere = undefined;
    this.#host.askElsewhere(this.#search, '');
    this.#input.focus();
    this.#show();
  }

  #report(): void {
    this.#host.mark(this.#text === '' ? undefined : new Set(this.#found));
    this.#show();
  }

  #step(direction: 'next' | 'previous'): void {
    const match = stepMatch(this.#model, this.#found, this.#host.selected(), direction);
    if (match) this.#host.select(match.call);
    this.#show(match);
  }

  #findHere(): MatchPlace | undefined {
    const selected = this.#host.selected();
    return this.#found.has(selected) ? stepMatch(this.#model, this.#found, selected, 'here') : undefined;
  }

  /**
   * Shows the number of matches and the rank of the selected one. Computing the default of `here` costs O(all
   * calls).
   */
  #show(here = this.#findHere()): void {
    const count = this.#found.size;
    const searching =
      this.#elsewhere === undefined ? '' : ` · payloads ${Math.floor(this.#elsewhere * 100)} %`;
    const stopped = this.#isStopped ? ' · stopped' : '';
    const found = here ? `${showCount(here.rank)} of ${showCount(count)}` : `${showCount(count)} found`;
    const isLost = this.#text !== '' && this.#lost > 0;
    const lost = isLost ? ` · ${countOf(this.#lost, 'payload')} unreadable` : '';
    const step = (direction: 'next' | 'previous') => (): void => this.#step(direction);
    const label = { previous: 'Previous match (Shift+Enter)', next: 'Next match (Enter)' };
    draw(
      this.#tools,
      h(
        'span',
        {
          class: 'search-status muted number',
          role: 'status',
          title: isLost
            ? `Not all payloads of ${countOf(this.#lost, 'call')} were searched: ${WHY_LOST}.`
            : '',
        },
        this.#text === '' ? '' : `${found}${searching}${stopped}${lost}`,
      ),
      this.#elsewhere !== undefined && h(Button, { label: 'Stop', onClick: () => this.#stopSearch() }),
      h(IconButton, {
        icon: 'arrow-up',
        label: label.previous,
        disabled: count === 0,
        onClick: step('previous'),
      }),
      h(IconButton, { icon: 'arrow-down', label: label.next, disabled: count === 0, onClick: step('next') }),
    );
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && event.target === this.#input)
      this.#step(event.shiftKey ? 'previous' : 'next');
    else if (event.key === 'Escape') {
      this.#input.value = '';
      this.#typed();
      this.#host.left();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
