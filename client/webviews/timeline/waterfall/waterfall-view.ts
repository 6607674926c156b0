import { IconButton } from '../../shared/buttons.ts';
import { element } from '../../shared/element.ts';
import { Redraw } from '../../shared/redraw.ts';
import { VirtualList } from '../../shared/virtual-list.ts';
import { drawChart, ROW_HEIGHT, type ChartRow } from './chart.ts';
import { buildLegend, type Drawn } from './legend.ts';
import { Drawing } from '../drawing.ts';
import { TraceModel, type TraceCall } from '../model.ts';
import { NameColumn, LABEL_WIDTH } from './name-column.ts';
import { ThemePalette } from '../palette.ts';
import { RowList, type ListedRow } from './row-list.ts';
import { buildRow, type RowLooks } from './rows.ts';
import { TimeHead } from './time-head.ts';
import type { TraceView, ViewHost } from '../view.ts';
import { actOnKey, listMoves } from '../../shared/keys.ts';
import { listenToPointer, type Place } from './waterfall-pointer.ts';
import { Zoom } from './zoom.ts';
import { markText } from '../../shared/mark-text.ts';
import { draw, h, type View } from '../../shared/view.ts';

/** Listing the rows takes at most one part in this number of the total time. */
const LIST_SHARE = 5;

/** The factor of the visible time for a step of zooming out, and its share for a step to the side. */
const ZOOM = 1.5;
const PAN = 0.2;

/** The services of the page that the waterfall uses in addition to those of every view. */
export interface WaterfallHost extends ViewHost {
  /** The user starts a search. */
  search(): void;
  /** The user selected a part of a call's reply. */
  selectPart(call: string, part: string): void;
  /** The set of calls whose parts are shown has changed. */
  partsWanted(): void;
}

/** Shows a trace as a waterfall: one row per call below its caller, with a bar at its time. */
export class WaterfallView implements TraceView {
  readonly name = 'timeline';
  readonly title = 'Timeline';
  readonly #host: WaterfallHost;
  readonly #list = new RowList(call => this.#host.parts(call));
  readonly #layer = element('div', { class: 'row-layer', role: 'rowgroup' });
  readonly #chart = new Drawing('chart', drawChart);
  readonly #zoom = new Zoom();
  readonly #times = new TimeHead({
    zoomTo: (from, to) => this.#changeZoom(() => this.#zoom.showShares(from, to)),
    center: share => this.#changeZoom(() => this.#zoom.center(share)),
  });
  readonly #port = element(
    'div',
    {
      class: 'rows',
      role: 'treegrid',
      attributes: { tabindex: '0', 'aria-label': 'Calls', 'aria-readonly': 'true' },
    },
    this.#layer,
    this.#chart.root,
    this.#times.crosshair,
  );
  readonly #zoomButtons = element('div', { class: 'zoom' });
  readonly #legend = element('div', { class: 'legend muted' });
  readonly #names: NameColumn;
  readonly #head: HTMLElement;
  readonly #rows = new VirtualList({
    port: this.#port,
    layer: this.#layer,
    height: ROW_HEIGHT,
    name: 'call-row',
    onScroll: () => this.#draw(),
    onResize: () => this.#layOut(),
  });
  readonly #scroller = this.#rows.scroller;
  readonly #palette = new ThemePalette(() => this.#redraw());
  readonly #frame = new Redraw(() => this.#draw());
  readonly #relisting = new Redraw(
    () => {
      this.#relist();
      this.#frame.ask();
    },
    { share: LIST_SHARE },
  );
  readonly root: HTMLElement;
  #model = new TraceModel();
  #shape = -1;
  #trace = '';
  #selected = '';
  /** The selected part of the selected call; empty if the call itself is selected. */
  #selectedPart = '';
  #found: ReadonlySet<string> | undefined;
  /** The text of the search. */
  #text = '';
  /** The id of a call to scroll into view as soon as it has arrived. */
  #wanted = '';

  constructor(host: WaterfallHost) {
    this.#host = host;
    this.#names = new NameColumn(host, this.#port, () => this.#layOut());
    this.#head = element(
      'div',
      { class: 'rows-head' },
      element('div', { class: 'name-head muted' }, 'Call', this.#zoomButtons, this.#names.divider),
      this.#times.root,
    );
    draw(this.#zoomButtons, ...this.#buildZoomButtons());
    this.root = element('div', { class: 'waterfall stack' }, this.#head, this.#scroller.root, this.#legend);
    this.root.style.setProperty('--label-width', `${LABEL_WIDTH}px`);
    this.#port.addEventListener('keydown', event => this.#onKey(event));
    listenToPointer(this.#port, this.#head, this.#pointerHost());
  }

  update(model: TraceModel, changed: ReadonlySet<TraceCall> | 'all'): void {
    this.#model = model;
    if (model.trace !== this.#trace) this.#open(model);
    if (changed === 'all') this.#times.redraw();
    this.#zoom.follow(model);
    if (model.shape !== this.#shape && changed === 'all') this.#relisting.now();
    else if (model.shape !== this.#shape) this.#relisting.soon();
    const wanted = this.#wanted === '' ? undefined : model.find(this.#wanted);
    if (wanted) this.#reveal(wanted);
    this.#frame.cancel();
    this.#draw();
  }

  tick(model: TraceModel): void {
    this.#zoom.follow(model);
    this.#draw();
  }

  get rowCount(): number {
    return this.#list.length;
  }

  /** Calls whose parts are shown. */
  get looksAt(): ReadonlySet<string> {
    return this.#list.opened;
  }

  partsChanged(call: string): void {
    if (this.#list.opened.has(call)) this.#relist();
    this.#frame.ask();
  }

  select(call: string): void {
    // Selecting the same call again keeps the selected part.
    if (call !== this.#selected) this.#selectedPart = '';
    this.#selected = call;
    this.#wanted = call;
    const found = this.#model.find(call);
    if (found) this.#reveal(found);
    this.#frame.ask();
  }

  mark(found: ReadonlySet<string> | undefined, text: string): void {
    this.#found = found;
    this.#text = text;
    this.#frame.ask();
  }

  focus(): void {
    this.#port.focus({ preventScroll: true });
  }

  /** Prepares for another trace: resets folding and zoom. */
  #open(model: TraceModel): void {
    this.#trace = model.trace;
    this.#zoom.reset();
    this.#shape = -1;
    this.#times.redraw();
    this.#scroller.moveTo({ top: 0 });
  }

  /** Lists the rows again; the row at the top stays in place. */
  #relist(): void {
    this.#shape = this.#model.shape;
    const { offset } = this.#scroller.down;
    const top = offset === 0 ? undefined : this.#list.at(Math.floor(offset / ROW_HEIGHT));
    this.#list.list(this.#model);
    this.#resize();
    this.#rows.keepTop(this.#list.indexOf(top?.call, top?.part?.id), offset % ROW_HEIGHT);
  }

  get #chartWidth(): number {
    return this.#names.chartWidth(this.#scroller.size.width);
  }

  get #chartPlace(): { readonly left: number; readonly width: number } {
    return { left: this.#nameWidth, width: this.#chartWidth };
  }

  get #nameWidth(): number {
    return this.#names.nameWidth(this.#scroller.size.width);
  }

  #resize(): void {
    const { width } = this.#scroller.size;
    this.#rows.count = this.#list.length;
    this.#scroller.resize({ width: 0, height: this.#list.length * ROW_HEIGHT }, { width, height: 0 });
    this.#port.setAttribute('aria-rowcount', String(this.#list.length));
  }

  /** Lays out again after a change of size. */
  #layOut(): void {
    this.root.style.setProperty('--name-width', `${this.#nameWidth}px`);
    this.root.style.setProperty('--rows-width', `${this.#scroller.size.width}px`);
    this.#times.redraw();
    this.#resize();
    this.#draw();
  }

  #redraw(): void {
    this.#times.redraw();
    this.#frame.ask();
  }

  #draw(): void {
    const model = this.#model;
    const width = this.#chartWidth;
    const looks: RowLooks = {
      model,
      list: this.#list,
      selected: this.#selected,
      selectedPart: this.#selectedPart,
      found: this.#found,
      span: this.#zoom.span,
      width,
      room: width + LABEL_WIDTH,
    };
    const drawn: ChartRow[] = [];
    const current = this.#list.indexOf(model.find(this.#selected), this.#selectedPart);
    this.#rows.draw(place => {
      const row = this.#list.at(place.index);
      if (row) drawn.push({ call: row.call, part: row.part, top: place.top });
      return row && buildRow(row, place, looks);
    }, current);
    markText('found-rows', [this.#layer], this.#text);
    const palette = this.#palette.colours;
    const axis = this.#times.draw(model, this.#zoom, width, palette);
    const legend = new Set<Drawn>(['waiting', 'receiving', 'path']);
    if (drawn.some(({ part }) => part)) legend.add('part');
    if (drawn.some(({ call, part }) => !part && call.state.ticks)) legend.add('piece');
    draw(this.#legend, ...buildLegend(legend));
    const content = { model, span: this.#zoom.span, rows: drawn, axis };
    this.#chart.draw(content, { width, height: this.#scroller.size.height }, palette);
  }

  #buildZoomButtons(): readonly View[] {
    const zoom = (factor: number) => (): void => this.#zoomBy(factor);
    const reset = (): void => this.#changeZoom(() => this.#zoom.reset());
    return [
      h(IconButton, { icon: 'minus', label: 'Zoom out (−)', onClick: zoom(ZOOM) }),
      h(IconButton, { icon: 'plus', label: 'Zoom in (+)', onClick: zoom(1 / ZOOM) }),
      h(IconButton, { icon: 'fit', label: 'Show all of the time (0)', onClick: reset }),
    ];
  }

  /** Scrolls a call into view. */
  #reveal(call: TraceCall): void {
    this.#wanted = '';
    if (this.#list.reveal(this.#model, call) || this.#model.shape !== this.#shape) this.#relist();
    const index = this.#list.indexOf(call, this.#selectedPart);
    if (index < 0) return;
    this.#rows.show(index);
    this.#zoom.show({ from: call.state.at, to: this.#model.endOf(call) });
  }

  /** Selects by key or pointer, and notifies the page. */
  #choose(row: ListedRow | undefined): void {
    if (!row) return;
    const { id } = row.call.state;
    this.#selectedPart = row.part?.id ?? '';
    if (!row.part) {
      this.select(id);
      return this.#host.select(id);
    }
    this.#selected = id;
    this.#wanted = '';
    this.#rows.show(this.#list.indexOf(row.call, row.part.id));
    this.#host.selectPart(id, row.part.id);
    this.#frame.ask();
  }

  #toggle(row: Omit<ListedRow, 'level'>): void {
    if (this.#list.toggle(row)) this.#fold();
  }

  /** Updates after folding: if the selected row is hidden, its nearest visible ancestor is selected. */
  #fold(): void {
    this.#host.partsWanted();
    const selected = this.#model.find(this.#selected);
    const shown = selected && this.#list.shownFor(this.#model, selected);
    this.#relist();
    const isPartHidden = this.#selectedPart !== '' && this.#list.indexOf(selected, this.#selectedPart) < 0;
    if (shown && (shown !== selected || isPartHidden)) this.#choose(this.#list.at(this.#list.indexOf(shown)));
    this.#draw();
  }

  #changeZoom(change: () => void): void {
    change();
    this.#draw();
  }

  #pointerHost(): Parameters<typeof listenToPointer>[2] {
    const rowAt = ({ y }: Place): ListedRow | undefined =>
      this.#list.at(Math.floor((y + this.#scroller.down.offset) / ROW_HEIGHT));
    const isOverChart = ({ x }: Place): boolean =>
      x >= this.#nameWidth && x <= this.#nameWidth + this.#chartWidth;
    return {
      chart: () => this.#chartPlace,
      showsAllRows: () => this.#list.length * ROW_HEIGHT <= this.#scroller.down.view,
      isZoomed: () => this.#zoom.isZoomed,
      press: (place, target) => {
        const row = rowAt(place);
        if (row && target.closest('.parts-toggle')) this.#toggleParts(row);
        else if (row && target.closest('.twist') && this.#list.hasBelow(row)) this.#toggle(row);
        else this.#choose(row);
      },
      openAt: place => {
        const row = rowAt(place);
        if (!row) return;
        if (!isOverChart(place)) this.#host.open(row.call.state.id);
        else this.#changeZoom(() => this.#zoom.fit(this.#spanOf(row)));
      },
      zoom: (factor, share) => this.#changeZoom(() => this.#zoom.zoom(factor, share)),
      pan: share => this.#changeZoom(() => this.#zoom.pan(share)),
      point: share => this.#times.point(share, this.#zoom.span, this.#model.start, this.#chartPlace),
    };
  }

  #spanOf({ call, part }: ListedRow): { readonly from: number; readonly to: number } {
    if (part) return { from: part.at, to: part.until };
    return { from: call.state.at, to: this.#model.endOf(call) };
  }

  #onKey(event: KeyboardEvent): void {
    // The selected row is looked for among all calls that have arrived.
    if (this.#model.shape !== this.#shape) this.#relisting.now();
    const list = this.#list;
    const selected = this.#model.find(this.#selected);
    const index = list.indexOf(selected, this.#selectedPart);
    const row = list.at(index);
    const move = (by: number): void =>
      this.#choose(list.at(Math.max(0, Math.min(list.length - 1, index + by))));
    const zoom = (factor: number) => (): void => this.#zoomBy(factor);
    const pan = (share: number): void => this.#changeZoom(() => this.#zoom.pan(share));
    const actions = new Map<string, () => unknown>([
      ...listMoves(this.#rows.page, move),
      ['ArrowLeft', () => (event.shiftKey ? pan(-PAN) : this.#stepOut(row, index))],
      ['ArrowRight', () => (event.shiftKey ? pan(PAN) : this.#stepIn(row, index))],
      ['+', zoom(1 / ZOOM)],
      ['=', zoom(1 / ZOOM)],
      ['-', zoom(ZOOM)],
      ['_', zoom(ZOOM)],
      ['0', () => this.#changeZoom(() => this.#zoom.reset())],
      ['*', () => row && list.unfoldAll(row.call) && this.#fold()],
      ['p', () => this.#toggleParts(row)],
      ['P', () => this.#toggleParts(row)],
      ['Enter', () => selected && this.#host.open(selected.state.id)],
      ['/', () => this.#host.search()],
    ]);
    actOnKey(event, actions);
  }

  /** Opens a row, or goes to the first one below it. */
  #stepIn(row: ListedRow | undefined, index: number): void {
    if (!row || !this.#list.hasBelow(row)) return;
    if (this.#list.isFolded(row)) this.#toggle(row);
    else this.#choose(this.#list.at(index + 1));
  }

  /** Folds a row, or goes to the one above it. */
  #stepOut(row: ListedRow | undefined, index: number): void {
    if (row && this.#list.hasBelow(row) && !this.#list.isFolded(row)) this.#toggle(row);
    else this.#choose(this.#list.above(index));
  }

  /** Zooms at the selected call. */
  #zoomBy(factor: number): void {
    const at = this.#zoom.shareOf(this.#model.find(this.#selected)?.state.at);
    this.#changeZoom(() => this.#zoom.zoom(factor, at));
  }

  #toggleParts(row: ListedRow | undefined): void {
    if (row && this.#list.toggleParts(row.call)) this.#fold();
  }
}
