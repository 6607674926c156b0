import type { Participant } from '../../../../trace/graph/call-graph.ts';
import type { GraphBox, GraphLayout, GraphLine } from '../../../../trace/graph/graph-layout.ts';
import { element, setAttribute, setText } from '../../shared/element.ts';
import { buildIcon } from '../../shared/icon.ts';
import { BOX, isStraight, pathOf, placeOf, sizeOf, type LineSlot } from './graph-paths.ts';
import { describeBox, describeLine, explainLine, nameOfBox } from './graph-words.ts';
import type { TraceCall } from '../model.ts';
import { svgElement } from '../../shared/svg.ts';

/** An edge between two participants; it identifies what is selected. */
export interface Way {
  readonly from: Participant;
  readonly to: Participant;
}

/** Callbacks for presses of the user. */
export interface PictureHost {
  chooseAgent(agents: readonly Participant[]): void;
  chooseLine(line: GraphLine<TraceCall>): void;
}

/** The state that is drawn besides the layout. */
export interface PictureLooks {
  readonly depthLimit: number;
  /** The edges of the selected call and of the calls above it, the nearest first. */
  readonly ways: readonly Way[];
}

interface BoxParts {
  readonly root: HTMLElement;
  readonly name: HTMLElement;
  readonly depth: HTMLElement;
  readonly facts: HTMLElement;
  box: GraphBox;
  shown: string;
}

interface LineParts {
  readonly root: SVGGElement;
  readonly words: SVGGElement;
  readonly tip: SVGTitleElement;
  readonly ways: readonly SVGPathElement[];
  readonly head: SVGPathElement;
  readonly calls: SVGTextElement;
  readonly outcome: SVGTextElement;
  line: GraphLine<TraceCall>;
}

/**
 * The picture of a call graph: a box per agent, and a line for the calls between two agents. It is hidden
 * from screen readers, because the table below contains the same information. Elements are reused while the
 * trace grows, so that nothing moves under the pointer.
 */
export class GraphPicture {
  readonly #host: PictureHost;
  readonly #ways = svgElement('g', {});
  /** The labels are above all lines, so that no line crosses them out. */
  readonly #words = svgElement('g', { class: 'graph-words' });
  readonly #lines = svgElement(
    'svg',
    { class: 'graph-lines', 'aria-hidden': 'true' },
    this.#ways,
    this.#words,
  );
  readonly #canvas = element('div', { class: 'graph-canvas', attributes: { 'aria-hidden': 'true' } });
  readonly root = element('div', { class: 'graph-port' }, this.#canvas);
  readonly #boxes = new Map<Participant, BoxParts>();
  readonly #drawn = new Map<Participant, Map<Participant, LineParts>>();
  #scale = 1;
  #size = { width: 0, height: 0 };

  constructor(host: PictureHost) {
    this.#host = host;
    this.#canvas.append(this.#lines);
  }

  get size(): { readonly width: number; readonly height: number } {
    return this.#size;
  }

  /** Sets the scale of the picture. */
  zoom(scale: number): void {
    this.#scale = scale;
    this.#canvas.style.zoom = String(scale);
  }

  /** Removes everything before another trace is shown. */
  clear(): void {
    for (const { root } of this.#boxes.values()) root.remove();
    this.#ways.replaceChildren();
    this.#words.replaceChildren();
    this.#boxes.clear();
    this.#drawn.clear();
  }

  draw(layout: GraphLayout<TraceCall>, looks: PictureLooks): void {
    this.#size = sizeOf(layout);
    const { width, height } = this.#size;
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    setAttribute(this.#lines, 'width', String(width));
    setAttribute(this.#lines, 'height', String(height));
    this.#dropBoxes(layout.boxes);
    for (const box of layout.boxes) this.#drawBox(box, looks.depthLimit);
    const slots = findSlots(layout.lines);
    this.#dropLines(layout.lines);
    for (const line of layout.lines) this.#drawLine(line, slots.get(line) ?? { number: 0, of: 1 });
    this.mark(looks.ways);
  }

  /** Marks the agent and the line of the selected call, and more faintly the lines of the calls above it. */
  mark(ways: readonly Way[]): void {
    const [selected] = ways;
    const isOn = (line: GraphLine<TraceCall>, { from, to }: Way): boolean =>
      line.edges.some(edge => edge.from === from && edge.to === to);
    for (const { root, box } of this.#boxes.values())
      root.classList.toggle(
        'selected',
        selected !== undefined && box.nodes.some(({ agent }) => agent === selected.to),
      );
    for (const lines of this.#drawn.values()) {
      for (const { root, words, line } of lines.values()) {
        const isSelected = selected !== undefined && isOn(line, selected);
        const isAbove = ways.slice(1).some(way => isOn(line, way));
        for (const part of [root, words]) part.classList.toggle('selected', isSelected);
        root.classList.toggle('above', isAbove);
      }
    }
  }

  /** Marks the matches of the search, which are edges of the last drawn layout. */
  markFound(found: ReadonlySet<Way>): void {
    const agents = new Set([...found].map(({ to }) => to));
    for (const { root, box } of this.#boxes.values())
      root.classList.toggle(
        'found',
        box.nodes.some(({ agent }) => agents.has(agent)),
      );
    for (const lines of this.#drawn.values())
      for (const { words, line } of lines.values())
        words.classList.toggle(
          'found',
          line.edges.some(edge => found.has(edge)),
        );
  }

  /** Scrolls an agent into view. */
  reveal(agent: Participant): void {
    const box = [...this.#boxes.values()].find(({ box: { nodes } }) =>
      nodes.some(node => node.agent === agent),
    );
    if (!box) return;
    const { x, y } = placeOf(box.box);
    const [left, top] = [x * this.#scale, y * this.#scale];
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.root;
    const seen = (start: number, length: number, offset: number, view: number): number => {
      if (start < offset) return Math.max(0, start - 16);
      return start + length + 16 > offset + view ? start + length + 16 - view : offset;
    };
    this.root.scrollLeft = seen(left, BOX.width * this.#scale, scrollLeft, clientWidth);
    this.root.scrollTop = seen(top, BOX.height * this.#scale, scrollTop, clientHeight);
  }

  #dropBoxes(boxes: readonly GraphBox[]): void {
    const stored = new Set(boxes.map(keyOf));
    for (const [key, { root }] of this.#boxes) {
      if (stored.has(key)) continue;
      root.remove();
      this.#boxes.delete(key);
    }
  }

  #drawBox(box: GraphBox, depthLimit: number): void {
    const key = keyOf(box);
    const parts = this.#boxes.get(key) ?? this.#addBox(key, box);
    parts.box = box;
    const name = nameOfBox(box);
    setText(parts.name, name);
    const facts = describeBox(box, depthLimit);
    const shown = JSON.stringify([name, facts]);
    if (shown === parts.shown) return;
    parts.shown = shown;
    const { depth, isOver, parts: words } = facts;
    parts.root.title = `${name}: ${[...words.map(({ text }) => text), depth].filter(Boolean).join(', ')}`;
    parts.facts.replaceChildren(...words.map(({ text, kind }) => element('span', { class: kind }, text)));
    parts.depth.hidden = depth === '';
    parts.depth.className = isOver ? 'box-depth failed' : 'box-depth';
    parts.depth.replaceChildren(buildIcon('depth'), element('span', {}, depth.replace('depth ', '')));
    const { x, y } = placeOf(box);
    parts.root.style.transform = `translate(${x}px, ${y}px)`;
  }

  #addBox(key: Participant, box: GraphBox): BoxParts {
    const [name, facts] = [element('span', { class: 'box-name' }), element('span', { class: 'box-facts' })];
    const depth = element('span', { class: 'box-depth' });
    const isClient = box.nodes.length === 1 && key === undefined;
    const parts: BoxParts = {
      root: element(
        'div',
        { class: `graph-box${isClient ? ' client' : ''}` },
        element('span', { class: 'box-head' }, name, depth),
        facts,
      ),
      name,
      depth,
      facts,
      box,
      shown: '',
    };
    parts.root.addEventListener('pointerdown', event => {
      if (event.button === 0) this.#host.chooseAgent(parts.box.nodes.map(({ agent }) => agent));
    });
    this.#boxes.set(key, parts);
    this.#canvas.append(parts.root);
    return parts;
  }

  #dropLines(lines: readonly GraphLine<TraceCall>[]): void {
    const stored = new Map<Participant, Set<Participant>>();
    for (const { from, to } of lines)
      stored.set(keyOf(from), (stored.get(keyOf(from)) ?? new Set()).add(keyOf(to)));
    for (const [from, drawn] of this.#drawn) {
      for (const [to, { root, words }] of drawn) {
        if (stored.get(from)?.has(to)) continue;
        root.remove();
        words.remove();
        drawn.delete(to);
      }
    }
  }

  #drawLine(line: GraphLine<TraceCall>, slot: LineSlot): void {
    const [from, to] = [keyOf(line.from), keyOf(line.to)];
    const parts = this.#drawn.get(from)?.get(to) ?? this.#addLine(from, to, line);
    parts.line = line;
    const { way, head, label, room } = pathOf(line, slot);
    for (const path of parts.ways) setAttribute(path, 'd', way);
    setAttribute(parts.head, 'd', head);
    const { calls, outcome, hasFailed } = describeLine(line);
    // If lines are close together, there is space for only one line of text, or for none.
    const isAlone = room === 'short' && slot.of === 1;
    setText(parts.calls, room === 'long' ? `${calls} · ${outcome}` : calls);
    setText(parts.outcome, isAlone ? outcome : '');
    for (const text of [parts.calls, parts.outcome]) setAttribute(text, 'x', String(label.x));
    setAttribute(parts.calls, 'y', String(label.y - 4));
    setAttribute(parts.outcome, 'y', String(label.y + 13));
    setText(parts.tip, explainLine(line));
    const isInCycle = line.edges.some(edge => edge.isInCycle);
    for (const part of [parts.root, parts.words]) {
      part.classList.toggle('failed', hasFailed);
      part.classList.toggle('cycle', isInCycle);
      part.classList.toggle('crowded', slot.of > MAX_LABELS);
    }
  }

  #addLine(from: Participant, to: Participant, line: GraphLine<TraceCall>): LineParts {
    // The wide path is the target of pointer presses.
    const [press, way] = [svgElement('path', { class: 'press' }), svgElement('path', { class: 'way' })];
    const head = svgElement('path', { class: 'head' });
    const [calls, outcome] = [
      svgElement('text', { class: 'label', 'text-anchor': 'middle' }),
      svgElement('text', { class: 'label outcome', 'text-anchor': 'middle' }),
    ];
    const tip = svgElement('title', {});
    const root = svgElement('g', { class: 'graph-line' }, tip, press, way, head);
    const words = svgElement('g', { class: 'graph-line' }, calls, outcome);
    const parts: LineParts = { root, words, tip, ways: [press, way], head, calls, outcome, line };
    root.addEventListener('pointerdown', event => {
      if (event.button === 0) this.#host.chooseLine(parts.line);
    });
    const drawn = this.#drawn.get(from) ?? new Map<Participant, LineParts>();
    this.#drawn.set(from, drawn.set(to, parts));
    this.#ways.append(root);
    this.#words.append(words);
    return parts;
  }
}

/** A box is identified by its first agent, because grouped agents stay in one group. */
function keyOf({ nodes }: GraphBox): Participant {
  return nodes[0]?.agent;
}

/**
 * The maximum number of lines in one place that are all labelled. Beyond it, only pointed or selected lines
 * show their label.
 */
const MAX_LABELS = 3;

/** Assigns each line its number among the lines that run beside it. */
function findSlots(lines: readonly GraphLine<TraceCall>[]): ReadonlyMap<GraphLine<TraceCall>, LineSlot> {
  const straight = new Map<GraphBox, GraphLine<TraceCall>[]>();
  const around = new Map<number, GraphLine<TraceCall>[]>();
  const add = <Key>(groups: Map<Key, GraphLine<TraceCall>[]>, key: Key, line: GraphLine<TraceCall>): void => {
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  };
  for (const line of lines) {
    if (isStraight(line)) add(straight, line.to, line);
    else add(around, line.from.row, line);
  }
  for (const group of straight.values()) group.sort((one, other) => one.from.row - other.from.row);
  const slots = new Map<GraphLine<TraceCall>, LineSlot>();
  for (const group of [...straight.values(), ...around.values()])
    for (const [number, line] of group.entries()) slots.set(line, { number, of: group.length });
  return slots;
}
