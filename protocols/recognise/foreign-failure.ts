import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { printId } from './names.ts';

/** The failure that a message of a reply reports. */
export interface ForeignFailure {
  readonly status: 'error' | 'cancelled';
  readonly code?: string;
  readonly message: string;
}

/** What a message has that reports a failure, in a reply of a known protocol and of an unknown one. */
const MAY_FAIL = { known: /"stopReason"/, unknown: /RUN_ERROR|"error"|"stopReason"/ } as const;

/**
 * The failure in a JSON message of a protocol that Parley only records: the error event of AG-UI (`RUN_ERROR`), the
 * `error` object of model APIs, and a turn of ACP that was cancelled. For a message of a known protocol, whose reader
 * reports its errors, only the last one. Undefined for other messages. `read` parses
 * the text.
 */
export function findForeignFailure(
  text: string,
  reply: keyof typeof MAY_FAIL,
  read: () => Value | undefined,
): ForeignFailure | undefined {
  if (!MAY_FAIL[reply].test(text)) return undefined;
  const message = read();
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
