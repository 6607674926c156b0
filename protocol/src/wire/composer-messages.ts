import { LANGUAGES } from '../catalog/languages.ts';
import type { PackedTokens } from '../language/tokens.ts';
import { hasShape, isRecord } from './guard.ts';

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

const DRAFT_STEPS = ['draft', 'complete', 'send', 'sendAnyway', 'open', 'save'] as const;

/**
 * The page to the extension: what is written now; what may be written at the cursor; send it, also in spite of errors and
 * doubts; open or save it as a file.
 */
export interface DraftStep {
  readonly type: (typeof DRAFT_STEPS)[number];
  readonly draft: Draft;
  /** Drafts are counted: what is answered about an older one is too late. */
  readonly number: number;
  /** The offset in the text. */
  readonly cursor: number;
}

const PLAIN_STEPS = ['ready', 'stop', 'openReply', 'showRaw'] as const;

/** The page to the extension: its script runs; stop the request; open the reply in an editor, or what was on the wire. */
export interface ComposerPlain {
  readonly type: (typeof PLAIN_STEPS)[number];
}

export type FromComposer = DraftStep | ComposerPlain;

/** Guards what arrives in the page. */
export function isToComposer(value: unknown): value is ToComposer {
  if (!isRecord(value)) return false;
  const { type, agents, draft, state, issues, tokens, requests, items } = value;
  switch (type) {
    case 'show':
      return Array.isArray(agents) && agents.every(isAgent) && isDraft(draft);
    case 'state':
      return hasShape(value, { words: 'string' }) && COMPOSER_STATES.some(name => name === state);
    case 'reply':
      return hasShape(value, { text: 'string' });
    case 'checked':
      return (
        hasShape(value, { draft: 'number' }) &&
        Array.isArray(issues) &&
        issues.every(isIssue) &&
        isNumbers(tokens) &&
        isNumbers(requests)
      );
    case 'proposals':
      return hasShape(value, { draft: 'number' }) && Array.isArray(items) && items.every(isProposal);
    default:
      return false;
  }
}

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every(each => typeof each === 'number');
}

function isIssue(value: unknown): boolean {
  return (
    hasShape(value, { message: 'string' }) &&
    ISSUE_SEVERITIES.some(severity => severity === value['severity']) &&
    (value['place'] === undefined ||
      hasShape(value['place'], { line: 'number', start: 'number', end: 'number' }))
  );
}

function isProposal(value: unknown): boolean {
  return (
    hasShape(value, { label: 'string', detail: 'string', start: 'number', end: 'number', text: 'string' }) &&
    hasShape(value['select'], { start: 'number', end: 'number' })
  );
}

/** Guards what arrives from the page. */
export function isFromComposer(value: unknown): value is FromComposer {
  if (!isRecord(value)) return false;
  const { type, draft } = value;
  if (DRAFT_STEPS.some(step => step === type))
    return isDraft(draft) && hasShape(value, { number: 'number', cursor: 'number' });
  return PLAIN_STEPS.some(step => step === type);
}

function isAgent(value: unknown): value is ComposerAgent {
  return hasShape(value, { name: 'string' }) && isForm(value['form']);
}

function isForm(value: unknown): value is DraftForm {
  return DRAFT_FORMS.some(({ id }) => id === value);
}

/** Guards what was kept of a draft, too. */
export function isDraft(value: unknown): value is Draft {
  return hasShape(value, { agent: 'string', text: 'string' }) && isForm(value['form']);
}
