import { AICF } from '../../protocols/aicf/protocol.ts';
import { toOutcome } from '../../protocols/aicf/outcome.ts';
import { AicfReplyFold } from '../../language/aicf/reply-stream.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection } from '../connection.ts';
import {
  HttpConnection,
  type HttpLimits,
  type ReadReply,
  type ReplyReader,
} from '../http/http-connection.ts';

/**
 * A connection to an AICF-RPC server over HTTP (AICF-RPC 1.0, "HTTP Transport"): one request per body. The
 * reply is read as AICF whatever its status or type.
 */
export function connectAicf(agent: ResolvedHttpAgent, limits?: HttpLimits): Connection {
  return new HttpConnection(agent, AICF, () => new AicfReader(), limits);
}

class AicfReader implements ReplyReader {
  readonly #fold = new AicfReplyFold();
  #length = 0;

  push(text: string): { readonly shownTo: number; readonly isOver: boolean } {
    this.#length += text.length;
    const isOver = this.#fold.push(text);
    return { shownTo: this.#fold.hasBegun ? this.#length : 0, isOver };
  }

  // The reply was read while it arrived.
  *endSteps(): Generator<undefined, ReadReply> {
    const reply = this.#fold.end();
    return { isProtocol: reply.command !== undefined, notes: reply.notes, outcome: toOutcome(reply) };
  }
}
