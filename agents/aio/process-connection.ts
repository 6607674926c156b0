import { AIO } from '../../protocols/aio/protocol.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { Connection, Outgoing, Reply, WireListener } from '../connection.ts';
import { callTerms } from '../stdio/call-terms.ts';
import { ProcessConnection, RESTARTED } from '../stdio/process-connection.ts';
import { StdioCall } from '../stdio/stdio-call.ts';
import { LineDialogue, type AioCall, type AioTerms } from './line-dialogue.ts';
import { OneShotDialogue } from './one-shot-dialogue.ts';

/**
 * A connection to an AIO agent that is a process. In the mode `lines` it is started at the first request and retained,
 * like AICL agents. In the mode `one-shot` each request has a process of its own, whose input ends after the request.
 */
export class AioProcessConnection extends ProcessConnection<AioCall, LineDialogue> implements Connection {
  readonly protocol = AIO;

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const fields = readFields(parseJson(request.wireText));
    const names = { id: String(fields?.get('id')), trace: String(fields?.get('trace_id')) };
    const terms = { ...callTerms('AIO reply', this.resolved, request, this.limits), ...names };
    if (signal.aborted || this.isClosed) return new StdioCall(terms, AIO, listener, () => undefined).cancel();
    return this.resolved.mode === 'one-shot'
      ? this.#sendOnce(terms, request, listener, signal)
      : this.#sendLine(terms, request, listener, signal);
  }

  #sendOnce(
    terms: AioTerms,
    { wireText }: Outgoing,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<Reply> {
    const target = this.start(limits => new OneShotDialogue(limits));
    const call: AioCall = new StdioCall(terms, AIO, listener, () => target.settle(call));
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
    const current = this.current;
    const isFit = current?.isTaking === true && !current.dialogue.owes;
    const target = isFit ? current : this.start(limits => new LineDialogue(limits));
    const call: AioCall = new StdioCall(terms, AIO, listener, () => target.settle(call));
    // A process that has ended owes no replies.
    if (!isFit && current?.isTaking === true) call.noteOnce(RESTARTED);
    if (!isFit) current?.retire();
    this.current = target;
    // A line is one request, so line ends within it are replaced.
    return target.ask(call, `${wireText.replace(/[\r\n]+/g, ' ')}\n`, 'more', signal);
  }
}
