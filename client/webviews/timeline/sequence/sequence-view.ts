import {
  SequenceDiagram,
  makeSequenceDiagram,
  type SequenceStep,
} from '../../../../trace/graph/sequence-diagram.ts';
import { countOf } from '../../../../core/text/count.ts';
import { wholeCallSteps } from '../../../../trace/graph/whole-calls.ts';
import { element, setText } from '../../shared/element.ts';
import { Redraw } from '../../shared/redraw.ts';
import { actOnKey, listMoves } from '../../shared/keys.ts';
import { VirtualList } from '../../shared/virtual-list.ts';
import { offsetShowing, type Rows } from '../../shared/virtual-rows.ts';
import { Drawing } from '../drawing.ts';
import { TraceModel, type TraceCall } from '../model.ts';
import { drawnFor, readerOf } from '../model-reader.ts';
import { PacedWork } from '../paced-work.ts';
import { ThemePalette } from '../palette.ts';
import { drawSequence, STEP_HEIGHT, type LanePlaces, type SequenceContent } from './sequence-chart.ts';
import { buildStep, TIMES, type StepLooks } from './sequence-rows.ts';
import { nameOfAgents } from '../graph/graph-words.ts';
import type { TraceView, ViewHost } from '../view.ts';
import { markText } from '../../shared/mark-text.ts';
import { draw, h } from '../../shared/view.ts';

/** Pixels between lanes. */
const PITCH = { least: 132, most: 280 } as const;

/**
 * Shows a trace as a sequence diagram: one lane per agent, with calls and replies from top to bottom in order
 * of time.
 */
export class SequenceView implements TraceView {
  readonly name = 'sequence';
  readonly title = 'Sequence';
  readonly #host: ViewHost;
  readonly #chart = new Drawing('sequence-chart', drawSequence);
  readonly #layer = element('div', { class: 'row-layer', role: 'presentation' });
  readonly #port = element(
    'div',
    {
      class: 'sequence-steps',
      role: 'listbox',
      attributes: { tabindex: '0', 'aria-label': 'Calls and replies in the order of time' },
    },
    this.#chart.root,
    this.#layer,
  );
  readonly #lanes = element('div', { class: 'lanes' });
  readonly #head = element(
    'div',
    { class: 'sequence-head', attributes: { 'aria-hidden': 'true' } },
    this.#lanes,
  );
  readonly #steps = new VirtualList({
    port: this.#port,
    layer: this.#layer,
    height: STEP_HEIGHT,
    name: 'step',
    onScroll: () => this.#draw(),
    onResize: () => this.#layOut(),
  });
  readonly #scroller = this.#steps.scroller;
  readonly #palette = new ThemePalette(() => this.#frame.ask());
  readonly #frame = new Redraw(() => this.#draw());
  readonly #working = element('p', { class: 'sequence-working muted', role: 'status' });
  readonly #work = new PacedWork(
    () => this.#makeSteps(),
    state => this.#reportBusy(state),
  );
  readonly root = element('div', { class: 'sequence stack' }, this.#head, this.#working, this.#scroller.root);
  #model = new TraceModel();
  #trace = '';
  #diagram = makeSequenceDiagram<TraceCall>([]);
  #selected = '';
  #found: ReadonlySet<string> | undefined;
  /** The text of the search. */
  #text = '';
  /** The index of the step with the cursor. */
  #current = -1;
  /** True until the selected call is scrolled into view. */
  #isWanted = false;

  constructor(host: ViewHost) {
    this.#host = host;
    this.#working.hidden = true;
    this.#port.addEventListener('keydown', event => this.#onKey(event));
    this.#port.addEventListener('click', event => this.#choose(this.#steps.indexUnder(event)));
    this.#port.addEventListener('dblclick', event => {
      const step = this.#diagram.at(this.#steps.indexUnder(event));
      if (step) this.#host.open(step.call.state.id);
    });
  }

  update(model: TraceModel, changed: ReadonlySet<TraceCall> | 'all'): void {
    this.#model = model;
    if (model.trace !== this.#trace) {
      this.#trace = model.trace;
      this.#diagram = makeSequenceDiagram([]);
      this.#scroller.moveTo({ top: 0, left: 0 });
    }
    if (changed === 'all') this.#work.now();
    else if (changed.size > 0) this.#work.ask();
  }

  select(call: string): void {
    this.#selected = call;
    this.#isWanted = true;
    this.#follow();
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

  *#makeSteps(): Generator<undefined, void> {
    const calls = yield* wholeCallSteps(this.#model.roots, readerOf(this.#model));
    this.#show(yield* SequenceDiagram.steps(calls));
  }

  /** Reports long computations, with a message if nothing of the trace is drawn yet. */
  #reportBusy(state: 'working' | 'done'): void {
    const isNew = state === 'working' && this.#diagram.length === 0;
    this.root.setAttribute('aria-busy', String(state === 'working'));
    setText(this.#working, isNew ? `Putting ${countOf(this.#model.size, 'call')} in order…` : '');
    this.#working.hidden = !isNew;
  }

  #show(diagram: SequenceDiagram<TraceCall>): void {
    const { offset } = this.#scroller.down;
    const top = offset === 0 ? undefined : this.#diagram.at(Math.floor(offset / STEP_HEIGHT));
    this.#diagram = diagram;
    this.#drawLanes();
    this.#layOut();
    this.#keepPlace(top, offset % STEP_HEIGHT);
    const call = this.#drawn;
    const step = this.#diagram.at(this.#current);
    if (!call || step?.call !== call) this.#follow();
    else if (this.#isWanted) this.#reveal();
    this.#draw();
  }

  /** Scrolls so that the step at the top stays there, whatever was inserted before it. */
  #keepPlace(top: SequenceStep<TraceCall> | undefined, rest: number): void {
    if (!top) return;
    const places = this.#diagram.find(top.call);
    const index = top.kind === 'call' ? places.call : places.reply;
    this.#steps.keepTop(index, rest);
  }

  /** The drawn call that represents the selected one. */
  get #drawn(): TraceCall | undefined {
    const call = this.#model.find(this.#selected);
    return call && drawnFor(call);
  }

  /** Moves the cursor to the selected call. */
  #follow(): void {
    const call = this.#drawn;
    const places = call ? this.#diagram.find(call) : { call: -1, reply: -1 };
    if (this.#current < 0 || (this.#current !== places.call && this.#current !== places.reply))
      this.#current = places.call;
    if (this.#isWanted) this.#reveal();
  }

  #reveal(): void {
    if (this.#current < 0 || this.#scroller.size.height === 0) return;
    this.#isWanted = false;
    const { across } = this.#scroller;
    const step = this.#diagram.at(this.#current);
    this.#steps.show(this.#current);
    const columns: Rows = { count: this.#diagram.lanes.length, size: this.#pitch };
    const lane = Math.min(step?.from ?? 0, step?.to ?? 0);
    this.#scroller.moveTo({ left: offsetShowing(columns, across.view, across.offset, lane) });
  }

  get #pitch(): number {
    const room = this.#scroller.size.width - TIMES;
    const fitting = room / Math.max(1, this.#diagram.lanes.length);
    return Math.max(PITCH.least, Math.min(PITCH.most, fitting));
  }

  get #lanePlaces(): LanePlaces {
    const [pitch, left] = [this.#pitch, this.#scroller.across.offset];
    return { count: this.#diagram.lanes.length, xOf: lane => TIMES + pitch * (lane + 0.5) - left };
  }

  #drawLanes(): void {
    const lanes = this.#diagram.lanes.map(lane => {
      const name = nameOfAgents(lane.agents);
      return h(
        'div',
        { class: lane.agents[0] === undefined ? 'lane client muted clip' : 'lane clip', title: name },
        name,
      );
    });
    draw(this.#lanes, ...lanes);
  }

  /** Lays out again after a change of size or content. */
  #layOut(): void {
    const pitch = this.#pitch;
    const width = TIMES + pitch * this.#diagram.lanes.length;
    this.#steps.count = this.#diagram.length;
    this.#scroller.resize({ width, height: this.#diagram.length * STEP_HEIGHT }, { width: 0, height: 0 });
    this.root.style.setProperty('--pitch', `${pitch}px`);
    if (this.#isWanted) this.#reveal();
    this.#draw();
  }

  #draw(): void {
    const { across, size } = this.#scroller;
    const diagram = this.#diagram;
    const lanes = this.#lanePlaces;
    const selected = this.#drawn;
    const looks: StepLooks = {
      model: this.#model,
      diagram,
      lanes,
      pitch: this.#pitch,
      width: size.width,
      current: this.#current,
      selected,
      found: this.#found,
    };
    const steps: SequenceContent['steps'][number][] = [];
    this.#steps.draw(place => {
      const step = diagram.at(place.index);
      if (step) steps.push({ step, top: place.top });
      return step && buildStep(step, place, looks);
    }, this.#current);
    markText('found-steps', [this.#layer], this.#text);
    const { first, end } = this.#steps.window;
    const topOf = (step: number): number => this.#steps.topOf(step);
    const content = { lanes, steps, activity: diagram.activity(first, end), topOf, selected };
    this.#chart.draw(content, size, this.#palette.colours);
    this.#lanes.style.transform = `translateX(${TIMES - across.offset}px)`;
  }

  /** Selects by key or pointer, and notifies the page. */
  #choose(index: number): void {
    const step = this.#diagram.at(index);
    if (!step) return;
    this.#current = index;
    this.select(step.call.state.id);
    this.#host.select(step.call.state.id);
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#diagram.length - 1;
    const to = (index: number): void => this.#choose(Math.max(0, Math.min(last, index)));
    const call = this.#drawn;
    const places = call ? this.#diagram.find(call) : { call: -1, reply: -1 };
    const actions = new Map<string, () => unknown>([
      ...listMoves(this.#steps.page, by => to(this.#current + by)),
      // Moves from a reply to its call, and back.
      ['ArrowLeft', () => places.call >= 0 && to(places.call)],
      ['ArrowRight', () => places.reply >= 0 && to(places.reply)],
      ['Enter', () => call && this.#host.open(call.state.id)],
    ]);
    actOnKey(event, actions);
  }
}
