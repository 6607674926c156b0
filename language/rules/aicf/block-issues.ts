import type { Block, BlockNotes } from '../../aicf/blocks.ts';
import type { AicfRuleCode } from '../../../core/catalog/aicf-rules.ts';
import type { Settings } from '../../../core/catalog/settings.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { sortByPlace } from '../cap.ts';
import { moveIssue } from '../move-issue.ts';
import { isOff, weighIssue } from '../severities.ts';
import { buildIssue, isErrorIn, type IssueDraft } from './report.ts';
import { NO_NAMES, type NameFinder } from './similar-names.ts';

/** So many issues of a file say what a misspelt name may have been meant as: more than are listed as a rule. */
const MOST_COMPARED = 2_000;

/** How the blocks of a file are checked. */
interface BlockCheck<Basis, State> {
  readonly notes: BlockNotes<BlockIssues<Basis, State>>;
  readonly settings: Settings;
  readonly names: NameFinder;
  /** So many issues are wanted, the first ones. */
  readonly max: number;
  /** True where the issues of a block depend on the same things besides its text. */
  readonly isSame: (one: Basis, other: Basis) => boolean;
  /** Reads a block, and answers what the next ones depend on. */
  readonly check: (block: Block, basis: Basis, report: (draft: IssueDraft) => void) => State;
}

/** What is known of a block's issues. */
export interface BlockIssues<Basis, State> {
  readonly settings: Settings;
  readonly basis: Basis;
  readonly state: State;
  readonly count: number;
  /** How many of them are errors. */
  readonly errors: number;
  /** In order of their place, counted from the block's start; undefined where they were only counted. */
  readonly issues: readonly Issue<AicfRuleCode>[] | undefined;
  /** How many of them, from the first on, were compared with names. */
  readonly compared: number;
}

/** The first issues of a file in order of their place, and how many there are. */
export interface FoundIssues {
  readonly issues: readonly Issue<AicfRuleCode>[];
  readonly count: number;
  /** How many errors are among those that are only counted. */
  readonly errors: number;
}

/**
 * Collects the issues of a file block by block. Blocks whose text and surroundings are as before are not read; past
 * the first `max` issues the others are counted, and nothing is said of them.
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

  /** Adds the issues of the next block; answers the state after it. */
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

  /** What is known of a block, where it still holds and is enough. */
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
    return Math.max(0, Math.min(count, MOST_COMPARED - this.#count));
  }
}
