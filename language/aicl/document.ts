import type { Settings } from '../../core/catalog/settings.ts';
import type { AiclRuleCode } from '../../core/catalog/aicl-rules.ts';
import type { ParsedText } from '../support.ts';
import type { AgentTools } from '../tools.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { Characters } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import type { UnitTree } from './ast.ts';
import type { Fault } from './faults.ts';
import type { PartList } from './parts.ts';
import type { UnitKind } from './unit.ts';
import type { UnitList } from './unit-list.ts';

/** A unit as it was just read, with its tree: what the rules look at. */
export interface UnitReading {
  /** A text that holds the unit from its offset `base` on. The offsets in the tree count from there. */
  readonly text: Characters;
  readonly base: number;
  /** Where the unit lies in the document. */
  readonly start: number;
  readonly end: number;
  /** The offset after the last character that the reading depends on. */
  readonly readTo: number;
  readonly kind: UnitKind;
  readonly tree: UnitTree | undefined;
  readonly faults: readonly Fault[];
  /** The lexemes of a long unit. */
  readonly parts?: PartList;
}

/** The rules, as the document asks them for each unit. */
export type UnitCheck = (reading: UnitReading, settings: Settings) => readonly Issue<AiclRuleCode>[];

/** Lengths that decide how a file is read, never what the reading is; tests ask for short ones. */
export interface ReadLimits {
  /** A unit longer than this keeps its lexemes, so that an edit reads a part of it. */
  readonly longUnit: number;
  /** About how many characters one of its runs of entries has. */
  readonly run: number;
}

export interface AiclDocument extends ParsedText {
  readonly units: UnitList;
  readonly limits: ReadLimits;
  /** How many units are not accepted. */
  readonly broken: number;
  /** What agents say of their tools. */
  readonly others: AgentTools;
  /** What reading it took so far. */
  readonly work: WorkCounter;
}
