import type { StoredHeader, TokenUsage, TraceName } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import { Report } from '../../core/message/report.ts';
import { ReplyReader } from '../convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../language/tools.ts';
import type { Protocol } from '../protocol.ts';
import { findFormFault, type ReplyFault } from './reply-form.ts';
import { ReplyFacts, type StreamMessage } from './reply-facts.ts';

/** The outcome of a reply, with the names and tokens in it. */
export interface RecognisedReply {
  readonly status: 'ok' | 'error' | 'cancelled' | 'incomplete';
  readonly code?: string;
  /** One sentence for a person. */
  readonly message?: string;
  readonly usage?: TokenUsage;
  /** The conversation that it names. */
  readonly session?: string;
  /** The names of the tasks that it is about. */
  readonly names?: readonly TraceName[];
  /** For a reply without an error: why it still is no answer to the request. */
  readonly fault?: ReplyFault;
  readonly notes: readonly string[];
}

/** The head of a reply; undefined for transports without one, such as standard output. */
export interface ObservedHead {
  readonly status: number;
  /** `404 Not Found`. */
  readonly line: string;
  readonly headers: readonly StoredHeader[];
}

const LONG = 'The reply is longer than 1 MiB; the outcome of the call is taken from its head';

/**
 * Reads a reply while it arrives: its outcome, and the facts that it reports besides its content. Recorded replies and
 * those of imported traces are read by it. Total, and linear in the text.
 */
export class ReplyReading {
  readonly #protocol: Protocol | undefined;
  readonly #head: ObservedHead | undefined;
  readonly #judge: ReplyReader | undefined;
  readonly #facts: ReplyFacts;
  readonly #title: string | undefined;

  /**
   * `reports` says whether `push` returns answers and notifications, too; in the stream of a single call they are its
   * reply. `title` is that of the request.
   */
  constructor(
    protocol: Protocol | undefined,
    head: ObservedHead | undefined,
    reports: 'requests' | 'requests and answers' = 'requests',
    title?: string,
  ) {
    this.#title = title;
    this.#protocol = protocol;
    this.#head = head;
    const context = { tools: NO_TOOLS, report: new Report() };
    const judge = protocol && new ReplyReader(protocol, context, 'outcome');
    this.#judge = judge;
    this.#facts = new ReplyFacts(protocol, head?.headers ?? [], reports, {
      event: event => judge?.pushEvent(event),
      text: text => this.#readsPieces && judge?.push(text),
      body: body => this.#readsPieces || judge?.pushBody(body),
    });
  }

  /** Takes text; returns the messages in it besides the reply. */
  push(text: string): readonly StreamMessage[] {
    return this.#facts.push(text);
  }

  /** False once more text makes no difference: a long body that is no stream is not read. */
  get wantsMore(): boolean {
    return this.#facts.wantsMore;
  }

  /** The names of the tasks that it is about, so far. */
  get tasks(): readonly TraceName[] {
    return this.#facts.tasks;
  }

  /** True once a message has ended the reply, so that the caller may close the connection. */
  get isOver(): boolean {
    return this.#judge?.isOver === true;
  }

  /** True if the caller can resume the stream after its last id (WHATWG HTML 9.2.4). */
  get canResume(): boolean {
    return this.#facts.canResume && !this.isOver;
  }

  /** Ends the reply and returns its outcome. */
  end(): RecognisedReply {
    const text = this.#facts.end();
    const judge = this.wantsMore ? this.#judge : undefined;
    judge?.end();
    const judged = this.#judgeHead(judge);
    const mayBeFaulty = judged.status === 'ok' && judge?.isOneMessage !== true;
    const fault = mayBeFaulty ? this.#findFault(text) : undefined;
    const { usage, session, tasks } = this.#facts;
    return {
      ...judged,
      ...(fault ? { fault } : {}),
      notes: this.wantsMore ? [] : [LONG],
      ...(usage ? { usage } : {}),
      ...(session === undefined ? {} : { session }),
      ...(tasks.length === 0 ? {} : { names: tasks }),
    };
  }

  /** True where a body that is not an event stream can be complete before it ends. */
  get #readsPieces(): boolean {
    return this.#protocol?.replies.openBody !== undefined;
  }

  #findFault(text: string): ReplyFault | undefined {
    if (this.#head && this.#head.status !== 200) return undefined;
    const isStream = this.#facts.isStream || isEventStream(this.#head?.headers ?? []);
    if (!isStream) return this.wantsMore ? findFormFault(this.#protocol, text) : undefined;
    // In other protocols the outcome already reports a missing end of the stream.
    if (!this.#protocol?.replies.endsWithAnswer || this.isOver) return undefined;
    return { status: 'incomplete', message: 'The stream ended before the answer came' };
  }

  #judgeHead(judge: ReplyReader | undefined): Pick<RecognisedReply, 'status' | 'code' | 'message'> {
    const unfinished = judge?.unfinished;
    // The agent that cancelled its reply may give a reason as an error.
    if (unfinished?.status === 'cancelled') return unfinished;
    const outcome = judge?.outcome;
    if (outcome?.kind === 'error' && !this.#onlyReports(outcome)) {
      const { code, text } = outcome;
      return { status: 'error', ...(code === undefined ? {} : { code }), message: text };
    }
    const head = this.#head;
    if (head && this.#isRefusal(head.status))
      return { status: 'error', code: `HTTP ${head.status}`, message: this.#describeRefusal(head) };
    return unfinished ?? this.#facts.failure ?? { status: 'ok' };
  }

  /** True for the failure of what a reply reports, which has no code; an error of the call itself has one. */
  #onlyReports({ code }: { readonly code?: string | undefined }): boolean {
    const { onlyReports } = this.#protocol?.replies ?? {};
    return code === undefined && this.#title !== undefined && onlyReports?.(this.#title) === true;
  }

  #describeRefusal({ line }: ObservedHead): string {
    const { failure } = this.#facts;
    const reason = failure?.status === 'error' ? `: ${failure.message}` : '';
    return `The agent answered ${line}${reason}`;
  }

  /** True for an error status. A redirect answers no message, but may answer HTTP of no known protocol. */
  #isRefusal(status: number): boolean {
    return status >= 400 || (status >= 300 && status !== 304 && this.#protocol !== undefined);
  }
}

/** The outcome of a whole reply without a head. */
export function recogniseReply(protocol: Protocol | undefined, text: string): RecognisedReply {
  const reader = new ReplyReading(protocol, undefined);
  reader.push(text);
  return reader.end();
}
