import type { AgentQuestion } from '../../core/message/message.ts';
import { AICL, toOutcome } from '../../protocols/aicl/protocol.ts';
import { quote } from '../../core/text/quote.ts';
import { AiclReplyFold, type AiclQuestion } from '../../language/aicl/replies/reply.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection, Outgoing, Reply, WireListener, MessageTaker } from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';
import { HttpConnection, type BodyReader, type HttpLimits, type ReadReply } from '../http/http-connection.ts';
import { EscapeNote } from './escape-note.ts';
import { toWireText } from './outgoing.ts';

/**
 * A connection to an AICL agent over HTTP: a POST whose body is one message, answered by one or more
 * messages. Each is shown when its outer bracket closes (LightAICL names no transport; this is our reading).
 */
export function connectAicl(agent: ResolvedHttpAgent, limits?: HttpLimits): Connection {
  return new AiclConnection(agent, AICL, taker => new AiclReader(taker), limits);
}

class AiclConnection extends HttpConnection {
  readonly #note = new EscapeNote();

  override send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    this.#note.tell(request.wireText, listener);
    return super.send({ ...request, wireText: toWireText(request, listener) }, listener, signal);
  }
}

class AiclReader implements BodyReader {
  readonly #fold = new AiclReplyFold();
  readonly #messages: ExchangeReader | undefined;

  constructor(taker: MessageTaker | undefined) {
    this.#messages = taker && new ExchangeReader(AICL, taker);
  }

  push(text: string): { readonly shownTo: number; readonly isOver: boolean } {
    this.#messages?.push(text);
    return { shownTo: this.#fold.push(text), isOver: false };
  }

  *endSteps(): Generator<undefined, ReadReply> {
    if (this.#messages) yield* this.#messages.endSteps();
    this.#messages?.deliver();
    const reply = this.#fold.end();
    return {
      isProtocol: reply.isAicl,
      notes: reply.notes,
      outcome: toOutcome(reply),
      ...(reply.isCut ? { cut: CUT } : {}),
      ...describeQuestion(reply.question),
    };
  }
}

/** Why a reply whose last message has no end is incomplete. */
export const CUT =
  'The reply ended before the last of its messages was closed; the received part is stored, send again for the rest';

/** What the agent asks for in a reply; empty for a reply that answers. */
export function describeQuestion(question: AiclQuestion | undefined): { readonly question?: AgentQuestion } {
  if (!question) return {};
  const { session, messageType, subject, message: request } = question;
  const what =
    subject === '' ? `a ${messageType}` : `${WANTED[messageType] ?? messageType} ${quote(subject)}`;
  const text = `The agent waits for the answer to ${what}: send a 'result' or an 'error' in the session ${quote(session)}`;
  return { question: { session, text, request } };
}

const WANTED: Readonly<Record<string, string>> = {
  data_query: 'its query for',
  tool_call: 'its call of',
  task_request: 'its task',
};
