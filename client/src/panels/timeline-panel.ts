import type { Disposable, Uri } from 'vscode';
import {
  isFromTimeline,
  type FromTimeline,
  type ToTimeline,
} from '../../../protocol/src/wire/timeline-messages.ts';
import { DisposableStore } from '../dispose.ts';
import type { TraceChange, TraceStore } from '../trace/trace-store.ts';
import { openPanel, type Panel } from './panel-host.ts';

/** What the timeline asks of the rest of the extension. */
export interface TimelineHost {
  /** The user selected a call in the view. */
  onSelected(call: string): void;
  /** The user wants to see where the call's request stands. */
  onOpenSource(call: string): void;
}

/** The one timeline panel: a trace as a waterfall, and of the selected call what was on the wire. */
export class TimelinePanel implements Disposable {
  readonly #extension: Uri;
  readonly #traces: TraceStore;
  readonly #host: TimelineHost;
  readonly #store = new DisposableStore();
  #panel: Panel<ToTimeline> | undefined;
  #isReady = false;
  #shown: { readonly trace: string; call: string } | undefined;

  constructor(extension: Uri, traces: TraceStore, host: TimelineHost) {
    this.#extension = extension;
    this.#traces = traces;
    this.#host = host;
    this.#store.add(traces.onDidChange(change => this.#forward(change)));
  }

  /** Shows a call: opens the panel or brings it to the front. Answers false where the call is no longer kept. */
  show(call: string): boolean {
    const found = this.#traces.findCall(call);
    if (!found) return false;
    this.#shown = { trace: found.trace, call };
    const title = `${found.node.call.title} · ${found.node.call.agent}`;
    if (this.#panel) {
      this.#panel.setTitle(title);
      this.#panel.reveal();
      this.#postAll();
    } else {
      this.#panel = this.#open(title);
    }
    return true;
  }

  dispose(): void {
    this.#panel?.dispose();
    this.#store.dispose();
  }

  #open(title: string): Panel<ToTimeline> {
    this.#isReady = false;
    return openPanel<FromTimeline, ToTimeline>(
      this.#extension,
      {
        viewType: 'parley.timeline',
        title,
        bundle: 'timeline',
        icon: 'parley',
        column: 'active',
        isMessage: isFromTimeline,
        onMessage: message => this.#receive(message),
      },
      () => {
        this.#panel = undefined;
        this.#isReady = false;
      },
    );
  }

  #receive(message: FromTimeline): void {
    switch (message.type) {
      case 'ready':
        // A view that was hidden starts anew and asks again: its state is here, not there.
        this.#isReady = true;
        this.#postAll();
        return;
      case 'selected':
        if (this.#shown) this.#shown.call = message.call;
        this.#host.onSelected(message.call);
        return;
      case 'openSource':
        this.#host.onOpenSource(message.call);
        return;
    }
  }

  #postAll(): void {
    if (!this.#isReady || !this.#shown) return;
    const { trace, call } = this.#shown;
    this.#panel?.post({ type: 'show', trace, events: this.#traces.eventsOf(trace), selected: call });
  }

  #forward(change: TraceChange): void {
    if (!this.#isReady || !this.#shown) return;
    const { added, dropped } = change;
    if (dropped.includes(this.#shown.trace)) this.#panel?.post({ type: 'clear' });
    else if (added?.trace === this.#shown.trace)
      this.#panel?.post({ type: 'add', trace: added.trace, events: [added.event] });
  }
}
