import type { PackedTokens } from '../language/tokens.ts';
import { isListOf, isNumber, isOneOf, isOptional, isShape, isString } from '../core/guard.ts';

/**
 * An issue that the language server reports. Offsets refer to the
 * draft's text; without `place` it applies to the whole draft.
 */
export interface ComposerIssue {
  readonly severity: (typeof ISSUE_SEVERITIES)[number];
  readonly message: string;
  readonly place?: {
    /** From 1. */
    readonly line: number;
    readonly start: number;
    readonly end: number;
  };
}

const ISSUE_SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/** Extension to page: the issues of the draft with this number. */
export interface ComposerChecked {
  readonly type: 'checked';
  readonly draft: number;
  readonly issues: readonly ComposerIssue[];
  /** The highlighting of the draft's text. */
  readonly tokens: PackedTokens;
  /** The first line of each request, from 0: only one request is sent at a time. */
  readonly requests: readonly number[];
}

/** A completion. It replaces the text from `start` to `end` and then selects `select`, as offsets in the new text. */
export interface ComposerProposal {
  readonly label: string;
  readonly detail: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly select: { readonly start: number; readonly end: number };
}

/** Extension to page: the completions at the cursor of the draft with this number. */
export interface ComposerProposals {
  readonly type: 'proposals';
  readonly draft: number;
  readonly items: readonly ComposerProposal[];
}

/** The index of the request that a line belongs to: the last one that begins at or above it, else the first. */
export function requestAtLine(requests: readonly number[], line: number): number {
  return Math.max(
    0,
    requests.findLastIndex(first => first <= line),
  );
}

const isIssue = isShape<ComposerIssue>({
  severity: isOneOf(ISSUE_SEVERITIES),
  message: isString,
  place: isOptional(
    isShape<Required<ComposerIssue>['place']>({ line: isNumber, start: isNumber, end: isNumber }),
  ),
});
const isProposal = isShape<ComposerProposal>({
  label: isString,
  detail: isString,
  start: isNumber,
  end: isNumber,
  text: isString,
  select: isShape<ComposerProposal['select']>({ start: isNumber, end: isNumber }),
});

/** The guards of the members of `checked` and `proposals`. */
export const CHECKED = {
  draft: isNumber,
  issues: isListOf(isIssue),
  tokens: isListOf(isNumber),
  requests: isListOf(isNumber),
};
export const PROPOSALS = { draft: isNumber, items: isListOf(isProposal) };
