import { Report } from '../core/message/report.ts';
import type { Message } from '../core/message/message.ts';
import { NO_TOOLS } from '../language/tools.ts';
import { Protocols, type Protocol } from '../protocols/protocol.ts';
import type { MessageTaker } from './connection.ts';

/** The messages of a reply that Parley itself asked for. */
export class TakenMessages implements MessageTaker {
  readonly protocols: Protocols;
  readonly tools = NO_TOOLS;
  readonly form = 'readable';
  readonly report = new Report();
  readonly messages: Message[] = [];

  constructor(protocol: Protocol) {
    this.protocols = new Protocols([protocol]);
  }

  take(messages: readonly Message[]): void {
    this.messages.push(...messages);
  }

  takeLast(messages: readonly Message[]): void {
    this.take(messages);
  }
}
