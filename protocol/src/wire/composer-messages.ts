import { LANGUAGES } from '../catalog/languages.ts';
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

/** The extension to the page: the agents that there are, and what was written before. */
export interface ShowComposer {
  readonly type: 'show';
  readonly agents: readonly string[];
  readonly draft: Draft;
}

/** The extension to the page: what becomes of the request. */
export interface ComposerState {
  readonly type: 'state';
  readonly state: 'idle' | 'working' | 'ok' | 'error';
  readonly words: string;
}

/** The extension to the page: the reply so far. */
export interface ComposerReply {
  readonly type: 'reply';
  readonly text: string;
}

export type ToComposer = ShowComposer | ComposerState | ComposerReply;

/** The page to the extension: what is written now; send it; open or save it as a file. */
export interface DraftStep {
  readonly type: 'draft' | 'send' | 'open' | 'save';
  readonly draft: Draft;
}

/** The page to the extension: its script runs; stop the request; open the reply in an editor. */
export interface ComposerPlain {
  readonly type: 'ready' | 'stop' | 'openReply';
}

export type FromComposer = DraftStep | ComposerPlain;

/** Guards what arrives in the page. */
export function isToComposer(value: unknown): value is ToComposer {
  if (!isRecord(value)) return false;
  const { type, agents, draft, state } = value;
  switch (type) {
    case 'show':
      return Array.isArray(agents) && agents.every(name => typeof name === 'string') && isDraft(draft);
    case 'state':
      return (
        hasShape(value, { words: 'string' }) &&
        ['idle', 'working', 'ok', 'error'].some(name => name === state)
      );
    case 'reply':
      return hasShape(value, { text: 'string' });
    default:
      return false;
  }
}

/** Guards what arrives from the page. */
export function isFromComposer(value: unknown): value is FromComposer {
  if (!isRecord(value)) return false;
  const { type, draft } = value;
  switch (type) {
    case 'draft':
    case 'send':
    case 'open':
    case 'save':
      return isDraft(draft);
    default:
      return type === 'ready' || type === 'stop' || type === 'openReply';
  }
}

/** Guards what was kept of a draft, too. */
export function isDraft(value: unknown): value is Draft {
  return (
    hasShape(value, { agent: 'string', text: 'string' }) && DRAFT_FORMS.some(({ id }) => id === value['form'])
  );
}
