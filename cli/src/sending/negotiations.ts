import { isWritten, NEGOTIATE, readSelected, writeNegotiation } from '../../../protocols/aicl/negotiation.ts';
import { SILENT } from '../../../agents/connection.ts';
import { protocolRow } from '../../../core/catalog/protocols.ts';
import { quote } from '../../../core/text/quote.ts';
import type { OpenDocument } from '../../../language/support.ts';
import type { SourceFile } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { describeEnd } from './describe-end.ts';
import type { SendStep } from './plan.ts';
import type { SendSession } from './session.ts';

/** Agrees on a version with each AICL agent before its first request (LightAICL 1.0, section 8.3). */
export class Negotiations {
  readonly #terminal: Terminal;
  readonly #session: SendSession;
  /** Whether an agent may be sent requests, by its name. */
  readonly #agreed = new Map<string, boolean>();

  constructor(terminal: Terminal, session: SendSession) {
    this.#terminal = terminal;
    this.#session = session;
  }

  /** False if the agent agrees on no version that we write, after reporting that on `err`. */
  async agree(
    step: SendStep,
    place: { readonly file: SourceFile; readonly document: OpenDocument },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { agent, request } = step;
    if (place.file.language !== 'aicl' || protocolRow(agent.protocol).language !== 'aicl') return true;
    const known = this.#agreed.get(agent.name);
    if (known !== undefined) return known;
    const offer = { wireText: writeNegotiation(request.wireText), title: NEGOTIATE };
    const reply = await this.#session.send(step, offer, place, SILENT, signal);
    const selected = reply.isProtocol ? readSelected(reply.text) : undefined;
    const isAgreed = selected !== undefined && isWritten(selected);
    this.#agreed.set(agent.name, isAgreed);
    const why =
      selected === undefined
        ? `the agent agreed on no version: ${describeEnd(reply)}`
        : `the agent chose ${quote(selected)}, which Parley does not write`;
    this.#terminal.err(
      isAgreed
        ? `${agent.name}: note: The agent speaks ${quote(selected)}\n`
        : `${agent.name}: not sent. ${why}\n`,
    );
    return isAgreed;
  }
}
