import type { AiclRuleCode } from '../catalog/aicl-rules.ts';
import type { Issue } from '../text/issue.ts';

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
  /** True where the grammar accepts the unit as it stands. */
  readonly isAccepted: boolean;
  readonly summary: MessageSummary;
  /** What is wrong with it, in offsets from its start. */
  readonly issues: readonly Issue<AiclRuleCode>[];
}

export type UnitKind = 'message' | 'fragment' | 'container' | 'foreign';

/** What lists and lenses show of a message without reading it again; texts are empty where the field is missing. */
export interface MessageSummary {
  readonly messageType: string;
  readonly session: string;
  /** The tool, query or task; what a list of calls shows. */
  readonly title: string;
}
