import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import { Report } from '../../core/message/report.ts';
import type { Message, ProgressStep, ReplyForm } from '../../core/message/message.ts';
import type { ToolTable } from '../../language/tools.ts';
import type { CallRules, Protocols } from '../../protocols/protocol.ts';
import { ReplyCollector } from '../../protocols/serving/reply-collector.ts';
import type { CallOptions, CollectedReply } from '../../protocols/serving/serving.ts';
import { groupLosses } from '../converting/converted-reply.ts';
import { withoutProgress, type CallListener, type MessageTaker, type WireListener } from '../connection.ts';

/** The reply of an agent on its way to a caller: its chunks while they arrive, and at the end the whole of it. */
export class BridgedReply implements MessageTaker {
  readonly protocols: Protocols;
  readonly tools: ToolTable;
  readonly form: ReplyForm;
  readonly report = new Report();
  readonly replacesText = true;
  /** The listener of the call itself, which shows nothing. */
  readonly listener: CallListener;
  readonly #options: Omit<CallOptions, 'request'>;
  readonly #collector = new ReplyCollector();
  #recorded: WireListener | undefined;
  #collected: CollectedReply | undefined;
  readonly #readAnswer: CallRules['readAnswer'];
  /** The last request that the agent makes of its caller. */
  #asks: Message | undefined;
  #hasSaid = false;
  #hasSteps = false;

  /** `readAnswer` reads the answer in a reply, in a protocol that has other members around it. */
  constructor(
    protocols: Protocols,
    tools: ToolTable,
    options: CallOptions,
    readAnswer?: CallRules['readAnswer'],
  ) {
    this.#readAnswer = readAnswer;
    this.protocols = protocols;
    this.tools = tools;
    this.form = options.takesItems ? 'items' : 'exact';
    this.#options = options;
    this.listener = {
      progress: () => undefined,
      step: step => this.#step(step),
    };
  }

  /** The listener for the connection, which passes the traffic on to the recorded call. */
  listenOn(recorded: WireListener): WireListener {
    this.#recorded = recorded;
    return {
      ...withoutProgress(recorded),
      step: step => recorded.step?.(step),
      messages: this,
    };
  }

  #step(step: ProgressStep): void {
    if (this.#options.step) return this.#options.step(step);
    if (!this.#hasSteps)
      this.#recorded?.note('The agent reports its progress, which the caller does not receive');
    this.#hasSteps = true;
  }

  /** The request that the agent makes of its caller; undefined if there is none. */
  get asks(): Message | undefined {
    return this.#asks;
  }

  get hasBegun(): boolean {
    return this.#collector.hasBegun;
  }

  take(taken: readonly Message[]): void {
    const messages = taken.map(each => this.#readAnswer?.(each) ?? each);
    this.#asks = messages.findLast(({ kind }) => findMessageKind(kind)?.role === 'request') ?? this.#asks;
    const chunks = this.#collector.take(messages);
    this.#hasSaid ||= chunks.length > 0;
    if (chunks.length > 0) this.#options.take?.(chunks);
  }

  takeLast(messages: readonly Message[]): void {
    this.take(messages);
  }

  drained(): Promise<void> | undefined {
    return this.#options.drained?.();
  }

  /** True if a part of the answer arrived before its end. */
  get hasSaid(): boolean {
    return this.#hasSaid;
  }

  /** Ends the reply, and notes what reading it has lost. Later calls return the same. */
  end(): CollectedReply {
    this.#collected ??= this.#collect();
    return this.#collected;
  }

  #collect(): CollectedReply {
    const notes = [...groupLosses(this.report), ...this.report.notes.map(({ message }) => message)];
    for (const note of new Set(notes)) this.#recorded?.note(note);
    // The caller receives the chunks, so nothing is lost where they are joined.
    return this.#collector.end(new Report());
  }
}
