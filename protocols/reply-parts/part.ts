import type { CallStatus } from '../../core/events/events.ts';
import { startOf } from '../../core/text/utf8.ts';

/** The kinds of parts of a reply, with their words for people. */
export const PART_WORDS = {
  message: 'Message',
  text: 'Text',
  reasoning: 'Reasoning',
  tool: 'Tool call',
  output: 'Tool output',
  approval: 'Approval',
  data: 'Data',
  media: 'Media',
  refusal: 'Refusal',
  artifact: 'Artifact',
  status: 'Status',
  progress: 'Progress',
  log: 'Log',
  notice: 'Notice',
  request: 'Request to caller',
  stream: 'Stream',
  chunk: 'Chunk',
  result: 'Result',
  error: 'Error',
  exchange: 'Earlier exchange',
} as const;

export type PartKind = keyof typeof PART_WORDS;

/** A part of the reply of a call: a message of it, a content, a tool call, a line of progress. */
export interface TracePart {
  /** Unique among the parts of its call, and stable while more of the reply arrives. */
  readonly id: string;
  readonly kind: PartKind;
  /** Its name, such as the tool, the artifact or the state; empty if its kind says enough. */
  readonly title: string;
  /** `open` while more of it may arrive; `incomplete` if it was cut. */
  readonly status: CallStatus;
  /** When its first byte arrived; all times are in milliseconds since 1970. */
  readonly at: number;
  /** When its last piece was complete. */
  readonly until: number;
  /** The number of events, lines or messages in which it arrived. */
  readonly pieces: number;
  /** The arrival times of its pieces, thinned out evenly to at most 512. */
  readonly ticks: readonly number[];
  /** Its content; undefined if there is nothing but the title. */
  readonly text?: string;
  /** The number of characters that were cut from the text; missing if 0. */
  readonly hidden?: number;
  /** Irregularities of the part. */
  readonly notes: readonly string[];
  readonly children: readonly TracePart[];
}

/** The reply of a call, part by part. */
export interface ReplyParts {
  readonly parts: readonly TracePart[];
  /** Irregularities of the reply as a whole, and what was left out. */
  readonly notes: readonly string[];
}

/** The maximum number of characters of one part, and of a whole reply, that are sent to a view. */
const MAX_OF_PART = 20_000;
const MAX_OF_REPLY = 400_000;

/** Cuts long texts to their beginnings; `hidden` has the number of characters that were cut off. */
export function cutTexts({ parts, notes }: ReplyParts): ReplyParts {
  const left = { characters: MAX_OF_REPLY };
  return { parts: parts.map(part => cutText(part, left)), notes };
}

function cutText(part: TracePart, left: { characters: number }): TracePart {
  const { text = '' } = part;
  const remaining = Math.min(MAX_OF_PART, left.characters);
  const shown = text.length > remaining ? startOf(text, remaining) : text;
  left.characters -= shown.length;
  return {
    ...part,
    ...(shown === text ? {} : { text: shown, hidden: text.length - shown.length }),
    children: part.children.map(child => cutText(child, left)),
  };
}
