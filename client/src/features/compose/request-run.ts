import type { CallStatus } from '../../../../core/events/events.ts';
import { cutTexts, type ReplyParts, type ViewLimits } from '../../../../protocols/reply-parts/part.ts';
import { describeOutcome } from '../../../../trace/words.ts';
import type { ComposerReply } from '../../../../wire/composer-messages.ts';
import { Delay } from '../../base/delay.ts';
import { DisposableStore } from '../../base/dispose.ts';
import { mayGoAnyway, type Held } from '../../sending/held.ts';
import type { CallHost, Sent } from '../../sending/run-call.ts';
import type { CallOutcome } from '../../services/agent-service.ts';
import type { CallParts } from '../../trace/call-parts.ts';
import type { TraceSource } from '../../trace/trace-source.ts';
import { describeStep } from '../../window/progress.ts';

/** The minimum interval between two reports of a growing reply, in milliseconds. */
const PACE = 100;

/** The maximum size of a reply in the view. */
const LIMITS: ViewLimits = { part: 200_000, texts: 400_000, media: 8_000_000 };

/** What reading replies uses. */
export interface ReplySource {
  readonly source: TraceSource;
  readonly parts: CallParts;
}

/** Sends one request, and reports its state and the parts of its reply while it grows. */
export class RequestRun {
  readonly #replies: ReplySource;
  readonly #report: (reply: ComposerReply) => void;
  readonly #store = new DisposableStore();
  readonly #reading = this.#store.add(new Delay(() => void this.#read()));
  #reply: ComposerReply;
  #held: Held | undefined;
  #isOver = false;

  readonly stop = new AbortController();
  readonly host: CallHost = {
    stop: this.stop,
    reply: 'none',
    onHeld: held => (this.#held = held),
    onBegun: call => this.#follow(call),
    onStep: step => {
      const { words, share } = describeStep(step);
      this.#show({ words, ...(share === undefined ? {} : { share }) });
    },
  };

  constructor(replies: ReplySource, words: string, report: (reply: ComposerReply) => void) {
    this.#replies = replies;
    this.#report = report;
    this.#reply = { state: 'working', words, call: '' };
    report(this.#reply);
  }

  /**
   * Reports the outcome; `sent` is undefined if nothing was sent. `which` names the request of several, with a colon.
   */
  async finish(sent: Sent | undefined, which = ''): Promise<void> {
    this.#isOver = true;
    this.#store.dispose();
    const held = this.#held;
    if (held) return this.#end(mayGoAnyway(held) ? 'held' : 'error', `${which}${describeHeld(held)}`);
    if (!sent) return this.#end('idle', '');
    const { call, outcome } = sent;
    const duration = this.#replies.source.find(call)?.duration;
    const words = `${which}${describeOutcome({ status: outcome.status, code: outcome.code, duration })}`;
    const parts = await this.#partsOf(call, outcome);
    const { message } = outcome;
    const sentence = message === undefined ? words : `${words}: ${message}`;
    this.#reply = { ...this.#reply, call };
    this.#end(STATES[outcome.status], sentence, parts);
  }

  /** Reports why there is nothing to send. */
  refuse(words: string): void {
    this.#isOver = true;
    this.#store.dispose();
    this.#end('error', words);
  }

  #follow(call: string): void {
    this.#show({ call });
    const { source } = this.#replies;
    this.#store.add(
      source.onDidChange(({ changed }) => {
        if ([...changed].some(node => node.call.call === call)) this.#reading.ask(PACE);
      }),
    );
  }

  async #read(): Promise<void> {
    const parts = await this.#replies.parts.read(this.#reply.call);
    if (!this.#isOver && parts.parts.length > 0) this.#show({ parts: cutTexts(parts, LIMITS) });
  }

  /** A call without traffic, such as one that was refused, has no parts, but its outcome may have a text. */
  async #partsOf(call: string, { text }: CallOutcome): Promise<ReplyParts | undefined> {
    const read = call === '' ? undefined : await this.#replies.parts.read(call);
    if (read && (read.parts.length > 0 || read.notes.length > 0)) return cutTexts(read, LIMITS);
    return text === '' ? undefined : cutTexts({ parts: [partOf(text)], notes: [] }, LIMITS);
  }

  #end(state: ComposerReply['state'], words: string, parts?: ReplyParts): void {
    const { call } = this.#reply;
    this.#reply = { state, words, call, ...(parts && { parts }) };
    this.#report(this.#reply);
  }

  #show(change: Partial<ComposerReply>): void {
    this.#reply = { ...this.#reply, ...change };
    this.#report(this.#reply);
  }
}

const STATES = {
  ok: 'ok',
  error: 'error',
  incomplete: 'error',
  cancelled: 'stopped',
} as const satisfies Record<Exclude<CallStatus, 'open'>, ComposerReply['state']>;

function partOf(text: string): ReplyParts['parts'][number] {
  const times = { at: 0, until: 0, pieces: 1, ticks: [] };
  return { id: 'text', kind: 'text', title: '', status: 'ok', ...times, text, notes: [], children: [] };
}

/** Errors are listed below the text with their positions, because line numbers in the document differ. */
function describeHeld({ kind, reason }: Held): string {
  return kind === 'errors' ? 'Not sent, because the request has errors.' : reason;
}
