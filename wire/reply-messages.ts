import { MESSAGE_LANGUAGES } from '../core/catalog/languages.ts';
import type { MessageLanguage } from '../core/catalog/protocols.ts';
import type { CallStatus } from '../core/events/events.ts';
import { isMessage, isNumber, isOneOf, isString, type Guarded } from '../core/guard.ts';
import type { SentPart } from './reply-growth.ts';

/** The views of a reply that the page draws. The others are documents in an editor, one for each message language. */
export const PAGE_VIEWS = ['read', 'raw', 'json'] as const;
export type PageViewName = (typeof PAGE_VIEWS)[number];
export type ReplyViewName = PageViewName | MessageLanguage;

/** Extension to page: the call whose reply is shown, and its state. Sent first, and when the state changes. */
export interface ShowReply {
  readonly type: 'show';
  readonly call: string;
  readonly title: string;
  readonly status: CallStatus;
  /** The outcome in words, such as `ok · 41 ms`. */
  readonly outcome: string;
  /** Why the call failed, as a sentence; missing if it did not. */
  readonly failure?: string;
  /** Facts in words, such as `first byte 12 ms`. */
  readonly facts: readonly string[];
  readonly notes: readonly string[];
  readonly view: PageViewName;
  /** What is hidden while the view is paused, in words; missing if it is not paused. */
  readonly pause?: string;
}

/** Extension to page: the parts of the reply so far. The next ones are sent after `drawn`. */
export interface ReportReply {
  readonly type: 'parts';
  readonly call: string;
  readonly parts: readonly SentPart[];
  readonly notes: readonly string[];
  /** The text of a reply without parts, which is in no form that is known. */
  readonly unread: string;
}

/** Extension to page: the text of the raw view or the JSON view: `prefix` characters of the one before, then `added`. */
export interface ReportText {
  readonly type: 'text';
  readonly call: string;
  readonly view: 'raw' | 'json';
  readonly prefix: number;
  readonly added: string;
}

export type ToReply = ShowReply | ReportReply | ReportText;

const isPageView = isOneOf(PAGE_VIEWS);

/** True for the language of a view that is a document. */
export const isTextView = isOneOf(MESSAGE_LANGUAGES.map(({ id }) => id));

export function isReplyView(value: unknown): value is ReplyViewName {
  return isPageView(value) || isTextView(value);
}

/** Guards messages from the page. */
export const isFromReply = isMessage({
  /** Shows another view. */
  view: { view: isReplyView },
  copy: { text: isString },
  /** Opens an address of the reply after a question. */
  openLink: { address: isString },
  /** Opens the medium of a part in VS Code, or saves it. */
  openMedium: { part: isString },
  /** The width of the page in pixels. */
  width: { width: isNumber },
  /** The script is ready. */
  ready: {},
  /** A message was drawn. */
  drawn: {},
  /** Opens what is shown as text. */
  openText: {},
  pause: {},
  resume: {},
  /** Stops the call. */
  stop: {},
  /** Shows the call in its trace. */
  openCall: {},
});

export type FromReply = Guarded<typeof isFromReply>;
