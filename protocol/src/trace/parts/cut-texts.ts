import { isHighSurrogate } from '../../text/utf8.ts';
import type { ReplyParts, TracePart } from './part.ts';

/** Characters of one part, and of all of a reply, that are told to who shows them. */
const MOST_OF_PART = 20_000;
const MOST_OF_REPLY = 400_000;

/** The parts with the beginnings of long texts; what is cut off is counted in `hidden`. */
export function cutTexts({ parts, notes }: ReplyParts): ReplyParts {
  const left = { characters: MOST_OF_REPLY };
  return { parts: parts.map(part => cutText(part, left)), notes };
}

function cutText(part: TracePart, left: { characters: number }): TracePart {
  const { text = '' } = part;
  const room = Math.min(MOST_OF_PART, left.characters);
  const isCut = text.length > room;
  // No character is cut in two.
  const end = isCut && isHighSurrogate(text.charCodeAt(room - 1)) ? room - 1 : room;
  left.characters -= Math.min(text.length, end);
  return {
    ...part,
    ...(isCut ? { text: text.slice(0, end), hidden: text.length - end } : {}),
    children: part.children.map(child => cutText(child, left)),
  };
}
