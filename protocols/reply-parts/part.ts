import type { MediaKind } from '../../core/catalog/media.ts';
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

/** A picture, sound, video or file of a reply. */
export interface PartMedium {
  readonly kind: MediaKind;
  /** The stated media type, else one recognised from the first bytes; missing if unknown. */
  readonly mediaType?: string;
  readonly name?: string;
  /** Its bytes, with the escapes of JSON. */
  readonly base64?: string;
  /** Where it is, if it is not in the reply. */
  readonly address?: string;
  /** The number of characters of Base64 that were left out; missing if 0. */
  readonly hidden?: number;
}

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
  readonly medium?: PartMedium;
  /** The id that a tool call and its output have in common; missing if the agent states none. */
  readonly callId?: string;
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

/** The maximum number of characters of a view: in the text of one part, in all texts, and in all media. */
export interface ViewLimits {
  readonly part: number;
  readonly texts: number;
  readonly media: number;
}

/** Cuts long texts to their beginnings, and leaves out media that are too large; `hidden` has what is missing. */
export function cutTexts({ parts, notes }: ReplyParts, limits: ViewLimits): ReplyParts {
  const left = { ...limits };
  return { parts: parts.map(part => cutText(part, left)), notes };
}

function cutText(part: TracePart, left: { part: number; texts: number; media: number }): TracePart {
  const { text = '', medium } = part;
  const remaining = Math.min(left.part, left.texts);
  const shown = text.length > remaining ? startOf(text, remaining) : text;
  left.texts -= shown.length;
  return {
    ...part,
    ...(shown === text ? {} : { text: shown, hidden: text.length - shown.length }),
    ...(medium && { medium: cutMedium(medium, left) }),
    children: part.children.map(child => cutText(child, left)),
  };
}

function cutMedium(medium: PartMedium, left: { media: number }): PartMedium {
  const { base64 = '', ...about } = medium;
  if (base64.length > left.media) return { ...about, hidden: base64.length };
  left.media -= base64.length;
  return medium;
}
