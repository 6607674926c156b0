import type { Disposable } from 'vscode';
import { stateOf } from '../../../trace/fold/call-state.ts';
import { cutTexts } from '../../../protocols/reply-parts/cut-texts.ts';
import { PayloadRoom, type RoomLimits } from '../../../trace/payload-room.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import type { FromTimeline, ToTimeline, TraceAction } from '../../../wire/timeline-messages.ts';
import { Delay } from '../delay.ts';
import { DisposableStore } from '../dispose.ts';
import { CallParts } from './call-parts.ts';
import type { CountedTokens } from './counted-tokens.ts';
import { PayloadSearch } from './payload-search.ts';
import { TokenTotals, type TokenCounter } from './token-totals.ts';
import type { SourceChange, TraceSource } from './trace-source.ts';

/** Calls of the first message, which is drawn at once, and of those that follow. */
const FIRST_BATCH = 1000;
const BATCH = 8000;

/** Milliseconds between two messages of what changed: a page draws no more often. */
const PACE = 30;

/** Of the payload of one call so much is shown in the page. */
const SHOWN: RoomLimits = { characters: 400_000, events: 20_000, of: 'call' };

/** How a trace is shown. */
export interface TimelineOptions {
  readonly source: TraceSource;
  /** Whether open calls still run, or a recording ends with them. */
  readonly kind: 'live' | 'recording';
  /** Counts what agents do not report. */
  readonly tokens: TokenCounter;
  /** Hears what was counted. */
  onCounted?(...counted: Parameters<CountedTokens['keep']>): void;
  /** What can be done with the trace. */
  readonly actions: readonly TraceAction[];
  /** Calls above one that may be, until the recursion guard refuses it. */
  depthLimit(): number;
  /** Why there is no trace, for a person; without it, the trace is no longer kept. */
  whyEmpty?(): string;
}

/**
 * One trace as a page shows it: tells the page the states of its calls, first all of them and then those that change. No
 * message of calls is sent before the last one was taken in, so that a page that is slow, or not seen, is told less often and
 * loses nothing.
 */
export class TimelineSession implements Disposable {
  readonly #options: TimelineOptions;
  readonly #post: (message: ToTimeline) => void;
  readonly #store = new DisposableStore();
  /** The call by which the trace is known: its name may change, and it may join another one. */
  #anchor = '';
  #selected = '';
  #trace = '';
  #shown = 0;
  #isReady = false;
  #isWaiting = false;
  /** Ids of the calls that the page knows. */
  readonly #sent = new Set<string>();
  #queue: readonly CallNode[] = [];
  #changed = new Set<CallNode>();
  #dropped = new Set<string>();
  readonly #pause = this.#store.add(new Delay(() => this.#pump()));
  #search: PayloadSearch | undefined;
  #count: TokenTotals | undefined;
  readonly #parts: CallParts;

  constructor(options: TimelineOptions, post: (message: ToTimeline) => void) {
    this.#options = options;
    this.#parts = new CallParts(options.source);
    this.#post = post;
    this.#store.add(options.source.onDidChange(change => this.#take(change)));
  }

  /** The call that is selected. */
  get selected(): string {
    return this.#selected;
  }

  /** Shows a call in its trace. Answers false where the call is not kept. */
  show(call: string): boolean {
    const tree = this.#options.source.treeOf(call);
    if (!tree) return false;
    this.#selected = call;
    const isShown = this.#isReady && tree.trace === this.#trace && this.#sent.has(call);
    this.#anchor = call;
    if (isShown) this.#post({ type: 'select', call });
    else this.#begin(tree);
    return true;
  }

  /** Takes a message of the page, but for what somebody else is to do. */
  receive(message: FromTimeline): void {
    switch (message.type) {
      case 'ready': {
        // A page that was hidden starts anew and asks again: its state is here, not there.
        this.#isReady = true;
        const tree = this.#options.source.treeOf(this.#anchor);
        if (tree) this.#begin(tree);
        else this.#postClear();
        return;
      }
      case 'drawn':
        if (message.shown !== this.#shown) return;
        this.#isWaiting = false;
        this.#pump();
        return;
      case 'selected':
        this.#selected = message.call;
        return;
      case 'ask':
        void this.#tellPayload(message.call, message.from);
        return;
      case 'askParts':
        void this.#tellParts(message.call);
        return;
      case 'search':
        this.#searchFor(message.search, message.text);
        return;
      case 'countTokens':
        this.#countTokens(message.count, message.calls);
        return;
      case 'act':
        return;
    }
  }

  dispose(): void {
    this.#search?.stop();
    this.#count?.stop();
    this.#store.dispose();
  }

  #begin(tree: TraceTree): void {
    const { source, kind, actions } = this.#options;
    // A count of the same trace goes on: it tells calls by their ids.
    if (tree.trace !== this.#trace) this.#count?.stop();
    this.#trace = tree.trace;
    this.#search?.stop();
    this.#changed.clear();
    this.#dropped.clear();
    this.#sent.clear();
    this.#queue = [];
    if (!this.#isReady) return;
    this.#queue = listCalls(tree);
    this.#shown++;
    this.#isWaiting = true;
    const calls = this.#takeBatch(FIRST_BATCH).map(stateOf);
    this.#post({
      type: 'show',
      shown: this.#shown,
      trace: tree.trace,
      size: tree.size,
      calls,
      selected: this.#selected,
      source: source.title,
      notes: source.notes(),
      actions,
      depthLimit: this.#options.depthLimit(),
      ...(kind === 'live' ? { now: Date.now() } : {}),
    });
  }

  #takeBatch(most: number): readonly CallNode[] {
    const batch = this.#queue.slice(0, most);
    this.#queue = this.#queue.slice(most);
    for (const { call } of batch) this.#sent.add(call.call);
    return batch;
  }

  #take({ changed, dropped }: SourceChange): void {
    if (this.#trace === '') return;
    for (const node of changed) this.#changed.add(node);
    for (const call of dropped) this.#dropped.add(call);
    this.#pump();
  }

  /** Sends what is due: the rest of the trace first, then what changed. */
  #pump(): void {
    if (!this.#isReady || this.#isWaiting || this.#pause.isWaiting) return;
    if (this.#queue.length > 0) return this.#tell(this.#takeBatch(BATCH), []);
    if (this.#changed.size === 0 && this.#dropped.size === 0) return;
    this.#tellChanges();
    this.#pause.ask(PACE);
  }

  #tellChanges(): void {
    const [changed, dropped] = [this.#changed, this.#dropped];
    this.#changed = new Set();
    this.#dropped = new Set();
    const tree = this.#findTree();
    if (!tree) return this.#clear();
    this.#trace = tree.trace;
    const gone = [...dropped].filter(call => this.#sent.delete(call));
    const told: CallNode[] = [];
    for (const node of changed) {
      const id = node.call.call;
      if (dropped.has(id)) continue;
      if (this.#options.source.treeOf(id)?.trace === tree.trace) {
        this.#sent.add(id);
        told.push(node);
      } else if (this.#sent.delete(id)) gone.push(id);
    }
    if (this.#sent.size !== tree.size) this.#mend(tree, told, gone);
    if (told.length === 0 && gone.length === 0) return;
    this.#search?.add(told.map(({ call }) => call.call));
    this.#tell(told, gone);
  }

  /** Traces were joined or parted without a word about each of their calls. */
  #mend(tree: TraceTree, told: CallNode[], gone: string[]): void {
    const kept = new Set<string>();
    for (const node of listCalls(tree)) {
      const id = node.call.call;
      kept.add(id);
      if (this.#sent.has(id)) continue;
      this.#sent.add(id);
      told.push(node);
    }
    for (const id of this.#sent) if (!kept.has(id) && this.#sent.delete(id)) gone.push(id);
  }

  /** The trace that is shown, by any of its calls that is still kept. */
  #findTree(): TraceTree | undefined {
    const { source } = this.#options;
    const tree = source.treeOf(this.#anchor);
    if (tree) return tree;
    for (const call of this.#sent) {
      const found = source.treeOf(call);
      if (!found) continue;
      this.#anchor = call;
      return found;
    }
    return undefined;
  }

  #clear(): void {
    this.#trace = '';
    this.#sent.clear();
    this.#search?.stop();
    this.#count?.stop();
    this.#postClear();
  }

  #postClear(): void {
    const why = this.#options.whyEmpty?.();
    this.#post({ type: 'clear', ...(why === undefined ? {} : { why }) });
  }

  #tell(calls: readonly CallNode[], gone: readonly string[]): void {
    this.#isWaiting = true;
    const size = this.#options.source.treeOf(this.#anchor)?.size ?? this.#sent.size;
    const now = this.#options.kind === 'live' ? { now: Date.now() } : {};
    this.#post({ type: 'calls', shown: this.#shown, size, calls: calls.map(stateOf), gone, ...now });
  }

  async #tellPayload(call: string, from: number): Promise<void> {
    const room = new PayloadRoom(SHOWN);
    const shown = await this.#options.source.payload(call, room);
    const node = this.#options.source.find(call);
    this.#post({
      type: 'payload',
      call,
      names: node?.names ?? [],
      ...(node?.call.session === undefined ? {} : { session: node.call.session }),
      attributes: node?.attributes ?? [],
      from: Math.min(from, shown.length),
      events: shown.slice(from),
      leftOut: room.leftOut,
    });
  }

  async #tellParts(call: string): Promise<void> {
    const read = await this.#parts.read(call);
    this.#post({ type: 'parts', call, ...cutTexts(read) });
  }

  #countTokens(count: number, calls: readonly string[]): void {
    this.#count?.stop();
    this.#count = undefined;
    if (calls.length === 0) return;
    const { source, tokens } = this.#options;
    this.#count = new TokenTotals(source, tokens, calls, news => {
      this.#post({ type: 'tokens', count, ...news });
      this.#options.onCounted?.(
        news.calls.flatMap(each => {
          const node = source.find(each.call);
          return node ? [[node, each.tokens] as const] : [];
        }),
        news.encoding,
      );
    });
  }

  #searchFor(search: number, text: string): void {
    this.#search?.stop();
    this.#search = undefined;
    if (text === '') return;
    const tree = this.#findTree();
    const calls = tree ? listCalls(tree).map(({ call }) => call.call) : [];
    this.#search = new PayloadSearch(this.#options.source, calls, text, (found, share, lost) =>
      this.#post({ type: 'found', search, calls: found, share, lost }),
    );
  }
}

/** All calls of a trace, each after the one above it. */
function listCalls(tree: TraceTree): readonly CallNode[] {
  const found: CallNode[] = [];
  const open = [...tree.roots].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    found.push(next);
    const { children } = next;
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child) open.push(child);
    }
  }
  return found;
}
