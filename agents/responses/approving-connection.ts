import type { Protocol } from '../../protocols/protocol.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import type { Value } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import {
  withoutProgress,
  withSend,
  type Connection,
  type Outgoing,
  type Reply,
  type WireListener,
} from '../connection.ts';
import type { AgentQuestions } from '../questions.ts';
import {
  findApprovals,
  writeAnswers,
  type ApprovalAnswer,
  type ApprovalDialect,
  type ApprovalRequest,
} from './approvals.ts';

/** So many times an agent may ask within one call: one that never stops asking does not hold the call for ever. */
const MOST_ROUNDS = 20;

/**
 * A connection whose agent may ask for leave to run a tool. The user answers, the answer goes out as a request of its own,
 * and what comes then belongs to the same reply. Where nobody can be asked, a note says what the agent waits for.
 */
export function withApprovals(inner: Connection, dialect: ApprovalDialect): Connection {
  return withSend(inner, (request, listener, signal) =>
    new ApprovingCall(inner, dialect, listener, signal).send(request),
  );
}

/** What stands in every reply that asks for leave. */
const ASKS = 'mcp_approval_request';

class ApprovingCall {
  readonly #inner: Connection;
  readonly #dialect: ApprovalDialect;
  readonly #outer: WireListener;
  readonly #listener: WireListener;
  readonly #signal: AbortSignal;
  /** All that came in the rounds before, and how much of the reply was told. */
  #before = '';
  #told = 0;
  /** Whether a round may ask something, as far as it was told, and the end of that. */
  #mayAsk = false;
  #tail = '';

  constructor(inner: Connection, dialect: ApprovalDialect, outer: WireListener, signal: AbortSignal) {
    this.#inner = inner;
    this.#dialect = dialect;
    this.#outer = outer;
    this.#signal = signal;
    this.#listener = { ...withoutProgress(outer), progress: added => this.#tell(added) };
  }

  async send(request: Outgoing): Promise<Reply> {
    let asking = request;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const reply = await this.#inner.send(asking, this.#listener, this.#signal);
      const whole = { ...reply, text: this.#before + reply.text };
      const untold = whole.text.length - this.#told;
      if (untold > 0) this.#look(reply.text.slice(-untold));
      const next = await this.#answer(asking, reply);
      if (next === undefined) return whole;
      this.#goOn(whole.text);
      asking = { ...request, wireText: next };
    }
    this.#outer.note(`The agent asked for leave ${MOST_ROUNDS} times in one call; it is not asked on`);
    return {
      status: 'incomplete',
      text: this.#before,
      isProtocol: true,
      message: 'The agent goes on asking for leave',
    };
  }

  /** The request that answers what the agent asks; undefined where it asks nothing, or nobody answers. */
  async #answer(request: Outgoing, reply: Reply): Promise<string | undefined> {
    // Most replies ask nothing, and need not be read twice.
    if (reply.status !== 'ok' || !this.#mayAsk) return undefined;
    const response = readResponse(reply.text, this.#inner.protocol);
    const asked = findApprovals(response, this.#dialect);
    if (asked.length === 0) return undefined;
    const { questions } = request;
    if (!questions) {
      for (const { tool } of asked)
        this.#outer.note(
          `The agent asks for leave to run ${quote(tool)}, and nobody is here to answer; call it from the editor`,
        );
      return undefined;
    }
    const answers: ApprovalAnswer[] = [];
    for (const each of asked) answers.push({ id: each.id, answer: await this.#ask(each, questions) });
    if (this.#signal.aborted) return undefined;
    return writeAnswers(request.wireText, response, answers, this.#dialect);
  }

  async #ask(asked: ApprovalRequest, questions: AgentQuestions): Promise<'approve' | 'refuse'> {
    const question = { agent: this.#inner.agent, tool: asked.tool, arguments: asked.arguments };
    const isApproved = await questions.approve(question, this.#signal);
    this.#outer.note(`Leave to run ${quote(asked.tool)} was ${isApproved ? 'given' : 'refused'}`);
    return isApproved ? 'approve' : 'refuse';
  }

  /** What comes next follows all that came, which is told before it. */
  #goOn(text: string): void {
    this.#before = `${text.trimEnd()}\n\n`;
    this.#tell(this.#before.slice(this.#told));
    this.#mayAsk = false;
  }

  #tell(added: string): void {
    this.#told += added.length;
    this.#look(added);
    this.#outer.progress(added);
  }

  /** Looks for a request in a text that comes in pieces, which joined would stand in memory once more. */
  #look(added: string): void {
    const seam = this.#tail + added.slice(0, ASKS.length);
    this.#mayAsk ||= added.includes(ASKS) || seam.includes(ASKS);
    this.#tail = added.length < ASKS.length ? seam.slice(-ASKS.length) : added.slice(-ASKS.length);
  }
}

function readResponse(text: string, protocol: Protocol): Value | undefined {
  const reader = new ReplyReader(protocol, NO_TOOLS, new Report());
  reader.push(text);
  reader.end();
  return reader.response;
}
