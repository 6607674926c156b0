import { countOf, showCount } from '../../../../core/text/count.ts';
import { callGraphSteps, type CallGraph, type Participant } from '../../../../trace/graph/call-graph.ts';
import { layOutGraph } from '../../../../trace/graph/graph-layout.ts';
import { showCycle } from '../../../../core/events/recursion-guard.ts';
import { totalSteps, type TraceTotals } from '../../../../trace/graph/totals.ts';
import { STEP, wholeCallSteps } from '../../../../trace/graph/whole-calls.ts';
import type { TokenUsage } from '../../../../core/events/events.ts';
import type { ReportTokens } from '../../../../wire/timeline-messages.ts';
import { element, setText } from '../../shared/element.ts';
import { Button, IconButton } from '../../shared/buttons.ts';
import { Icon } from '../../shared/icons.ts';
import { actOnKey } from '../../shared/keys.ts';
import { GraphPicture, type Way } from './graph-picture.ts';
import { describeGraph } from './graph-words.ts';
import { TraceModel, type TraceCall } from '../model.ts';
import { drawnFor, readerOf } from '../model-reader.ts';
import { PacedWork } from '../paced-work.ts';
import { TotalsTable } from './totals-table.ts';
import { listColumns, listTotals } from './totals-rows.ts';
import { TokenCounts } from './totals-tokens.ts';
import type { TraceView, ViewHost } from '../view.ts';
import { draw, h, type View } from '../../shared/view.ts';

/** The minimum and maximum scale of the picture, and the factor of a zoom step. */
const LEAST = 0.25;
const MAX = 2;
const ZOOM_STEP = 1.25;

/** The maximum number of marked calls above the selected one; the picture has no more agents than that. */
const MAX_ABOVE = 200;

/** The maximum number of cycles listed above the picture; the table marks all of them. */
const MAX_CYCLES = 8;

/** Shows a trace as a graph of agents and their calls, with a table of totals below. */
export class GraphView implements TraceView {
  readonly name = 'graph';
  readonly title = 'Graph';
  readonly #host: ViewHost;
  readonly #facts = element('p', { class: 'graph-facts muted number' });
  readonly #cycles = element('ul', { class: 'graph-cycles list', attributes: { 'aria-label': 'Cycles' } });
  readonly #zoomButtons = element('div', { class: 'zoom' });
  readonly #picture = new GraphPicture({
    chooseAgent: agents => this.#chooseAgent(agents),
    chooseLine: line => this.#table.chooseOf(line.edges.flatMap(({ calls }) => calls)),
  });
  readonly #table = new TotalsTable({
    choose: call => this.#choose(call),
    open: () => this.#host.open(this.#selected),
  });
  readonly #counts = new TokenCounts((count, calls) => this.#host.countTokens(count, calls));
  readonly #countLine = element('p', { class: 'totals-count muted number' });
  /** The counted tokens of the whole trace. */
  #counted: TokenUsage = {};
  readonly #work = new PacedWork(
    () => this.#drawSteps(),
    state => this.#reportBusy(state),
  );
  readonly root: HTMLElement;
  #model = new TraceModel();
  #trace = '';
  #graph: CallGraph<TraceCall> | undefined;
  /** The edge that each call belongs to. */
  #edges: ReadonlyMap<TraceCall, Way> = new Map();
  #selected = '';
  #found: ReadonlySet<string> | undefined;
  /** The scale that the user chose; undefined fits the picture. */
  #scale: number | undefined;

  constructor(host: ViewHost) {
    this.#host = host;
    const scale = Number(host.stored('graph.zoom'));
    this.#scale = scale >= LEAST && scale <= MAX ? scale : undefined;
    this.root = element(
      'div',
      { class: 'graph' },
      element(
        'div',
        { class: 'graph-head' },
        element('div', { class: 'graph-words-above bar wraps' }, this.#facts, this.#cycles),
        this.#zoomButtons,
      ),
      this.#picture.root,
      this.#countLine,
      this.#table.root,
    );
    draw(this.#zoomButtons, ...this.#buildZoomButtons());
    this.root.addEventListener('keydown', event => this.#onKey(event));
    this.#picture.root.addEventListener('wheel', event => this.#onWheel(event), { passive: false });
    new ResizeObserver(() => this.#fit()).observe(this.#picture.root);
  }

  update(model: TraceModel, changed: ReadonlySet<TraceCall> | 'all'): void {
    this.#model = model;
    if (model.trace !== this.#trace) {
      this.#trace = model.trace;
      this.#graph = undefined;
    }
    if (changed === 'all') this.#work.now();
    else if (changed.size > 0) this.#work.ask();
  }

  tick(model: TraceModel): void {
    this.#model = model;
    this.#work.ask();
  }

  select(call: string): void {
    this.#selected = call;
    const ways = this.#listWays();
    this.#picture.mark(ways);
    this.#table.select(this.#drawn);
    if (ways[0]) this.#picture.reveal(ways[0].to);
  }

  mark(found: ReadonlySet<string> | undefined): void {
    this.#found = found;
    this.#markFound();
  }

  tokensReported(reported: ReportTokens): void {
    if (!this.#counts.take(reported)) return;
    this.#drawCountLine();
    if (reported.calls.length > 0 || reported.share === 1) this.#work.ask();
  }

  focus(): void {
    this.#table.focus();
  }

  /** The drawn call that represents the selected one. */
  get #drawn(): TraceCall | undefined {
    const call = this.#model.find(this.#selected);
    return call && drawnFor(call);
  }

  *#drawSteps(): Generator<undefined, void> {
    yield* this.#counts.followSteps(this.#model);
    const reader = readerOf(this.#model);
    const calls = yield* wholeCallSteps(this.#model.roots, reader);
    const graph = yield* callGraphSteps(calls);
    const totals = yield* totalSteps(calls, { ...reader, countTokens: call => this.#counts.of(call) });
    const edges = new Map<TraceCall, Way>();
    for (const edge of graph.edges)
      for (const call of edge.calls) if (edges.set(call, edge).size % STEP === 0) yield undefined;
    this.#edges = edges;
    this.#draw(graph, totals);
  }

  /** Reports long computations, with a message if nothing of the trace is drawn yet. */
  #reportBusy(state: 'working' | 'done'): void {
    this.root.setAttribute('aria-busy', String(state === 'working'));
    if (state === 'working' && !this.#graph)
      setText(this.#facts, `Adding up ${countOf(this.#model.size, 'call')}…`);
  }

  #draw(graph: CallGraph<TraceCall>, totals: TraceTotals): void {
    const layout = layOutGraph(graph);
    this.#counted = totals.all.counted;
    this.#drawCountLine();
    this.#graph = graph;
    const { depthLimit } = this.#model;
    setText(this.#facts, describeGraph(graph, layout, depthLimit));
    this.#drawCycles(graph);
    this.#table.update(listTotals(graph, totals), listColumns(totals, this.#counts.encoding));
    this.#table.select(this.#drawn);
    this.#picture.show(layout, depthLimit);
    this.#picture.mark(this.#listWays());
    this.#markFound();
    this.#fit();
  }

  /** Marks the edges, and their target agents, that contain a call found by the search. */
  #markFound(): void {
    const ways = new Set<Way>();
    for (const id of this.#found ?? []) {
      const call = this.#model.find(id);
      const way = call && this.#edges.get(drawnFor(call));
      if (way) ways.add(way);
    }
    this.#picture.markFound(ways);
  }

  /** The line over the totals: which tokens are reported, counted or neither, and the button to count them. */
  #drawCountLine(): void {
    const words = this.#counts.describe(this.#counted);
    const label = this.#counts.nameAction();
    const onClick = (): void => {
      this.#counts.toggle();
      this.#drawCountLine();
    };
    this.#countLine.hidden = words === '';
    draw(
      this.#countLine,
      h('span', { role: 'status' }, words),
      label !== undefined && h(Button, { class: 'link', label, onClick }),
    );
  }

  #drawCycles({ cycles, cyclesLeftOut }: CallGraph<TraceCall>): void {
    const shown = cycles.slice(0, MAX_CYCLES);
    const more = cycles.length - shown.length;
    this.#cycles.hidden = shown.length === 0;
    draw(
      this.#cycles,
      ...shown.map(({ path, calls }) => {
        const times = calls.length > 1 ? ` · ${showCount(calls.length)} times` : '';
        const title = 'Select the call that closes this cycle';
        const onClick = (): void => this.#table.chooseOf(calls);
        const words = h('span', {}, `${showCycle(path)}${times}`);
        const button = { type: 'button', class: 'link cycle', title, onClick } as const;
        return h('li', { key: JSON.stringify(path) }, h('button', button, h(Icon, { name: 'cycle' }), words));
      }),
      more > 0 && h('li', { class: 'muted' }, describeMore(more, cyclesLeftOut)),
    );
  }

  #chooseAgent(agents: readonly Participant[]): void {
    const edges = this.#graph?.edges ?? [];
    // A box can represent a hundred thousand agents, so a set is used.
    const chosen = new Set(agents);
    const calls = edges.filter(({ to }) => chosen.has(to)).flatMap(edge => edge.calls);
    // An agent that is never called is represented by its own calls.
    const own =
      calls.length > 0 ? calls : edges.filter(({ from }) => chosen.has(from)).flatMap(edge => edge.calls);
    this.#table.chooseOf(own);
  }

  #choose(call: TraceCall): void {
    this.select(call.state.id);
    this.#host.select(call.state.id);
  }

  /** The edges of the selected call and of the calls above it, the nearest first. */
  #listWays(): readonly Way[] {
    const selected = this.#drawn;
    if (!selected) return [];
    const ways: Way[] = [];
    for (let at: TraceCall | undefined = selected; at && ways.length < MAX_ABOVE; at = at.parent) {
      if (at.state.isView && at.parent) continue;
      const edge = this.#edges.get(at);
      if (edge) ways.push(edge);
    }
    return ways;
  }

  /** Fits the picture to the width, at a scale of at least 0.75, unless the user chose a scale. */
  #fit(): void {
    const { width } = this.#picture.size;
    const room = this.#picture.root.clientWidth;
    const fitting = width > 0 && room > 0 ? Math.min(1, Math.max(0.75, room / width)) : 1;
    this.#picture.zoom(this.#scale ?? fitting);
  }

  #zoom(by: number): void {
    const { width } = this.#picture.size;
    const fitting = Math.min(1, this.#picture.root.clientWidth / Math.max(1, width));
    const scale = by === 0 ? undefined : Math.max(LEAST, Math.min(MAX, (this.#scale ?? fitting) * by));
    this.#scale = scale;
    this.#host.keep('graph.zoom', scale === undefined ? '' : String(scale));
    this.#fit();
  }

  #onWheel(event: WheelEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.deltaY === 0) return;
    this.#zoom(Math.exp(Math.max(-0.5, Math.min(0.5, -event.deltaY / 400))));
    event.preventDefault();
    event.stopPropagation();
  }

  #onKey(event: KeyboardEvent): void {
    const actions = new Map<string, () => void>([
      ['+', () => this.#zoom(ZOOM_STEP)],
      ['=', () => this.#zoom(ZOOM_STEP)],
      ['-', () => this.#zoom(1 / ZOOM_STEP)],
      ['0', () => this.#zoom(0)],
    ]);
    actOnKey(event, actions);
  }

  #buildZoomButtons(): readonly View[] {
    const zoom = (by: number) => (): void => this.#zoom(by);
    return [
      h(IconButton, { icon: 'minus', label: 'Draw smaller (−)', onClick: zoom(1 / ZOOM_STEP) }),
      h(IconButton, { icon: 'plus', label: 'Draw larger (+)', onClick: zoom(ZOOM_STEP) }),
      h(IconButton, { icon: 'fit', label: 'Fit the picture in (0)', onClick: zoom(0) }),
    ];
  }
}

function describeMore(cycles: number, leftOut: number): string {
  const uncounted = leftOut > 0 ? `, and ${countOf(leftOut, 'call')} that close others` : '';
  return `${showCount(cycles)} more${uncounted}; the table marks who takes part`;
}
