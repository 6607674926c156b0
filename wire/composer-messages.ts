import type { LanguageId } from '../core/catalog/languages.ts';
import type { ReplyParts } from '../protocols/reply-parts/part.ts';
import {
  isListOf,
  isMessage,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
  type Guard,
  type Guarded,
} from '../core/guard.ts';
import type { ComposerChecked, ComposerProposals } from './composer-texts.ts';
import { isFromForm, type ToForm } from './form-messages.ts';

/** How a request is written: a chat, the form of a tool, or a text in a language. */
export const COMPOSER_MODES = [
  { id: 'chat', title: 'Chat' },
  { id: 'tools', title: 'Tools' },
  { id: 'agent-json', title: 'JSON' },
  { id: 'aicf', title: 'AICF' },
  { id: 'aicl', title: 'AICL' },
] as const;

export type ComposerMode = (typeof COMPOSER_MODES)[number]['id'];

/** The modes in which a request is a text with a language. */
export type TextMode = LanguageId;

export function isTextMode(mode: ComposerMode): mode is TextMode {
  return mode !== 'chat' && mode !== 'tools';
}

/** A text to send. */
export interface Draft {
  /** The name of an agent; empty if there is none. */
  readonly agent: string;
  readonly mode: ComposerMode;
  readonly text: string;
}

/** An agent that can be selected, with the modes that it takes; the first one is its own. */
export interface ComposerAgent {
  readonly name: string;
  /** The short title of its protocol. */
  readonly protocol: string;
  readonly modes: readonly ComposerMode[];
}

/** Extension to page: the available agents, and the draft of the selected one. */
export interface ShowComposer {
  readonly type: 'show';
  readonly agents: readonly ComposerAgent[];
  readonly draft: Draft;
  /** An example of a request in this mode. */
  readonly example: string;
  /** The number of the last `choose` that it takes into account. */
  readonly choice: number;
  /** True to put the focus into the input. */
  readonly takesFocus: boolean;
}

/** A request with the reply to it, which may still grow. */
export interface ComposerReply {
  /** The state of the request; one that is `held` was not sent, and can be sent anyway. */
  readonly state: 'idle' | 'working' | 'ok' | 'error' | 'stopped' | 'held';
  readonly words: string;
  /** The id of its call; empty if nothing was sent. */
  readonly call: string;
  /** The completed share that the agent reported, from 0 to 1. */
  readonly share?: number;
  /** What was received; absent before the first of it, and while it is folded. */
  readonly parts?: ReplyParts;
}

/** Extension to page: the request of a text or of a form, and the reply to it. */
export interface ReportReply {
  readonly type: 'reply';
  readonly reply: ComposerReply;
}

/** The maximum size of the files of a message, in bytes. */
export const MOST_FILE_BYTES = 20_000_000;

/** A file that is sent with a message. */
export interface AttachedFile {
  readonly id: number;
  readonly name: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
}

/** A file with its bytes. */
export interface FileContent {
  readonly name: string;
  readonly mimeType: string;
  readonly base64: string;
}

/** A message of the user with the reply of the agent. */
export interface ChatTurn {
  readonly id: number;
  readonly text: string;
  readonly files: readonly AttachedFile[];
  readonly reply: ComposerReply;
  /** What the agent asks; the next message answers it. Empty if it asks nothing. */
  readonly question: string;
  /** True for an older turn of which only the beginning of each text is here. */
  readonly isFolded: boolean;
}

/** Extension to page: the conversation with the selected agent. */
export interface ShowChat {
  readonly type: 'chat';
  readonly turns: readonly ChatTurn[];
}

/** Extension to page: a turn that is new or has changed. */
export interface ReportTurn {
  readonly type: 'turn';
  readonly turn: ChatTurn;
}

/** Extension to page: the files that the next message carries, and why another one was not taken. */
export interface ShowFiles {
  readonly type: 'files';
  readonly files: readonly AttachedFile[];
  readonly problem: string;
}

/** A tool in the list. */
export interface ComposerTool {
  readonly name: string;
  readonly description: string;
}

/** Extension to page: the tools of the selected agent. */
export interface ShowTools {
  readonly type: 'tools';
  readonly state: 'unknown' | 'loading' | 'loaded';
  readonly tools: readonly ComposerTool[];
  /** Why its tools are unknown; empty if they are not, or if it was not asked. */
  readonly problem: string;
  /** The tool whose form is open; empty for the list. */
  readonly open: string;
}

/** Extension to page: a message to the form of the open tool. */
interface ToOpenForm {
  readonly type: 'form';
  readonly message: ToForm;
}

export type ToComposer =
  | ShowComposer
  | ReportReply
  | ShowChat
  | ReportTurn
  | ShowFiles
  | ShowTools
  | ToOpenForm
  | ComposerChecked
  | ComposerProposals;

export const isComposerMode: Guard<ComposerMode> = isOneOf(COMPOSER_MODES.map(({ id }) => id));

const isDraft: Guard<Draft> = isShape({ agent: isString, mode: isComposerMode, text: isString });

const isFile: Guard<FileContent> = isShape({ name: isString, mimeType: isString, base64: isString });

/** The draft with its number, so that answers about an older one are ignored, and the cursor as an offset in it. */
const STEP = { draft: isDraft, number: isNumber, cursor: isNumber };

/** Guards messages from the page. */
export const isFromComposer = isMessage({
  /** The draft changed. */
  draft: STEP,
  /** Complete it at the cursor. */
  complete: STEP,
  send: STEP,
  /** Send it also in spite of errors and warnings. */
  sendAnyway: STEP,
  /** Open it as a file. */
  open: STEP,
  save: STEP,
  /**
   * Another agent, or another mode of it, was selected; without a mode, that used last with it. `choice` counts these
   * messages.
   */
  choose: { agent: isString, mode: isOptional(isComposerMode), choice: isNumber },
  /** Files for the next message, which were pasted or dropped. */
  attach: { files: isListOf(isFile) },
  /** Remove a file of the next message. */
  detach: { file: isNumber },
  /**
   * Show all of a turn; send its message again, also in spite of warnings; have another agent answer what its agent
   * asks.
   */
  turnStep: { step: isOneOf(['unfold', 'sendAgain', 'sendAnyway', 'forward'] as const), turn: isNumber },
  /** Open the form of a tool, or the list if the name is empty. */
  openTool: { tool: isString },
  /** Open an address of a reply after a question. */
  openLink: { text: isString },
  copy: { text: isString },
  /** Show a call on its timeline, or its traffic. */
  showCall: { what: isOneOf(['timeline', 'raw'] as const), call: isString },
  /** A message of the form of the open tool. */
  form: { message: isFromForm },
  /** The script is ready. */
  ready: {},
  /** Cancel the request. */
  stop: {},
  newConversation: {},
  /** Choose files to attach. */
  pickFiles: {},
  addAgent: {},
  /** Ask the agent for its tools. */
  loadTools: {},
});

export type FromComposer = Guarded<typeof isFromComposer>;
export type DraftStep = Extract<
  FromComposer,
  { type: 'draft' | 'complete' | 'send' | 'sendAnyway' | 'open' | 'save' }
>;
export type TurnStep = Extract<FromComposer, { type: 'turnStep' }>;
export type ShowCall = Extract<FromComposer, { type: 'showCall' }>;
