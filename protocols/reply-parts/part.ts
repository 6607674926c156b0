import type { CallStatus } from '../../core/events/events.ts';

/** What a part of a reply is, for people. */
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
  request: 'Asks back',
  stream: 'Stream',
  chunk: 'Chunk',
  result: 'Result',
  error: 'Error',
  exchange: 'Earlier exchange',
} as const;

export type PartKind = keyof typeof PART_WORDS;

/** A part of the reply of a call: a message of it, a content, a tool call, a line of progress. */
export interface TracePart {
  /** Tells it from the other parts of its call, also when more of the reply came. */
  readonly id: string;
  readonly kind: PartKind;
  /** What it is called, such as the tool, the artifact or the state; empty where its kind says all. */
  readonly title: string;
  /** `open` where more of it may come; `incomplete` where it was cut. */
  readonly status: CallStatus;
  /** When its first byte came; milliseconds since 1970, as all times here. */
  readonly at: number;
  /** When its last piece was whole. */
  readonly until: number;
  /** Events, lines or messages in which it came. */
  readonly pieces: number;
  /** When they came, at most 512 of them, evenly left out where there were more. */
  readonly ticks: readonly number[];
  /** What it says; undefined where it says nothing but its title. */
  readonly text?: string;
  /** Characters of the text that are not here; 0 where it is not said. */
  readonly hidden?: number;
  /** What is odd about it. */
  readonly notes: readonly string[];
  readonly children: readonly TracePart[];
}

/** What came back for a call, part by part. */
export interface ReplyParts {
  readonly parts: readonly TracePart[];
  /** What is odd about the reply as a whole, and what of it is not here. */
  readonly notes: readonly string[];
}
