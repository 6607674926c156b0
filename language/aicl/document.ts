import type { Settings } from '../../core/catalog/settings.ts';
import type { AiclRuleCode } from '../../core/catalog/aicl-rules.ts';
import type { ParsedText } from '../support.ts';
import type { AgentTools } from '../tools.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { Characters } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../work.ts';
import type { UnitTree } from './ast.ts';
import type { Fault } from './faults.ts';
import type { KnownFields } from './known-fields.ts';
import type { PartList } from './parts.ts';
import type { UnitKind } from './unit.ts';
import type { UnitList } from './unit-list.ts';

/** A unit with its tree, as the rules receive it. */
export interface UnitReading {
  /** A text that contains the unit from offset `base` on. Offsets in the tree are relative to `base`. */
  readonly text: Characters;
  readonly base: number;
  /** The span of the unit in the document. */
  readonly start: number;
  readonly end: number;
  /** The offset after the last character that the reading depends on. */
  readonly readTo: number;
  readonly kind: UnitKind;
  readonly tree: UnitTree | undefined;
  readonly faults: readonly Fault[];
  /** True if no rule for single values, texts or keys finds anything in it, as the scanner saw. */
  readonly isPlain?: boolean | undefined;
  /** The lexemes of a long unit. */
  readonly parts?: PartList;
}

/** Checks one unit; the document calls it for each unit that it reads. */
export type UnitCheck = (
  reading: UnitReading,
  settings: Settings,
  fields: KnownFields,
) => readonly Issue<AiclRuleCode>[];

/** Lengths that affect how a file is read but not the result; tests use short ones. */
export interface ReadLimits {
  /** Longer units retain their lexemes, so that an edit causes only a part to be read. */
  readonly longUnit: number;
  /** Maximum length of an accepted unit without lexemes; equal to `longUnit` if edits are expected. */
  readonly longAccepted?: number;
  /** Approximate number of characters in a run of entries. */
  readonly run: number;
}

export interface AiclDocument extends ParsedText {
  readonly units: UnitList;
  readonly limits: ReadLimits;
  /** The number of units that the grammar rejects. */
  readonly broken: number;
  /** The tools that agents report. */
  readonly others: AgentTools;
  /** Counts the work of reading. */
  readonly work: WorkCounter;
}
