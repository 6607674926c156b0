import { startOf } from '../../core/text/utf8.ts';
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
  const shown = text.length > room ? startOf(text, room) : text;
  left.characters -= shown.length;
  return {
    ...part,
    ...(shown === text ? {} : { text: shown, hidden: text.length - shown.length }),
    children: part.children.map(child => cutText(child, left)),
  };
}
