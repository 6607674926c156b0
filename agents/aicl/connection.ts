import { AICL } from '../../protocols/aicl/protocol.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection, Outgoing, Reply, WireListener } from '../connection.ts';
import { HttpConnection, type HttpLimits } from '../http/http-connection.ts';
import { EscapeNote } from './escape-note.ts';
import { toWireText } from './outgoing.ts';

/**
 * A connection to an AICL agent over HTTP: a POST whose body is one message, answered by one or more
 * messages. Each is shown when its outer bracket closes (LightAICL names no transport; this is our reading).
 */
export function connectAicl(agent: ResolvedHttpAgent, limits?: HttpLimits): Connection {
  return new AiclConnection(agent, AICL, limits);
}

class AiclConnection extends HttpConnection {
  readonly #note = new EscapeNote();

  override send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    this.#note.report(request.wireText, listener);
    return super.send({ ...request, wireText: toWireText(request, listener) }, listener, signal);
  }
}
