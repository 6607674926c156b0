import './timeline.css';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { TraceFold } from '../../../protocol/src/trace/fold.ts';
import type { CallNode } from '../../../protocol/src/trace/tree.ts';
import {
  isToTimeline,
  type FromTimeline,
  type ToTimeline,
} from '../../../protocol/src/wire/timeline-messages.ts';
import { element } from '../shared/element.ts';
import { FrameTask } from '../shared/frame-task.ts';
import { connectHost } from '../shared/host.ts';
import { DetailsView } from './details-view.ts';
import { buildWaterfall } from './rows.ts';
import { RowsView } from './rows-view.ts';

/** The page of the timeline: a trace as a waterfall, and the selected call beside it. */
class TimelinePage {
  readonly #host = connectHost<ToTimeline, FromTimeline>(isToTimeline, message => this.#receive(message));
  readonly #rows = new RowsView({ onSelect: call => this.#select(call) });
  readonly #details = new DetailsView({
    onOpenSource: call => this.#host.post({ type: 'openSource', call }),
  });
  readonly #empty = element(
    'p',
    { class: 'empty' },
    'The traces were cleared. Send a request, and click it in the Traces view to see it here.',
  );
  readonly #root: HTMLElement;
  #fold = new TraceFold();
  #trace = '';
  #selected = '';
  /** However much comes between two frames, it is drawn once. */
  readonly #frame = new FrameTask(() => this.#draw());

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#host.post({ type: 'ready' });
  }

  #receive(message: ToTimeline): void {
    switch (message.type) {
      case 'show':
        if (message.trace !== this.#trace || message.selected !== this.#selected)
          this.#details.root.scrollTop = 0;
        this.#fold = new TraceFold();
        this.#trace = message.trace;
        this.#selected = message.selected;
        this.#add(message.events);
        return;
      case 'add':
        if (message.trace === this.#trace) this.#add(message.events);
        return;
      case 'clear':
        this.#trace = '';
        this.#root.replaceChildren(this.#empty);
        return;
    }
  }

  #add(events: readonly TraceEvent[]): void {
    for (const event of events) this.#fold.add(event);
    this.#frame.ask();
  }

  #select(call: string): void {
    this.#selected = call;
    this.#details.root.scrollTop = 0;
    this.#host.post({ type: 'selected', call });
    this.#frame.ask();
  }

  #draw(): void {
    const tree = this.#fold.trees().find(found => found.trace === this.#trace);
    if (!tree) return;
    if (this.#rows.root.parentElement !== this.#root)
      this.#root.replaceChildren(this.#rows.root, this.#details.root);
    this.#rows.update(buildWaterfall(tree));
    this.#rows.select(this.#selected);
    const node = findCall(tree.roots, this.#selected) ?? tree.roots[0];
    if (node) this.#details.update(node);
  }
}

function findCall(roots: readonly CallNode[], call: string): CallNode | undefined {
  const open = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.call.call === call) return node;
    open.push(...node.children);
  }
  return undefined;
}

const root = document.getElementById('root');
if (root) new TimelinePage(root);
