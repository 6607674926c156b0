import type { AiclRuleCode } from '../../core/catalog/aicl-rules.ts';
import type { ValueKind } from '../../core/catalog/aicl.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { Span } from '../../core/text/span.ts';
import type { PartList } from './parts.ts';
import type { StreamId } from './stream-id.ts';

/**
 * A stretch of a file that stands for itself: a message, a fragment of one (a value or a run of pairs), a container
 * line, or text that is none of these. Units do not overlap, and only white space lies between them.
 */
export interface Unit extends UnitContent {
  readonly start: number;
  readonly end: number;
}

/** What is known of a unit wherever it stands: an edit elsewhere in the file leaves it as it is. */
export interface UnitContent {
  readonly kind: UnitKind;
  readonly length: number;
  /** How far from its start the text was looked at to read it: more than its length. */
  readonly readLength: number;
  /** True for a unit that goes on over a line end. */
  readonly isMultiline: boolean;
  /** True where the grammar accepts the unit as it stands. */
  readonly isAccepted: boolean;
  readonly summary: MessageSummary;
  /** What is wrong with it, in offsets from its start. */
  readonly issues: readonly Issue<AiclRuleCode>[];
  /** The lexemes of a long unit, as they stood when it was read. */
  readonly parts?: PartList;
}

export type UnitKind = 'message' | 'fragment' | 'container' | 'foreign';

/**
 * What is said of a message without reading it again: what lists and lenses show, and what tells how it hangs together
 * with others. Texts are empty where the field is missing. Offsets count from the unit's start.
 */
export interface MessageSummary {
  readonly messageType: string;
  readonly session: string;
  /** The tool, query or task; what a list of calls shows. */
  readonly title: string;
  /** Where the value of `msg_type` starts; -1 where there is none. */
  readonly typeAt: number;
  /** The type that a query's `data_format` names. */
  readonly wantedKind: ValueKind | undefined;
  /** What `data` or `content` holds, and where it starts; -1 where there is none. */
  readonly dataKind: ValueKind | undefined;
  readonly dataAt: number;
  /** True where it has a signature, which a change of the message breaks. */
  readonly isSigned: boolean;
  /** Its place in a stream, where it is a chunk of one. */
  readonly chunk: ChunkSummary | undefined;
}

/** A chunk, and where its stream id is written. */
export interface ChunkSummary extends StreamId, Span {}
