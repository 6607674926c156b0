import type { RetainedPart } from '../../event-stream/response-fold.ts';
import { findProtocol } from '../../../core/catalog/protocols.ts';
import { withoutField, type Message } from '../../../core/message/message.ts';
import type { MessageTaker, SourceMessage } from '../source-message.ts';

/** Stores the messages of a body as they are read; with `outcome`, only the last one. */
export class BodyMessages implements MessageTaker {
  readonly messages: Message[] = [];
  /** The number of messages, including values that are no messages. */
  count = 0;
  /** True where all messages are in AICL or AICF. */
  isForeign = true;
  readonly #keeps: RetainedPart;

  constructor(keeps: RetainedPart) {
    this.#keeps = keeps;
  }

  take({ message: read, protocol }: SourceMessage): void {
    this.count++;
    const language = findProtocol(protocol)?.language;
    if (language === undefined || language === 'json') this.isForeign = false;
    if (read.kind === 'value') return;
    if (this.#keeps === 'outcome') this.messages.length = 0;
    this.messages.push(withoutNames(read));
  }
}

/** A reply without the names that only identify it: its call has them. */
export function withoutNames(read: Message): Message {
  return withoutField(withoutField(read, 'id'), 'trace');
}
