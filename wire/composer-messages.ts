import { MESSAGE_LANGUAGES } from '../core/catalog/languages.ts';
import type { PackedTokens } from '../language/tokens.ts';
import { isListOf, isMessage, isNumber, isOneOf, isOptional, isShape, isString } from '../core/guard.ts';

/** The forms of a draft: a request in one of our languages, or plain text, which becomes a task. */
export const DRAFT_FORMS = [
  ...MESSAGE_LANGUAGES.map(({ id, title }) => ({ id, title })),
  { id: 'plain', title: 'Plain text' },
] as const;

export type DraftForm = (typeof DRAFT_FORMS)[number]['id'];

/** The content of the composer. */
export interface Draft {
  /** The name of an agent; empty if none is selected. */
  readonly agent: string;
  readonly form: DraftForm;
  readonly text: string;
}

/** An agent that can be selected, and the form that is proposed for it while the draft is empty. */
export interface ComposerAgent {
  readonly name: string;
  readonly form: DraftForm;
}

/** Extension to page: the available agents, and the draft to restore. */
export interface ShowComposer {
  readonly type: 'show';
  readonly agents: readonly ComposerAgent[];
  readonly draft: Draft;
}

/** Extension to page: the state of the request; one that is `held` can be sent anyway. */
export interface ComposerState {
  readonly type: 'state';
  readonly state: (typeof COMPOSER_STATES)[number];
  readonly words: string;
}

const COMPOSER_STATES = ['idle', 'working', 'ok', 'error', 'held'] as const;

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

/** Extension to page: the reply received so far. */
export interface ComposerReply {
  readonly type: 'reply';
  readonly text: string;
}

export type ToComposer = ShowComposer | ComposerState | ComposerReply | ComposerChecked | ComposerProposals;

/**
 * Page to extension: the draft changed; complete it at the cursor; send it, also in spite of errors and
 * warnings; open it or save it as a file.
 */
export interface DraftStep {
  readonly type: 'draft' | 'complete' | 'send' | 'sendAnyway' | 'open' | 'save';
  readonly draft: Draft;
  /** The number of the draft; answers about an older one are ignored. */
  readonly number: number;
  /** An offset in the text. */
  readonly cursor: number;
}

/** Page to extension: the script is ready; cancel the request; open the reply in an editor; show the traffic. */
export interface ComposerPlain {
  readonly type: 'ready' | 'stop' | 'openReply' | 'showRaw';
}

export type FromComposer = DraftStep | ComposerPlain;

const isForm = isOneOf(DRAFT_FORMS.map(({ id }) => id));

/** Also guards a draft that was stored. */
export const isDraft = isShape<Draft>({ agent: isString, form: isForm, text: isString });

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

/** Guards messages that the page receives. */
export const isToComposer = isMessage<ToComposer>({
  show: { agents: isListOf(isShape<ComposerAgent>({ name: isString, form: isForm })), draft: isDraft },
  state: { state: isOneOf(COMPOSER_STATES), words: isString },
  reply: { text: isString },
  checked: {
    draft: isNumber,
    issues: isListOf(isIssue),
    tokens: isListOf(isNumber),
    requests: isListOf(isNumber),
  },
  proposals: { draft: isNumber, items: isListOf(isProposal) },
});

const STEP = { draft: isDraft, number: isNumber, cursor: isNumber };

/** Guards messages from the page. */
export const isFromComposer = isMessage<FromComposer>({
  draft: STEP,
  complete: STEP,
  send: STEP,
  sendAnyway: STEP,
  open: STEP,
  save: STEP,
  ready: {},
  stop: {},
  openReply: {},
  showRaw: {},
});
