import type { ApprovalRequest } from '../../protocols/protocol.ts';
import { quote } from '../../core/text/quote.ts';
import {
  withoutProgress,
  withSend,
  type Connection,
  type Outgoing,
  type Reply,
  type WireListener,
} from '../connection.ts';
import { type AgentQuestions } from '../../core/message/message.ts';
import { writeAnswers, type ApprovalAnswer, type ApprovalDialect } from './answers.ts';

/**
 * The maximum number of rounds of approval within one call, so that an agent that keeps asking does not hold
 * it forever.
 */
const MAX_ROUNDS = 20;

/**
 * A connection whose agent may ask for approval before it runs a tool. The user's answer is sent as another request,
 * whose reply continues the first one. If the user cannot be asked, a note says what the agent waits for.
 */
export function withApprovals(inner: Connection, dialect: ApprovalDialect): Connection {
  return withSend(inner, (request, listener, signal) =>
    new ApprovingCall(inner, dialect, listener, signal).send(request),
  );
}

class ApprovingCall {
  readonly #inner: Connection;
  readonly #dialect: ApprovalDialect;
  readonly #outer: WireListener;
  readonly #listener: WireListener;
  readonly #signal: AbortSignal;
  /** The text of earlier rounds, and the number of characters of the reply that were passed on. */
  #before = '';
  #reported = 0;

  constructor(inner: Connection, dialect: ApprovalDialect, outer: WireListener, signal: AbortSignal) {
    this.#inner = inner;
    this.#dialect = dialect;
    this.#outer = outer;
    this.#signal = signal;
    this.#listener = {
      ...withoutProgress(outer),
      messages: outer.messages,
      progress: added => this.#report(added),
    };
  }

  async send(request: Outgoing): Promise<Reply> {
    let asking = request;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const reply = await this.#inner.send(asking, this.#listener, this.#signal);
      const whole = { ...reply, text: this.#before + reply.text };
      const next = await this.#answer(asking, reply);
      if (next === undefined) return whole;
      this.#goOn(whole.text);
      asking = { ...request, wireText: next };
    }
    this.#outer.note(`The agent requested approval ${MAX_ROUNDS} times in one call; Parley stopped there`);
    return {
      status: 'incomplete',
      text: this.#before,
      isProtocol: true,
      message: 'The agent repeats its request for approval',
    };
  }

  /** The request with the user's answers; undefined if the agent asks for nothing or there is no answer. */
  async #answer(request: Outgoing, reply: Reply): Promise<string | undefined> {
    const { status, approvals = [], carried } = reply;
    if (status !== 'ok' || approvals.length === 0) return undefined;
    const { questions } = request;
    if (!questions) {
      for (const { tool } of approvals)
        this.#outer.note(
          `The agent requests approval to run ${quote(tool)}, which the next request of the conversation may answer; in the editor, the user is asked`,
        );
      return undefined;
    }
    const answers: ApprovalAnswer[] = [];
    for (const each of approvals) answers.push({ id: each.id, answer: await this.#ask(each, questions) });
    if (this.#signal.aborted) return undefined;
    return writeAnswers(request.wireText, carried?.response, answers, this.#dialect);
  }

  async #ask(approval: ApprovalRequest, questions: AgentQuestions): Promise<'approve' | 'refuse'> {
    const question = { agent: this.#inner.agent, tool: approval.tool, arguments: approval.arguments };
    const isApproved = await questions.approve(question, this.#signal);
    this.#outer.note(`Approval to run ${quote(approval.tool)} was ${isApproved ? 'given' : 'refused'}`);
    return isApproved ? 'approve' : 'refuse';
  }

  /** Passes on the rest of the reply before the next round. */
  #goOn(text: string): void {
    this.#before = `${text.trimEnd()}\n\n`;
    this.#report(this.#before.slice(this.#reported));
  }

  #report(added: string): void {
    this.#reported += added.length;
    this.#outer.progress(added);
  }
}
