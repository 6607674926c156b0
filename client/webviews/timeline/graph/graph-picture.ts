import type { Participant } from '../../../../trace/graph/call-graph.ts';
import type { GraphBox, GraphLayout, GraphLine } from '../../../../trace/graph/graph-layout.ts';
import { element } from '../../shared/element.ts';
import { Icon } from '../../shared/icons.ts';
import { BOX, isStraight, pathOf, placeOf, sizeOf, type LinePath, type LineSlot } from './graph-paths.ts';
import { describeBox, describeLine, explainLine, nameOfBox } from './graph-words.ts';
import type { TraceCall } from '../model.ts';
import { draw, h, type View } from '../../shared/view.ts';

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

type Line = GraphLine<TraceCall>;

const EMPTY: GraphLayout<TraceCall> = { boxes: [], lines: [], columns: 0, rows: 0, leftOut: 0 };

/**
 * The picture of a call graph: a box per agent, and a line for the calls between two agents. It is hidden
 * from screen readers, because the table below contains the same information.
 */
export class GraphPicture {
  readonly #host: PictureHost;
  readonly #canvas = element('div', { class: 'graph-canvas', attributes: { 'aria-hidden': 'true' } });
  readonly root = element('div', { class: 'graph-port' }, this.#canvas);
  #layout = EMPTY;
  #depthLimit = 0;
  #scale = 1;
  /** The edges of the selected call and of the calls above it, the nearest first. */
  #ways: readonly Way[] = [];
  /** The edges of the calls that the search found. */
  #found: ReadonlySet<Way> = new Set();

  constructor(host: PictureHost) {
    this.#host = host;
  }

  get size(): { readonly width: number; readonly height: number } {
    return sizeOf(this.#layout);
  }

  /** Sets the scale of the picture. */
  zoom(scale: number): void {
    this.#scale = scale;
    this.#canvas.style.zoom = String(scale);
  }

  show(layout: GraphLayout<TraceCall>, depthLimit: number): void {
    this.#layout = layout;
    this.#depthLimit = depthLimit;
    this.#draw();
  }

  /** Marks the agent and the line of the selected call, and more faintly the lines of the calls above it. */
  mark(ways: readonly Way[]): void {
    this.#ways = ways;
    this.#draw();
  }

  /** Marks the matches of the search, which are edges of the shown layout. */
  markFound(found: ReadonlySet<Way>): void {
    this.#found = found;
    this.#draw();
  }

  /** Scrolls an agent into view. */
  reveal(agent: Participant): void {
    const box = this.#layout.boxes.find(({ nodes }) => nodes.some(node => node.agent === agent));
    if (!box) return;
    const { x, y } = placeOf(box);
    const [left, top] = [x * this.#scale, y * this.#scale];
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.root;
    const seen = (start: number, length: number, offset: number, view: number): number => {
      if (start < offset) return Math.max(0, start - 16);
      return start + length + 16 > offset + view ? start + length + 16 - view : offset;
    };
    this.root.scrollLeft = seen(left, BOX.width * this.#scale, scrollLeft, clientWidth);
    this.root.scrollTop = seen(top, BOX.height * this.#scale, scrollTop, clientHeight);
  }

  #draw(): void {
    const { boxes, lines } = this.#layout;
    const { width, height } = this.size;
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    const slots = findSlots(lines);
    const [ways, labels]: [View[], View[]] = [[], []];
    for (const line of lines) {
      const slot = slots.get(line) ?? { number: 0, of: 1 };
      const path = pathOf(line, slot);
      const key = keyOf(line.from) + keyOf(line.to);
      ways.push(this.#buildLine(line, slot, path, key));
      labels.push(this.#buildLabel(line, slot, path, key));
    }
    // The labels are above all lines, so that no line crosses them out.
    const groups = [h('g', {}, ways), h('g', { class: 'graph-words' }, labels)];
    draw(
      this.#canvas,
      h('svg', { class: 'graph-lines', 'aria-hidden': true, width, height }, groups),
      boxes.map(box => this.#buildBox(box)),
    );
  }

  #buildBox(box: GraphBox): View {
    const { nodes } = box;
    const name = nameOfBox(box);
    const { depth, isOver, parts } = describeBox(box, this.#depthLimit);
    const { x, y } = placeOf(box);
    const [selected] = this.#ways;
    const found = [...this.#found];
    const classes = [
      'graph-box',
      nodes.length === 1 && nodes[0]?.agent === undefined ? 'client' : '',
      selected && nodes.some(({ agent }) => agent === selected.to) ? 'selected' : '',
      nodes.some(({ agent }) => found.some(({ to }) => to === agent)) ? 'found' : '',
    ];
    return h(
      'div',
      {
        key: keyOf(box),
        class: classes.filter(Boolean).join(' '),
        style: `transform: translate(${x}px, ${y}px)`,
        title: `${name}: ${[...parts.map(({ text }) => text), depth].filter(Boolean).join(', ')}`,
        onPointerDown: event => {
          if (event.button === 0) this.#host.chooseAgent(nodes.map(({ agent }) => agent));
        },
      },
      h(
        'span',
        { class: 'box-head' },
        h('span', { class: 'box-name clip' }, name),
        depth !== '' &&
          h(
            'span',
            { class: isOver ? 'box-depth muted failed' : 'box-depth muted' },
            h(Icon, { name: 'depth' }),
            h('span', {}, depth.replace('depth ', '')),
          ),
      ),
      h(
        'span',
        { class: 'box-facts muted number' },
        parts.map(({ text, kind }) => h('span', { class: `clip ${kind}` }, text)),
      ),
    );
  }

  #buildLine(line: Line, slot: LineSlot, { way, head }: LinePath, key: string): View {
    const onPointerDown = (event: PointerEvent): void => {
      if (event.button === 0) this.#host.chooseLine(line);
    };
    return h(
      'g',
      { key, class: this.#classOf(line, slot), onPointerDown },
      h('title', {}, explainLine(line)),
      // The wide path is the target of pointer presses.
      h('path', { class: 'press', d: way }),
      h('path', { class: 'way', d: way }),
      h('path', { class: 'head', d: head }),
    );
  }

  #buildLabel(line: Line, slot: LineSlot, { label, room }: LinePath, key: string): View {
    const { calls, outcome } = describeLine(line);
    // If lines are close together, there is space for only one line of text, or for none.
    const isAlone = room === 'short' && slot.of === 1;
    const place = { x: label.x, 'text-anchor': 'middle' } as const;
    return h(
      'g',
      { key, class: this.#classOf(line, slot) },
      h(
        'text',
        { class: 'label', ...place, y: label.y - 4 },
        room === 'long' ? `${calls} · ${outcome}` : calls,
      ),
      h('text', { class: 'label outcome', ...place, y: label.y + 13 }, isAlone ? outcome : ''),
    );
  }

  #classOf(line: Line, slot: LineSlot): string {
    const isOn = ({ from, to }: Way): boolean =>
      line.edges.some(edge => edge.from === from && edge.to === to);
    const [selected, ...above] = this.#ways;
    const classes = [
      'graph-line',
      describeLine(line).hasFailed ? 'failed' : '',
      line.edges.some(edge => edge.isInCycle) ? 'cycle' : '',
      slot.of > MAX_LABELS ? 'crowded' : '',
      selected && isOn(selected) ? 'selected' : '',
      above.some(isOn) ? 'above' : '',
      line.edges.some(edge => this.#found.has(edge)) ? 'found' : '',
    ];
    return classes.filter(Boolean).join(' ');
  }
}

/** A box is identified by its first agent, because grouped agents stay in one group. */
function keyOf({ nodes }: GraphBox): string {
  return JSON.stringify([nodes[0]?.agent ?? null]);
}

/**
 * The maximum number of lines in one place that are all labelled. Beyond it, only pointed or selected lines
 * show their label.
 */
const MAX_LABELS = 3;

/** Assigns each line its number among the lines that run beside it. */
function findSlots(lines: readonly Line[]): ReadonlyMap<Line, LineSlot> {
  const straight = new Map<GraphBox, Line[]>();
  const around = new Map<number, Line[]>();
  const add = <Key>(groups: Map<Key, Line[]>, key: Key, line: Line): void => {
    const group = groups.get(key);
    if (group) group.push(line);
    else groups.set(key, [line]);
  };
  for (const line of lines) {
    if (isStraight(line)) add(straight, line.to, line);
    else add(around, line.from.row, line);
  }
  for (const group of straight.values()) group.sort((one, other) => one.from.row - other.from.row);
  const slots = new Map<Line, LineSlot>();
  for (const group of [...straight.values(), ...around.values()])
    for (const [number, line] of group.entries()) slots.set(line, { number, of: group.length });
  return slots;
}
