import { countOf } from '../../../core/text/count.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import {
  cutTexts,
  type PartMedium,
  type TracePart,
  type ViewLimits,
} from '../../../protocols/reply-parts/part.ts';
import { stateOf } from '../../../trace/fold/call-state.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { printRawReply } from '../../../trace/raw-reply.ts';
import { describeOutcome, describeTokens, formatDuration } from '../../../trace/words.ts';
import { PartsSender } from '../../../wire/reply-growth.ts';
import type { PageViewName, ToReply } from '../../../wire/reply-messages.ts';
import { Owner } from '../base/dispose.ts';
import { Throttle } from '../base/throttle.ts';
import { CallParts } from '../trace/call-parts.ts';
import type { TraceSource } from '../trace/trace-source.ts';
import { readBody, readJsonBody } from './call-text.ts';

/** The maximum size of a reply in the page. */
const LIMITS: ViewLimits = { part: 64_000_000, texts: 64_000_000, media: 64_000_000 };

/** A call whose reply a page shows. Sends what changes; what comes while the view is paused is sent when it is resumed. */
export class ReplySession extends Owner {
  readonly call: string;
  readonly #source: TraceSource;
  readonly #post: (message: ToReply) => void;
  readonly #parts: CallParts;
  readonly #growing = this.own(new Throttle(() => this.#pump()));
  /** What the page knows. */
  #sender = new PartsSender();
  #sent = { raw: '', json: '' };
  #view: PageViewName;
  #isReady = false;
  #isBusy = false;
  #hasNews = true;
  /** The bytes that were shown when the view was paused. */
  #pausedAt: number | undefined;

  constructor(source: TraceSource, call: string, view: PageViewName, post: (message: ToReply) => void) {
    super();
    this.call = call;
    this.#source = source;
    this.#post = post;
    this.#view = view;
    this.#parts = new CallParts(source);
    this.own(
      source.onDidChange(({ changed, dropped }) => {
        const node = this.node;
        if ((!node || !changed.has(node)) && !dropped.includes(call)) return;
        this.#hasNews = true;
        this.#growing.request();
      }),
    );
  }

  get node(): CallNode | undefined {
    return this.#source.find(this.call);
  }

  get view(): PageViewName {
    return this.#view;
  }

  /** True while the reply is growing, or the view is paused. */
  get isOpen(): boolean {
    return this.node?.status === 'open' || this.#pausedAt !== undefined;
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined;
  }

  /** The page is loaded, and knows nothing. */
  begin(): void {
    this.#isReady = true;
    this.#isBusy = false;
    this.#hasNews = true;
    this.#sender = new PartsSender();
    this.#sent = { raw: '', json: '' };
    this.#pump();
  }

  /** The page drew the last message. */
  drawn(): void {
    this.#isBusy = false;
    if (this.#hasNews) this.#growing.request();
  }

  show(view: PageViewName): void {
    this.#view = view;
    this.#hasNews = true;
    this.#isBusy = false;
    this.#pump();
  }

  pause(): void {
    this.#pausedAt = this.node?.traffic.bytesIn ?? 0;
    this.#postState();
  }

  resume(): void {
    this.#pausedAt = undefined;
    this.#hasNews = true;
    this.#pump();
  }

  /** The medium of a part; undefined if there is none. */
  async findMedium(part: string): Promise<PartMedium | undefined> {
    const { parts } = await this.#parts.read(this.call);
    const find = (list: readonly TracePart[]): PartMedium | undefined => {
      for (const { id, medium, children } of list) {
        const found = id === part ? medium : find(children);
        if (found) return found;
      }
      return undefined;
    };
    return find(parts);
  }

  #pump(): void {
    if (!this.#isReady) return;
    this.#postState();
    if (this.#isBusy || !this.#hasNews || this.#pausedAt !== undefined) return;
    this.#hasNews = false;
    this.#isBusy = true;
    void (this.#view === 'read' ? this.#postParts() : this.#postText(this.#view));
  }

  async #postParts(): Promise<void> {
    const { call } = this;
    const read = await this.#parts.read(call);
    const { parts, notes } = cutTexts(read, LIMITS);
    // A reply in no known form is shown as it came.
    const isUnread = parts.length === 0 && this.node?.status !== 'open';
    const unread = isUnread ? await readBody(this.#source, call) : '';
    this.#post({ type: 'parts', call, parts: this.#sender.send({ parts }), notes, unread });
  }

  async #postText(view: 'raw' | 'json'): Promise<void> {
    const { call } = this;
    const text =
      view === 'raw'
        ? printRawReply(await this.#source.payload(call))
        : await readJsonBody(this.#source, call);
    const before = this.#sent[view];
    const prefix = text.startsWith(before) ? before.length : 0;
    this.#sent[view] = text;
    this.#post({ type: 'text', call, view, prefix, added: text.slice(prefix) });
  }

  #postState(): void {
    const node = this.node;
    if (!node) return;
    const { call } = this;
    const { title, status, message, notes = [] } = stateOf(node);
    this.#post({
      type: 'show',
      call,
      title,
      status,
      outcome: describeOutcome(node),
      ...(message === undefined ? {} : { failure: message }),
      facts: listFacts(node),
      notes,
      view: this.#view,
      ...(this.#pausedAt === undefined ? {} : { pause: describePause(node, this.#pausedAt) }),
    });
  }
}

function listFacts(node: CallNode): readonly string[] {
  const { agent, at, first, usage, pieces = 0, bytesIn = 0 } = stateOf(node);
  return [
    agent,
    first === undefined ? '' : `first byte ${formatDuration(first - at)}`,
    describeTokens(usage) ?? '',
    bytesIn === 0 ? '' : showBytes(bytesIn) + (pieces > 1 ? ` in ${countOf(pieces, 'chunk')}` : ''),
  ].filter(Boolean);
}

function describePause({ traffic, status }: CallNode, shown: number): string {
  const more = traffic.bytesIn - shown;
  const words = more === 0 ? 'paused' : `paused, ${showBytes(more)} more`;
  return status === 'open' ? words : `${words}, the reply has ended`;
}
