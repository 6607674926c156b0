import { AICL } from '../../protocols/aicl/protocol.ts';
import { readAiclDelivery } from '../../language/aicl/replies/reply.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import type { Connection, Outgoing, Reply, WireListener } from '../connection.ts';
import { callTerms } from '../stdio/call-terms.ts';
import type { Conversation } from '../stdio/conversation.ts';
import { DEFAULT_STDIO_LIMITS, type StdioLimits } from '../stdio/limits.ts';
import { ProcessConnection, RESTARTED } from '../stdio/process-connection.ts';
import { StdioCall } from '../stdio/stdio-call.ts';
import { EscapeNote } from './escape-note.ts';
import { toWireText } from './outgoing.ts';
import { AiclDialogue, type AiclTerms } from './dialogue.ts';

type AiclProcess = Conversation<StdioCall<AiclTerms>, AiclDialogue>;

/**
 * A connection to an AICL agent that is a process (LightAICL names no transport; this is our reading). It is
 * started at the first request and retained; each request is a message and a line end. A message from it
 * belongs to the oldest open request of its session. A reply ends with a message of type `error`, a first
 * message of a type that AICL does not have, a `result` that is no chunk, the last chunk (`is_final`, or
 * n/n), or an answer to `protocol_negotiate`; or with the end of the process, a time-out or a cancellation.
 *
 * A cancellation ends the call, not the process; what the process answers then is noted. A process that has
 * yet to send such a reply in the session of the next request, or that has written nothing since a time-out,
 * is ended, and a new one takes that request, because AICL has no ids that distinguish the replies. The same
 * applies after the process has ended or closed its input.
 */
export class AiclStdioConnection
  extends ProcessConnection<StdioCall<AiclTerms>, AiclDialogue>
  implements Connection
{
  readonly protocol = AICL;
  readonly #note = new EscapeNote();

  constructor(agent: ResolvedStdioAgent, limits: StdioLimits = DEFAULT_STDIO_LIMITS) {
    super(agent, limits);
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const { session, messageType } = readAiclDelivery(request.wireText);
    this.#note.report(request.wireText, listener);
    const terms = { ...callTerms('AICL message', this.resolved, request, this.limits), session, messageType };
    if (signal.aborted || this.isClosed)
      return new StdioCall(terms, AICL, listener, () => undefined).cancel();
    const { process: target, restarted } = this.#findProcess(session);
    const call: StdioCall<AiclTerms> = new StdioCall(terms, AICL, listener, () => target.settle(call));
    if (restarted) call.noteOnce(RESTARTED);
    return target.ask(call, `${toWireText(request, listener)}\n`, 'more', signal);
  }

  /** The running process, or a new one if it cannot take a request of this session. */
  #findProcess(session: string): { readonly process: AiclProcess; readonly restarted: boolean } {
    const current = this.current;
    if (current?.isTaking && !current.dialogue.owes(session)) return { process: current, restarted: false };
    // A process that has ended owes no replies.
    const restarted = current?.isTaking === true;
    current?.retire();
    const started = this.start(dialogueLimits => new AiclDialogue(dialogueLimits));
    this.current = started;
    return { process: started, restarted };
  }
}
