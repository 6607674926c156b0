import { LANGUAGES, type LanguageId } from '../../../core/catalog/languages.ts';
import { isBoolean, isNumber, isOneOf, isOptional, isShape, isString } from '../../../core/guard.ts';
import type { CallOutcome } from '../agent-service.ts';

/** A request that was sent, with what came of it. Secrets are out of both texts. */
export interface HistoryEntry {
  /** The call's id in the traces. */
  readonly call: string;
  /** When it was sent, as milliseconds since 1970. */
  readonly at: number;
  readonly agent: string;
  readonly title: string;
  readonly language: LanguageId;
  /** What was asked. */
  readonly asked: string;
  /** True where a secret was replaced in it: it cannot go out again as it stands. */
  readonly isRedacted: boolean;
  /** What came. */
  readonly text: string;
  readonly status: CallOutcome['status'];
  readonly code?: string;
  readonly message?: string;
  readonly isProtocol: boolean;
  /** Milliseconds until its end. */
  readonly duration?: number;
  /** The milliseconds that the request was given by its file. */
  readonly timeout?: number;
  /** Where the request stands in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
}

/** Guards what a file of the workspace's storage holds. */
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
