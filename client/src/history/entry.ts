import { LANGUAGES, type LanguageId } from '../../../protocol/src/catalog/languages.ts';
import { hasShape, isRecord } from '../../../protocol/src/wire/guard.ts';
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
export function isEntry(value: unknown): value is HistoryEntry {
  return (
    hasShape(value, {
      call: 'string',
      at: 'number',
      agent: 'string',
      title: 'string',
      asked: 'string',
      isRedacted: 'boolean',
      text: 'string',
      isProtocol: 'boolean',
    }) &&
    LANGUAGES.some(({ id }) => id === value['language']) &&
    ['ok', 'error', 'cancelled', 'incomplete'].some(status => status === value['status']) &&
    isTextOrNone(value['code']) &&
    isTextOrNone(value['message']) &&
    ['number', 'undefined'].includes(typeof value['duration']) &&
    ['number', 'undefined'].includes(typeof value['timeout']) &&
    isSource(value['source'])
  );
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isSource(value: unknown): boolean {
  return value === undefined || (isRecord(value) && hasShape(value, { uri: 'string', line: 'number' }));
}
