import type { Block, BlockNotes } from '../../aicf/blocks.ts';
import type { AicfRuleCode } from '../../../core/catalog/aicf-rules.ts';
import type { Settings } from '../../../core/catalog/settings.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { sortByPlace } from '../cap.ts';
import { moveIssue } from '../move-issue.ts';
import { isOff, weighIssue } from '../severities.ts';
import { buildIssue, isErrorIn, type IssueDraft } from './report.ts';
import { NO_NAMES, type NameFinder } from './similar-names.ts';

/** Maximum number of issues of a file that suggest similar names for misspelt ones; usually more than are listed. */
const MAX_COMPARED = 2_000;

/** The way in which the blocks of a file are checked. */
interface BlockCheck<Basis, State> {
  readonly notes: BlockNotes<BlockIssues<Basis, State>>;
  readonly settings: Settings;
  readonly names: NameFinder;
  /** The maximum number of issues wanted. */
  readonly max: number;
  /** True if two blocks with the same text and these bases have the same issues. */
  readonly isSame: (one: Basis, other: Basis) => boolean;
  /** Checks a block and returns the state on which the next blocks depend. */
  readonly check: (block: Block, basis: Basis, report: (draft: IssueDraft) => void) => State;
}

/** The cached result of checking a block. */
export interface BlockIssues<Basis, State> {
  readonly settings: Settings;
  readonly basis: Basis;
  readonly state: State;
  readonly count: number;
  /** The number of issues that are errors. */
  readonly errors: number;
  /** The issues in text order, relative to the block's start; undefined if they were only counted. */
  readonly issues: readonly Issue<AicfRuleCode>[] | undefined;
  /** The number of issues, from the first on, for which similar names were searched. */
  readonly compared: number;
}

/** The first issues of a file in text order, and the total number. */
export interface FoundIssues {
  readonly issues: readonly Issue<AicfRuleCode>[];
  readonly count: number;
  /** The number of errors among the issues that are not listed. */
  readonly errors: number;
}

/**
 * Collects the issues of a file block by block. Unchanged blocks in the same context are not read again.
 * After the first `max` issues the rest is only counted.
 */
export class IssueCollector<Basis, State> {
  readonly #how: BlockCheck<Basis, State>;
  readonly #issues: Issue<AicfRuleCode>[] = [];
  #count = 0;
  #errors = 0;

  constructor(how: BlockCheck<Basis, State>) {
    this.#how = how;
  }

  get found(): FoundIssues {
    const listed = this.#issues.filter(({ severity }) => severity === 'error').length;
    return { issues: this.#issues, count: this.#count, errors: this.#errors - listed };
  }

  /** Adds the issues of the next block; returns the state after it. */
  add(block: Block, basis: Basis): State {
    const { notes, max } = this.#how;
    const note = this.#keep(block, basis) ?? notes.set(block, this.#read(block, basis));
    if (this.#count < max && note.issues) {
      for (const issue of note.issues) {
        if (this.#issues.length === max) break;
        this.#issues.push(moveIssue(issue, block.start));
      }
    }
    this.#count += note.count;
    this.#errors += note.errors;
    return note.state;
  }

  /** The cached result of a block, if it is valid and sufficient. */
  #keep(block: Block, basis: Basis): BlockIssues<Basis, State> | undefined {
    const { notes, settings, max, isSame } = this.#how;
    const note = notes.find(block);
    if (!note || note.settings !== settings || !isSame(note.basis, basis)) return undefined;
    const isEnough = this.#count >= max || (note.issues && note.compared === this.#toCompare(note.count));
    return isEnough ? note : undefined;
  }

  #read(block: Block, basis: Basis): BlockIssues<Basis, State> {
    const { settings, max, check } = this.#how;
    const drafts: IssueDraft[] = [];
    const state = check(block, basis, draft => {
      if (!isOff(draft.code, settings)) drafts.push(draft);
    });
    const count = drafts.length;
    const compared = this.#toCompare(count);
    const issues = this.#count < max ? this.#build(drafts, block, compared) : undefined;
    const errors = drafts.filter(({ code }) => isErrorIn(settings, code)).length;
    return { settings, basis, state, count, errors, issues, compared };
  }

  #build(drafts: readonly IssueDraft[], { start }: Block, compared: number): readonly Issue<AicfRuleCode>[] {
    const { names, settings } = this.#how;
    return sortByPlace(drafts).map((draft, index) => {
      const issue = buildIssue(draft, index < compared ? names : NO_NAMES);
      return moveIssue(weighIssue(issue, settings), -start);
    });
  }

  #toCompare(count: number): number {
    return Math.max(0, Math.min(count, MAX_COMPARED - this.#count));
  }
}
