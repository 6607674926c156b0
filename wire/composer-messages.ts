import { LANGUAGES } from '../core/catalog/languages.ts';
import type { PackedTokens } from '../language/tokens.ts';
import { isListOf, isMessage, isNumber, isOneOf, isOptional, isShape, isString } from '../core/guard.ts';

/** What is written into the composer: a request in one of our languages, or plain words, which are a task. */
export const DRAFT_FORMS = [
  ...LANGUAGES.map(({ id, title }) => ({ id, title })),
  { id: 'plain', title: 'Plain text' },
] as const;

export type DraftForm = (typeof DRAFT_FORMS)[number]['id'];

/** What is written and to whom. */
export interface Draft {
  /** The name of an agent; empty where none is chosen. */
  readonly agent: string;
  readonly form: DraftForm;
  readonly text: string;
}

/** An agent that may be asked, and the form that is proposed for that while nothing is written. */
export interface ComposerAgent {
  readonly name: string;
  readonly form: DraftForm;
}

/** The extension to the page: the agents that there are, and what was written before. */
export interface ShowComposer {
  readonly type: 'show';
  readonly agents: readonly ComposerAgent[];
  readonly draft: Draft;
}

/** The extension to the page: what becomes of the request; one that is `held` may be sent anyway. */
export interface ComposerState {
  readonly type: 'state';
  readonly state: (typeof COMPOSER_STATES)[number];
  readonly words: string;
}

const COMPOSER_STATES = ['idle', 'working', 'ok', 'error', 'held'] as const;

/** A finding of the language server. Offsets count in the draft's text; without a place it is about all of it. */
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

/** The extension to the page: what was found in the draft of a number. */
export interface ComposerChecked {
  readonly type: 'checked';
  readonly draft: number;
  readonly issues: readonly ComposerIssue[];
  /** What is coloured in the draft's text. */
  readonly tokens: PackedTokens;
  /** The line, from 0, on which each request begins: one goes out at a time. */
  readonly requests: readonly number[];
}

/** What may be written: it replaces the text from `start` to `end`; afterwards `select` of the whole text is selected. */
export interface ComposerProposal {
  readonly label: string;
  readonly detail: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly select: { readonly start: number; readonly end: number };
}

/** The extension to the page: what may be written at the cursor of the draft of a number. */
export interface ComposerProposals {
  readonly type: 'proposals';
  readonly draft: number;
  readonly items: readonly ComposerProposal[];
}

/** The request, by its number from 0, that a line belongs to: the last that begins on it or above, else the first. */
export function requestAtLine(requests: readonly number[], line: number): number {
  return Math.max(
    0,
    requests.findLastIndex(first => first <= line),
  );
}

/** The extension to the page: the reply so far. */
export interface ComposerReply {
  readonly type: 'reply';
  readonly text: string;
}

export type ToComposer = ShowComposer | ComposerState | ComposerReply | ComposerChecked | ComposerProposals;

/**
 * The page to the extension: what is written now; what may be written at the cursor; send it, also in spite of errors and
 * doubts; open or save it as a file.
 */
export interface DraftStep {
  readonly type: 'draft' | 'complete' | 'send' | 'sendAnyway' | 'open' | 'save';
  readonly draft: Draft;
  /** Drafts are counted: what is answered about an older one is too late. */
  readonly number: number;
  /** The offset in the text. */
  readonly cursor: number;
}

/** The page to the extension: its script runs; stop the request; open the reply in an editor, or what was on the wire. */
export interface ComposerPlain {
  readonly type: 'ready' | 'stop' | 'openReply' | 'showRaw';
}

export type FromComposer = DraftStep | ComposerPlain;

const isForm = isOneOf(DRAFT_FORMS.map(({ id }) => id));

/** Guards what was kept of a draft, too. */
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

/** Guards what arrives in the page. */
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

/** Guards what arrives from the page. */
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
