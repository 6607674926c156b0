import { message, type Message } from '../../../core/message/message.ts';
import type { Report } from '../../../core/message/report.ts';
import { quote } from '../../../core/text/quote.ts';
import { textIn } from '../../../core/values/value.ts';
import { canonical } from '../../content/canonical.ts';
import { readParts, writeParts, type Part } from '../../content/part.ts';
import type { GrowingForm } from './growing-text.ts';

/**
 * A message of a reply with its texts as plain ones. `text/plain` is what a text is. Another media type stays in a
 * whole reply whose language has a place for it; else it is a note.
 */
export function withPlainTexts(
  read: Message,
  { hasMembers }: Pick<GrowingForm, 'hasMembers'>,
  report: Report,
): Message {
  if (read.kind !== 'chunk' && read.kind !== 'result') return read;
  const parts = readParts(read.fields.content);
  if (!parts?.some(isTyped)) return read;
  const keeps = read.kind === 'result' && hasMembers;
  const plain = parts.map(part => {
    if (!isTyped(part) || (keeps && !isPlainType(part))) return part;
    if (!isPlainType(part)) report.note(`The agent sent its text with the media type ${quote(typeOf(part))}`);
    return { ...part, mimeType: undefined };
  });
  return canonical(message(read.kind, { ...read.fields, content: writeParts(plain) }));
}

function isTyped({ type, mimeType }: Part): boolean {
  return type === 'text' && mimeType !== undefined;
}

function isPlainType(part: Part): boolean {
  return /^text\/plain *(?:;|$)/i.test(typeOf(part));
}

function typeOf({ mimeType }: Part): string {
  return textIn(mimeType) ?? '';
}
