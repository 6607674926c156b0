import {
  type FromTimeline,
  type ShowTrace,
  type ReportCalls,
  type ToTimeline,
} from '../../../wire/timeline-messages.ts';
import { element, setText } from '../shared/element.ts';
import { Redraw } from '../shared/redraw.ts';
import { connectHost } from '../shared/host.ts';
import { Tabs } from '../shared/tabs.ts';
import { DetailsView } from './details/details-view.ts';
import { buildDivider } from './divider.ts';
import { StoredChoices } from './stored-choices.ts';
import { mayHaveParts, TraceModel, type TraceCall } from './model.ts';
import { findPath } from './model-reader.ts';
import { countKnown, joinPayload, type Payload } from './details/payloads.ts';
import { SearchField } from './search-field.ts';
import { Followed } from './followed.ts';
import type { ReplyParts } from '../../../protocols/reply-parts/part.ts';
import { Toolbar } from './toolbar.ts';
import { GraphView } from './graph/graph-view.ts';
import { SequenceView } from './sequence/sequence-view.ts';
import type { TraceView } from './view.ts';
import { WaterfallView, type WaterfallHost } from './waterfall/waterfall-view.ts';

/** Milliseconds between two updates of growing bars; one second with reduced motion. */
const STEP = 50;
const CALM_STEP = 1000;

/** Computing the critical path takes at most one part in this number of the total time. */
const PATH_SHARE = 100;

/** At least as many rows as half of a page has space for. */
const MANY_ROWS = 100;

const READING = 'Reading the trace…';
const NOT_STORED =
  'This trace is no longer stored. Send a request, and click it in the Traces view to see it here.';

/** The page of the timeline: a trace in one of its views, with the selected call beside it. */
export class TimelinePage {
  readonly #host = connectHost<ToTimeline, FromTimeline>(message => this.#receive(message));
  readonly #choices = new StoredChoices(this.#host.stored(), state => this.#host.keep(state));
  readonly #model = new TraceModel();
  readonly #views: readonly TraceView[];
  readonly #tabs: Tabs<TraceView>;
  readonly #search: SearchField;
  readonly #toolbar: Toolbar;
  readonly #details: DetailsView;
  readonly #payloads = new Followed<Payload>((call, known) =>
    this.#host.post({ type: 'ask', call: call.state.id, from: countKnown(call, known) }),
  );
  readonly #parts = new Followed<ReplyParts>(call =>
    this.#host.post({ type: 'askParts', call: call.state.id }),
  );
  readonly #notes = element('ul', {
    class: 'source-notes muted',
    attributes: { 'aria-label': 'Notes on the source' },
  });
  readonly #empty = element('p', { class: 'empty coming' }, READING);
  readonly #page: HTMLElement;
  readonly #body: HTMLElement;
  readonly #root: HTMLElement;
  /** All changes between two frames are drawn once. */
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
  /** The selected part of the selected call; empty if the call itself is selected. */
  #selectedPart = '';
  #found: ReadonlySet<string> | undefined;
  /** The offset of the extension's clock from the page's clock; undefined for a recording. */
  #ahead: number | undefined;
  #isTaken = false;
  #rows = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#details = new DetailsView({
      act: (action, call) => this.#host.post({ type: 'act', action, call }),
      select: call => this.#choose(call),
      copy: text => this.#host.post({ type: 'copy', text }),
      open: address => this.#host.post({ type: 'openLink', address }),
      left: () => this.#tabs.front.focus(),
    });
    this.#search = new SearchField({
      askElsewhere: (search, text) => this.#host.post({ type: 'search', search, text }),
      selected: () => this.#selected,
      select: call => this.#choose(call),
      mark: found => this.#mark(found),
      left: () => this.#tabs.front.focus(),
    });
    const host: WaterfallHost = {
      select: call => this.#choose(call),
      open: call => this.#openCall(call),
      search: () => this.#search.focus(),
      parts: call => this.#parts.of(call),
      selectPart: (call, part) => this.#choosePart(call, part),
      countTokens: (count, calls) => this.#host.post({ type: 'countTokens', count, calls }),
      partsWanted: () => this.#frame.ask(),
      keep: (key, value) => this.#choices.set(key, value),
      stored: key => this.#choices.get(key),
    };
    const views: readonly [TraceView, ...TraceView[]] = [
      new WaterfallView(host),
      new GraphView(host),
      new SequenceView(host),
    ];
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
    this.#page = element('div', { class: 'page stack' }, this.#toolbar.root, this.#notes, this.#body);
    this.#setShare(Number(this.#choices.get('page.details')) || 0.6);
    const front = views.find(({ name }) => name === this.#choices.get('page.view'));
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
        if (this.#payloads.take(message.call, known => joinPayload(message, known))) this.#frame.ask();
        return;
      case 'parts':
        if (this.#parts.take(message.call, () => message)) {
          for (const view of this.#views) view.partsChanged?.(message.call);
          this.#frame.ask();
        }
        return;
      case 'tokens':
        return this.#views.forEach(view => view.tokensReported?.(message));
      case 'found':
        return this.#search.take(message);
      case 'clear':
        return this.#clear(message.why);
    }
  }

  #show(message: ShowTrace): void {
    this.#model.clear();
    this.#parts.clear();
    this.#payloads.clear();
    this.#model.trace = message.trace;
    this.#model.depthLimit = message.depthLimit;
    this.#shown = message.shown;
    this.#changed = 'all';
    this.#notes.replaceChildren(...message.notes.map(note => element('li', {}, note)));
    this.#notes.hidden = message.notes.length === 0;
    if (this.#page.parentElement !== this.#root) this.#root.replaceChildren(this.#page);
    this.#take({ ...message, type: 'calls', gone: [] });
    this.#select(message.selected);
  }

  #take({ calls, gone, size, now }: ReportCalls): void {
    const changed = this.#model.take(calls, gone);
    if (this.#changed !== 'all') for (const call of changed) this.#changed.add(call);
    this.#size = size;
    this.#ahead = now === undefined ? undefined : now - Date.now();
    this.#isTaken = true;
    this.#path.ask();
    this.#frame.ask();
  }

  #clear(why = NOT_STORED): void {
    this.#model.clear();
    this.#model.trace = '';
    setText(this.#empty, why);
    this.#empty.classList.remove('coming');
    this.#root.replaceChildren(this.#empty);
  }

  /** Selects a call in all views. */
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
    this.#details.focus();
  }

  #mark(found: ReadonlySet<string> | undefined): void {
    this.#found = found;
    this.#tabs.front.mark(found, this.#search.text);
    this.#frame.ask();
  }

  #bringToFront(view: TraceView): void {
    if (view === this.#tabs.front) return;
    this.#choices.set('page.view', view.name);
    this.#tabs.bring(view);
    this.#changed = 'all';
    this.#draw();
    view.select(this.#selected);
    view.mark(this.#found, this.#search.text);
  }

  #draw(): void {
    if (this.#shown === 0 || this.#model.trace === '') return;
    this.#setClock();
    const changed = this.#changed;
    this.#changed = new Set();
    this.#toolbar.update(this.#model, this.#size);
    this.#tabs.front.update(this.#model, changed);
    this.#setRows(Math.min(MANY_ROWS, this.#tabs.front.rowCount ?? MANY_ROWS));
    if (changed === 'all' || changed.size > 0) this.#search.update(this.#model, changed);
    const call = this.#model.find(this.#selected) ?? this.#model.roots[0];
    this.#payloads.follow(call ? [call] : []);
    const ids = this.#views.flatMap(view => [...(view.looksAt ?? [])]);
    const seen = [call, ...ids.map(id => this.#model.find(id))].filter(each => each !== undefined);
    this.#parts.follow(seen.filter(mayHaveParts));
    if (call)
      this.#details.update({
        model: this.#model,
        call,
        payload: this.#payloads.of(call.state.id),
        reply: this.#parts.of(call.state.id),
        part: this.#selectedPart,
        find: this.#search.text,
      });
    if (this.#isTaken) this.#host.post({ type: 'drawn', shown: this.#shown });
    this.#isTaken = false;
    if (this.#ahead !== undefined && this.#model.open > 0) this.#ticker.ask();
  }

  /** Updates the time, so that the bars of running calls grow. */
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
      share: () => Number(this.#choices.get('page.details')) || 0.6,
      move: clientX => {
        const { left, width } = this.#body.getBoundingClientRect();
        if (width > 0) this.#setShare((clientX - left) / width);
      },
      step: by => this.#setShare((Number(this.#choices.get('page.details')) || 0.6) + by),
    });
  }

  #setShare(share: number): void {
    const fitting = Math.max(0.2, Math.min(0.85, share));
    this.#choices.set('page.details', String(fitting));
    this.#body.style.setProperty('--views-share', `${fitting * 100}%`);
  }

  /** In a narrow page, the views have the height of these rows. */
  #setRows(count: number): void {
    if (count === this.#rows) return;
    this.#rows = count;
    this.#body.style.setProperty('--rows', String(count));
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
