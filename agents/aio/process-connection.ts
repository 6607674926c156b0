import { AIO } from '../../protocols/aio/protocol.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import type { Connection, GoneWhy, Outgoing, Reply, WireListener } from '../connection.ts';
import { callTerms } from '../stdio/call-terms.ts';
import { Conversation, type Dialogue, type DialogueLimits } from '../stdio/conversation.ts';
import type { StdioLimits } from '../stdio/limits.ts';
import { StdioCall } from '../stdio/stdio-call.ts';
import { LineDialogue, type AioCall, type AioTerms } from './line-dialogue.ts';
import { OneShotDialogue } from './one-shot-dialogue.ts';
import { openReplyFold } from './reply.ts';

/**
 * A connection to an AIO agent that is a process. In the mode `lines` it is started at the first request and retained,
 * like AICL agents. In the mode `one-shot` each request has a process of its own, whose input ends after the request.
 */
export class AioProcessConnection implements Connection {
  readonly agent: string;
  readonly protocol = AIO;
  readonly #agent: ResolvedStdioAgent;
  readonly #limits: StdioLimits;
  readonly #redactor: Redactor;
  readonly #running = new Set<{ close(): Promise<void> }>();
  readonly #gone = new Set<(why: GoneWhy) => void>();
  #current: Conversation<AioCall, LineDialogue> | undefined;
  #isClosed = false;

  constructor(agent: ResolvedStdioAgent, limits: StdioLimits) {
    this.agent = agent.name;
    this.#agent = agent;
    this.#limits = limits;
    this.#redactor = new Redactor(agent.secrets);
  }

  onGone(gone: (why: GoneWhy) => void): () => void {
    this.#gone.add(gone);
    return () => this.#gone.delete(gone);
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const fields = readFields(parseJson(request.wireText));
    const names = { id: String(fields?.get('id')), trace: String(fields?.get('trace_id')) };
    const terms = { ...callTerms('AIO reply', this.#agent, request, this.#limits), ...names };
    if (signal.aborted || this.#isClosed)
      return new StdioCall(terms, openReplyFold(listener), listener, () => undefined).cancel();
    return this.#agent.mode === 'one-shot'
      ? this.#sendOnce(terms, request, listener, signal)
      : this.#sendLine(terms, request, listener, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#current = undefined;
    await Promise.all([...this.#running].map(each => each.close()));
  }

  #sendOnce(
    terms: AioTerms,
    { wireText }: Outgoing,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<Reply> {
    const target = this.#start(limits => new OneShotDialogue(limits));
    const call: AioCall = new StdioCall(terms, openReplyFold(listener), listener, () => target.settle(call));
    const reply = target.ask(call, wireText, 'last', signal);
    target.retire();
    return reply;
  }

  #sendLine(
    terms: AioTerms,
    { wireText }: Outgoing,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<Reply> {
    const current = this.#current;
    const isFit = current?.isTaking === true && !current.dialogue.owes;
    const target = isFit ? current : this.#start(limits => new LineDialogue(limits));
    const call: AioCall = new StdioCall(terms, openReplyFold(listener), listener, () => target.settle(call));
    // A process that has ended owes no replies.
    if (!isFit && current?.isTaking === true) call.noteOnce(RESTARTED);
    if (!isFit) current?.retire();
    this.#current = target;
    // A line is one request, so line ends within it are replaced.
    return target.ask(call, `${wireText.replace(/[\r\n]+/g, ' ')}\n`, 'more', signal);
  }

  #start<Talk extends Dialogue<AioCall>>(
    openDialogue: (limits: DialogueLimits) => Talk,
  ): Conversation<AioCall, Talk> {
    const started: Conversation<AioCall, Talk> = new Conversation<AioCall, Talk>({
      agent: this.#agent,
      redactor: this.#redactor,
      limits: this.#limits,
      openDialogue,
      onGone: why => {
        this.#running.delete(started);
        // A process that we ended, or that was for one request only, is not the current one.
        if (Object.is(this.#current, started)) for (const gone of this.#gone) gone(why);
      },
    });
    this.#running.add(started);
    return started;
  }
}

const RESTARTED =
  'The agent was restarted for this request: a late reply to an abandoned request could not be distinguished from the reply to this one';
