import { SILENT } from '../../../agents/connection.ts';
import { quote } from '../../../core/text/quote.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { VersionNegotiation } from '../../../protocols/protocol.ts';
import type { SourceFile } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { describeEnd } from './describe-end.ts';
import type { SendStep } from './plan.ts';
import type { SendSession } from './session.ts';

/** How an agent and requests in its own language agree on a version; undefined where they cannot. */
export function negotiationOf({ agent }: SendStep, { language }: SourceFile): VersionNegotiation | undefined {
  const protocol = ALL_PROTOCOLS.find(agent.protocol);
  return protocol?.facts.language === language ? protocol.negotiation : undefined;
}

/** Agrees on a version with each agent that can negotiate one, before its first request. */
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
    const negotiation = negotiationOf(step, place.file);
    if (!negotiation) return true;
    const known = this.#agreed.get(agent.name);
    if (known !== undefined) return known;
    const offer = { wireText: negotiation.writeOffer(request.wireText), title: negotiation.title };
    const reply = await this.#session.send(step, offer, place, SILENT, signal);
    const selected = reply.isProtocol ? negotiation.readSelected(reply.text) : undefined;
    const isAgreed = selected?.isWritten === true;
    this.#agreed.set(agent.name, isAgreed);
    const why =
      selected === undefined
        ? `the agent agreed on no version: ${describeEnd(reply)}`
        : `the agent chose ${quote(selected.name)}, which Parley does not write`;
    this.#terminal.err(
      isAgreed
        ? `${agent.name}: note: The agent speaks ${quote(selected.name)}\n`
        : `${agent.name}: not sent. ${why}\n`,
    );
    return isAgreed;
  }
}
