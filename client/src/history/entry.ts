import { LANGUAGES, type LanguageId } from '../../../core/catalog/languages.ts';
import { isBoolean, isNumber, isOneOf, isOptional, isShape, isString } from '../../../core/guard.ts';
import type { CallOutcome } from '../agent-service.ts';

/** A sent request and its outcome. Secrets are removed from both texts. */
export interface HistoryEntry {
  /** The call's id in the traces. */
  readonly call: string;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly agent: string;
  readonly title: string;
  readonly language: LanguageId;
  /** The text of the request. */
  readonly asked: string;
  /** True if a secret was replaced in the request, so it cannot be sent again unchanged. */
  readonly isRedacted: boolean;
  /** The text of the reply. */
  readonly text: string;
  readonly status: CallOutcome['status'];
  readonly code?: string;
  readonly message?: string;
  readonly isProtocol: boolean;
  /** Milliseconds until the call ended. */
  readonly duration?: number;
  /** The time-out that its file set, in milliseconds. */
  readonly timeout?: number;
  /** The position of the request in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
}

/** Validates entries read from the workspace's storage. */
export const isEntry = isShape<HistoryEntry>({
  call: isString,
  at: isNumber,
  agent: isString,
  title: isString,
  language: isOneOf(LANGUAGES.map(({ id }) => id)),
  asked: isString,
  isRedacted: isBoolean,
  text: isString,
  status: isOneOf(['ok', 'error', 'cancelled', 'incomplete'] as const),
  code: isOptional(isString),
  message: isOptional(isString),
  isProtocol: isBoolean,
  duration: isOptional(isNumber),
  timeout: isOptional(isNumber),
  source: isOptional(isShape<Required<HistoryEntry>['source']>({ uri: isString, line: isNumber })),
});
