import type { PackedTokens } from '../language/tokens.ts';

/**
 * An issue that the language server reports. Offsets refer to the
 * draft's text; without `place` it applies to the whole draft.
 */
export interface ComposerIssue {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  readonly place?: {
    /** From 1. */
    readonly line: number;
    readonly start: number;
    readonly end: number;
  };
}

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
