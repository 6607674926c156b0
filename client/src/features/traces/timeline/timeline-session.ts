import type { Disposable } from 'vscode';
import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import { findOwnExchange } from '../../../../../trace/own-exchange.ts';
import { walkCalls } from '../../../../../trace/export/source.ts';
import { stateOf } from '../../../../../trace/fold/call-state.ts';
import { cutTexts, type ViewLimits } from '../../../../../protocols/reply-parts/part.ts';
import { PayloadLimiter, type PayloadLimits } from '../../../../../trace/payload-limiter.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import type { FromTimeline, ToTimeline } from '../../../../../wire/timeline-messages.ts';
import { Delay } from '../../../base/delay.ts';
import { DisposableStore } from '../../../base/dispose.ts';
import { CallParts } from '../../../trace/call-parts.ts';
import type { CountedTokens } from '../view/counted-tokens.ts';
import { PayloadSearch } from './payload-search.ts';
import { TokenTotals, type TokenCounter } from '../view/token-totals.ts';
import type { SourceChange, TraceSource } from '../../../trace/trace-source.ts';

/** The number of calls in the first message, which is drawn immediately, and in the following ones. */
const FIRST_BATCH = 1000;
const BATCH = 8000;

/** Milliseconds between two messages with changes; a page does not draw more often. */
const PACE = 30;

/** The maximum amount of a call's payload in the page. */
const SHOWN: PayloadLimits = { characters: 400_000, events: 20_000, of: 'call' };

/** The maximum size of the parts of a reply in the page. */
const PART_LIMITS: ViewLimits = { part: 20_000, texts: 400_000, media: 4_000_000 };

/** The options of showing a trace. */
export interface TimelineOptions {
  readonly source: TraceSource;
  /** Whether open calls are still running, or end with the recording. */
  readonly kind: 'live' | 'recording';
  /** Counts tokens that agents do not report. */
  readonly tokens: TokenCounter;
  /** Receives counted tokens. */
  onCounted?(...counted: Parameters<CountedTokens['keep']>): void;
  /** Receives each call that the user selected in the view. */
  onSelected?(call: string): void;
  /** The maximum number of calls above one before the recursion guard refuses it. */
  depthLimit(): number;
  /** Why there is no trace, for the user; by default it is no longer stored. */
  whyEmpty?(): string;
}

/**
 * A trace shown by a page. Sends the states of all calls to the page, and then those that change. The next
 * message with calls is sent only after the page has processed the last one, so a slow or hidden page
 * receives fewer messages without losing data.
 */
export class TimelineSession implements Disposable {
  readonly #options: TimelineOptions;
  readonly #post: (message: ToTimeline) => void;
  readonly #store = new DisposableStore();
  /** A call that identifies the trace, whose name may change and which may be joined with another one. */
  #anchor = '';
  #selected = '';
  #trace = '';
  #shown = 0;
  #isReady = false;
  #isWaiting = false;
  /** The ids of calls that the page knows. */
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

  /** The selected call. */
  get selected(): string {
    return this.#selected;
  }

  /** Shows a call in its trace. Returns false if the call is not stored. */
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

  /** Handles a message of the page, except those that the caller handles. */
  receive(message: FromTimeline): void {
    switch (message.type) {
      case 'ready': {
        // A page that was hidden is loaded again without state, so the state here is sent again.
        this.#isReady = true;
        const tree = this.#options.source.treeOf(this.#anchor);
        if (tree) this.#begin(tree);
        else this.#postClear();
        return;
      }
      case 'drawn':
        if (message.shown !== this.#shown) return;
        this.#isWaiting = false;
        return this.#pump();
      case 'selected':
        this.#selected = message.call;
        return;
      case 'ask':
        return void this.#reportPayload(message.call, message.from);
      case 'askParts':
        return void this.#reportParts(message.call);
      case 'search':
        return this.#searchFor(message.search, message.text);
      case 'countTokens':
        return this.#countTokens(message.count, message.calls);
      case 'act':
      case 'copy':
      case 'openLink':
        return;
    }
  }

  dispose(): void {
    this.#search?.stop();
    this.#count?.stop();
    this.#store.dispose();
  }

  #begin(tree: TraceTree): void {
    const { source, kind } = this.#options;
    // A token count of the same trace continues, because it identifies calls by id.
    if (tree.trace !== this.#trace) this.#count?.stop();
    this.#trace = tree.trace;
    this.#search?.stop();
    this.#changed.clear();
    this.#dropped.clear();
    this.#sent.clear();
    this.#queue = [];
    if (!this.#isReady) return;
    this.#queue = [...walkCalls([tree])];
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
      notes: source.notes(),
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

  /** Sends pending data: first the rest of the trace, then changes. */
  #pump(): void {
    if (!this.#isReady || this.#isWaiting || this.#pause.isWaiting) return;
    if (this.#queue.length > 0) return this.#report(this.#takeBatch(BATCH), []);
    if (this.#changed.size === 0 && this.#dropped.size === 0) return;
    this.#reportChanges();
    this.#pause.ask(PACE);
  }

  #reportChanges(): void {
    const [changed, dropped] = [this.#changed, this.#dropped];
    this.#changed = new Set();
    this.#dropped = new Set();
    const tree = this.#findTree();
    if (!tree) return this.#clear();
    this.#trace = tree.trace;
    const gone = [...dropped].filter(call => this.#sent.delete(call));
    const reported: CallNode[] = [];
    for (const node of changed) {
      const id = node.call.call;
      if (dropped.has(id)) continue;
      if (this.#options.source.treeOf(id)?.trace === tree.trace) {
        this.#sent.add(id);
        reported.push(node);
      } else if (this.#sent.delete(id)) gone.push(id);
    }
    if (this.#sent.size !== tree.size) this.#mend(tree, reported, gone);
    if (reported.length === 0 && gone.length === 0) return;
    this.#search?.add(reported.map(({ call }) => call.call));
    this.#report(reported, gone);
  }

  /** Corrects the sent calls after traces were joined or split without a change event for each call. */
  #mend(tree: TraceTree, reported: CallNode[], gone: string[]): void {
    const stored = new Set<string>();
    for (const node of walkCalls([tree])) {
      const id = node.call.call;
      stored.add(id);
      if (this.#sent.has(id)) continue;
      this.#sent.add(id);
      reported.push(node);
    }
    for (const id of this.#sent) if (!stored.has(id) && this.#sent.delete(id)) gone.push(id);
  }

  /** The shown trace, found by any of its calls that is still stored. */
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

  #report(calls: readonly CallNode[], gone: readonly string[]): void {
    this.#isWaiting = true;
    const size = this.#options.source.treeOf(this.#anchor)?.size ?? this.#sent.size;
    const now = this.#options.kind === 'live' ? { now: Date.now() } : {};
    this.#post({ type: 'calls', shown: this.#shown, size, calls: calls.map(stateOf), gone, ...now });
  }

  async #reportPayload(call: string, from: number): Promise<void> {
    const limiter = new PayloadLimiter(SHOWN);
    const shown = await this.#options.source.payload(call, limiter);
    const node = this.#options.source.find(call);
    const own = findOwnExchange(shown, ALL_PROTOCOLS.find(node?.call.protocol ?? ''));
    this.#post({
      type: 'payload',
      call,
      names: node?.names ?? [],
      ...(node?.call.session === undefined ? {} : { session: node.call.session }),
      attributes: node?.attributes ?? [],
      from: Math.min(from, shown.length),
      events: shown.slice(from),
      leftOut: limiter.leftOut,
      own: [own.request[0], own.reply[0]].flatMap(event => (event ? [shown.indexOf(event)] : [])),
    });
  }

  async #reportParts(call: string): Promise<void> {
    const read = await this.#parts.read(call);
    this.#post({ type: 'parts', call, ...cutTexts(read, PART_LIMITS) });
  }

  #countTokens(count: number, calls: readonly string[]): void {
    this.#count?.stop();
    this.#count = undefined;
    if (calls.length === 0) return;
    const { source, tokens } = this.#options;
    this.#count = new TokenTotals(source, tokens, calls, progress => {
      this.#post({ type: 'tokens', count, ...progress });
      this.#options.onCounted?.(
        progress.calls.flatMap(each => {
          const node = source.find(each.call);
          return node ? [[node, each.tokens] as const] : [];
        }),
        progress.encoding,
      );
    });
  }

  #searchFor(search: number, text: string): void {
    this.#search?.stop();
    this.#search = undefined;
    if (text === '') return;
    const tree = this.#findTree();
    const calls = tree ? Array.from(walkCalls([tree]), ({ call }) => call.call) : [];
    this.#search = new PayloadSearch(this.#options.source, calls, text, (found, share, lost) =>
      this.#post({ type: 'found', search, calls: found, share, lost }),
    );
  }
}
