import type { Message } from '../../core/message/message.ts';
import { meaningOf } from '../../protocols/content/canonical.ts';
import { isSameMessage } from '../../protocols/message/same-value.ts';

/** True for messages with the same meaning. */
export function meansSame(one: Message, other: Message): boolean {
  return isSameMessage(meaningOf(one), meaningOf(other));
}
