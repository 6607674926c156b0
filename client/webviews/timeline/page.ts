import {
  isToTimeline,
  type FromTimeline,
  type ShowTrace,
  type TellCalls,
  type ToTimeline,
} from '../../../wire/timeline-messages.ts';
import { element, setText } from '../shared/element.ts';
import { Redraw } from '../shared/redraw.ts';
import { connectHost } from '../shared/host.ts';
import { Tabs } from '../shared/tabs.ts';
import { DetailsView } from './details-view.ts';
import { buildDivider } from './divider.ts';
import { Kept } from './kept.ts';
import { TraceModel, type TraceCall } from './model.ts';
import { findPath } from './path.ts';
import { SelectedPayload } from './payloads.ts';
import { SearchField } from './search-field.ts';
import { ToldParts } from './told-parts.ts';
import { Toolbar } from './toolbar.ts';
import { buildViews } from './views.ts';
import type { TraceView } from './view.ts';

/** Milliseconds between two steps of what grows by itself; where people want less motion, a second. */
const STEP = 50;
const CALM_STEP = 1000;

/** To find the critical path takes at most one part of so many of the time. */
const PATH_SHARE = 20;

const READING = 'Reading the trace…';
const NOT_KEPT =
  'This trace is no longer kept. Send a request, and click it in the Traces view to see it here.';

/** The page of the timeline: a trace in one of its views, and the selected call beside it. */
export class TimelinePage {
  readonly #host = connectHost<ToTimeline, FromTimeline>(isToTimeline, message => this.#receive(message));
  readonly #kept = new Kept(this.#host.kept(), state => this.#host.keep(state));
  readonly #model = new TraceModel();
  readonly #views: readonly TraceView[];
  readonly #tabs: Tabs<TraceView>;
  readonly #search: SearchField;
  readonly #toolbar: Toolbar;
  readonly #details: DetailsView;
  readonly #payload = new SelectedPayload((call, from) => this.#host.post({ type: 'ask', call, from }));
  readonly #parts = new ToldParts(call => this.#host.post({ type: 'askParts', call }));
  readonly #notes = element('ul', {
    class: 'source-notes',
    attributes: { 'aria-label': 'Notes on the source' },
  });
  readonly #empty = element('p', { class: 'empty coming' }, READING);
  readonly #page: HTMLElement;
  readonly #body: HTMLElement;
  readonly #root: HTMLElement;
  /** However much comes between two frames, it is drawn once. */
  readonly #frame = new Redraw(() => this.#draw());
  readonly #path = new Redraw(
    () => {
      this.#model.path = findPath(this.#model);
      this.#frame.ask();
    },
    { share: PATH_SHARE },
  );
  readonly #ticker = new Redraw(() => this.#tick(), {
    wait: matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_STEP : STEP,
  });
  #changed: Set<TraceCall> | 'all' = new Set();
  #shown = 0;
  #size = 0;
  #selected = '';
  /** The part that is selected of that call; empty where the call itself is. */
  #selectedPart = '';
  #found: ReadonlySet<string> | undefined;
  /** What the clock of the extension is ahead of ours; undefined for a recording. */
  #ahead: number | undefined;
  #isTaken = false;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#details = new DetailsView({
      act: (action, call) => this.#host.post({ type: 'act', action, call }),
      select: call => this.#choose(call),
      left: () => this.#tabs.front.focus(),
    });
    this.#search = new SearchField({
      askElsewhere: (search, text) => this.#host.post({ type: 'search', search, text }),
      selected: () => this.#selected,
      select: call => this.#choose(call),
      mark: found => this.#mark(found),
      left: () => this.#tabs.front.focus(),
    });
    const views = buildViews({
      select: call => this.#choose(call),
      open: call => this.#openCall(call),
      search: () => this.#search.focus(),
      parts: call => this.#parts.of(call),
      selectPart: (call, part) => this.#choosePart(call, part),
      countTokens: (count, calls) => this.#host.post({ type: 'countTokens', count, calls }),
      partsWanted: () => this.#frame.ask(),
      keep: (key, value) => this.#kept.set(key, value),
      kept: key => this.#kept.get(key),
    });
    this.#views = views;
    this.#tabs = new Tabs(views, 'Ways to look at the trace', view => this.#bringToFront(view));
    this.#toolbar = new Toolbar(this.#tabs.list, this.#search.root, action =>
      this.#host.post({ type: 'act', action, call: this.#selected }),
    );
    this.#body = element(
      'div',
      { class: 'page-body' },
      this.#tabs.panels,
      this.#buildDivider(),
      this.#details.root,
    );
    this.#page = element('div', { class: 'page' }, this.#toolbar.root, this.#notes, this.#body);
    this.#setShare(Number(this.#kept.get('page.details')) || 0.6);
    const front = views.find(({ name }) => name === this.#kept.get('page.view'));
    if (front) this.#tabs.bring(front);
    this.#page.addEventListener('keydown', event => this.#onKey(event));
    root.replaceChildren(this.#empty);
    this.#host.post({ type: 'ready' });
  }

  #receive(message: ToTimeline): void {
    switch (message.type) {
      case 'show':
        return this.#show(message);
      case 'calls':
        if (message.shown === this.#shown) this.#take(message);
        return;
      case 'select':
        return this.#select(message.call);
      case 'payload':
        if (this.#payload.take(message)) this.#frame.ask();
        return;
      case 'parts':
        if (this.#parts.take(message)) {
          for (const view of this.#views) view.partsChanged?.(message.call);
          this.#frame.ask();
        }
        return;
      case 'tokens':
        return this.#views.forEach(view => view.tokensTold?.(message));
      case 'found':
        return this.#search.take(message);
      case 'clear':
        return this.#clear(message.why);
    }
  }

  #show(message: ShowTrace): void {
    this.#model.clear();
    this.#parts.clear();
    this.#model.trace = message.trace;
    this.#model.depthLimit = message.depthLimit;
    this.#shown = message.shown;
    this.#changed = 'all';
    this.#toolbar.offer(message.actions);
    this.#notes.replaceChildren(...message.notes.map(note => element('li', {}, note)));
    this.#notes.hidden = message.notes.length === 0;
    if (this.#page.parentElement !== this.#root) this.#root.replaceChildren(this.#page);
    this.#take({ ...message, type: 'calls', gone: [] });
    this.#select(message.selected);
  }

  #take({ calls, gone, size, now }: TellCalls): void {
    const changed = this.#model.take(calls, gone);
    if (this.#changed !== 'all') for (const call of changed) this.#changed.add(call);
    this.#size = size;
    this.#ahead = now === undefined ? undefined : now - Date.now();
    this.#isTaken = true;
    this.#path.ask();
    this.#frame.ask();
  }

  #clear(why = NOT_KEPT): void {
    this.#model.clear();
    this.#model.trace = '';
    setText(this.#empty, why);
    this.#empty.classList.remove('coming');
    this.#root.replaceChildren(this.#empty);
  }

  /** Marks a call as the selected one in all views. */
  #select(call: string): void {
    this.#selected = call;
    this.#selectedPart = '';
    this.#tabs.front.select(call);
    this.#frame.ask();
  }

  /** The user selected a call. */
  #choose(call: string): void {
    this.#host.post({ type: 'selected', call });
    this.#select(call);
  }

  #choosePart(call: string, part: string): void {
    if (call !== this.#selected) this.#host.post({ type: 'selected', call });
    this.#selected = call;
    this.#selectedPart = part;
    this.#frame.ask();
  }

  #openCall(call: string): void {
    if (call !== this.#selected) this.#choose(call);
    this.#draw();
    this.#details.focus(this.#selectedPart);
  }

  #mark(found: ReadonlySet<string> | undefined): void {
    this.#found = found;
    this.#tabs.front.mark(found);
  }

  #bringToFront(view: TraceView): void {
    if (view === this.#tabs.front) return;
    this.#kept.set('page.view', view.name);
    this.#tabs.bring(view);
    this.#changed = 'all';
    this.#draw();
    view.select(this.#selected);
    view.mark(this.#found);
  }

  #draw(): void {
    if (this.#shown === 0 || this.#model.trace === '') return;
    this.#setClock();
    const changed = this.#changed;
    this.#changed = new Set();
    this.#toolbar.update(this.#model, this.#size);
    this.#tabs.front.update(this.#model, changed);
    if (changed === 'all' || changed.size > 0) this.#search.update(this.#model, changed);
    const call = this.#model.find(this.#selected) ?? this.#model.roots[0];
    this.#payload.follow(call);
    const looksAt = new Set(this.#views.flatMap(view => [...(view.looksAt ?? [])]));
    this.#parts.follow(this.#model, call ? new Set([...looksAt, call.state.id]) : looksAt);
    if (call) {
      this.#details.update(this.#model, call, this.#payload.payload);
      this.#details.updateParts(call, this.#parts.of(call.state.id), this.#selectedPart);
    }
    if (this.#isTaken) this.#host.post({ type: 'drawn', shown: this.#shown });
    this.#isTaken = false;
    if (this.#ahead !== undefined && this.#model.open > 0) this.#ticker.ask();
  }

  /** Time went on while calls run: their bars grow. */
  #tick(): void {
    this.#setClock();
    this.#toolbar.update(this.#model, this.#size);
    this.#tabs.front.tick?.(this.#model);
    if (this.#model.open > 0) this.#ticker.ask();
  }

  #setClock(): void {
    this.#model.now = this.#ahead === undefined ? undefined : Date.now() + this.#ahead;
  }

  #buildDivider(): HTMLElement {
    return buildDivider('Width of the details', {
      share: () => Number(this.#kept.get('page.details')) || 0.6,
      move: clientX => {
        const { left, width } = this.#body.getBoundingClientRect();
        if (width > 0) this.#setShare((clientX - left) / width);
      },
      step: by => this.#setShare((Number(this.#kept.get('page.details')) || 0.6) + by),
    });
  }

  #setShare(share: number): void {
    const fitting = Math.max(0.2, Math.min(0.85, share));
    this.#kept.set('page.details', String(fitting));
    this.#body.style.setProperty('--views-share', `${fitting * 100}%`);
  }

  #onKey(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement;
    const isSearch =
      (event.key === '/' && !isTyping) || (event.key === 'f' && (event.ctrlKey || event.metaKey));
    if (!isSearch) return;
    this.#search.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
