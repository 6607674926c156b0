import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { printId } from './names.ts';

/** The failure that a message of a reply reports. */
export interface ForeignFailure {
  readonly status: 'error' | 'cancelled';
  readonly code?: string;
  readonly message: string;
}

const MAY_FAIL = /RUN_ERROR|"error"|"stopReason"/;

/**
 * The failure in a JSON message of a protocol that Parley only records: the error event of AG-UI (`RUN_ERROR`), the
 * `error` object of model APIs, and a turn of ACP that was cancelled. For a message of a known protocol, whose reader
 * reports its errors, only the last one. Undefined for other messages.
 */
export function findForeignFailure(text: string, reply: 'unknown' | 'known'): ForeignFailure | undefined {
  if (!MAY_FAIL.test(text)) return undefined;
  const message = readWrittenJson(text);
  if (message?.kind !== 'dict') return undefined;
  if (textIn(findEntry(findEntry(message, 'result') ?? message, 'stopReason')) === 'cancelled')
    return { status: 'cancelled', code: 'cancelled', message: 'The agent says that the turn was cancelled' };
  // Errors of JSON-RPC answer one of several requests; their reader knows which.
  if (reply === 'known' || findEntry(message, 'jsonrpc')) return undefined;
  const error = findEntry(message, 'error');
  if (textIn(findEntry(message, 'type')) === 'RUN_ERROR') return describe(message, ['code']);
  return error?.kind === 'dict' ? describe(error, ['code', 'type', 'status']) : undefined;
}

function describe(error: Value, codes: readonly string[]): ForeignFailure {
  const code = codes.map(key => printId(findEntry(error, key))).find(Boolean);
  const message =
    textIn(findEntry(error, 'message')) ?? 'The agent answered with an error and did not say why';
  return { status: 'error', message, ...(code === undefined ? {} : { code }) };
}
