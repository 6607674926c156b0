import { randomUUID } from 'node:crypto';
import { MAX_MESSAGE_BYTES } from '../../core/catalog/aicl.ts';
import { utf8Length } from '../../core/text/utf8.ts';
import { splitMessage } from '../../protocols/aicl/chunks.ts';
import type { Outgoing, WireListener } from '../connection.ts';

/**
 * The text that is sent: the message, or its chunks, one per line, if it is longer than the request or AICL allows
 * (LightAICL 1.0, sections 8.2 and 9.2). Notes say so, or why it could not be split.
 */
export function toWireText(
  { wireText, chunkBytes = MAX_MESSAGE_BYTES }: Outgoing,
  listener: WireListener,
): string {
  const length = utf8Length(wireText);
  if (length <= chunkBytes) return wireText;
  const split = splitMessage(wireText, chunkBytes, `part-${randomUUID().slice(0, 8)}`);
  if (!split.ok) {
    listener.note(`The message has ${length} bytes and was sent whole: ${split.reason}`);
    return wireText;
  }
  const signed = /\[s:signature\]/.test(wireText) ? '; its signature no longer fits' : '';
  listener.note(`The message has ${length} bytes and was sent in ${split.chunks.length} chunks${signed}`);
  return split.chunks.join('\n');
}
