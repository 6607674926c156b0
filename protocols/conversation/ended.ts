import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import type { Report } from '../../core/message/report.ts';
import { dictOf } from '../message/dicts.ts';

/**
 * Statuses of a response that ended without a reply, in the Agent API and Responses; OpenAI writes
 * `cancelled`.
 */
const FAILED: ReadonlySet<string> = new Set(['failed', 'canceled', 'cancelled', 'rejected']);

/** True for a response that failed, by its error or its status. */
export function hasFailed(response: Value | undefined): boolean {
  const error = findEntry(response, 'error');
  return (error !== undefined && error.kind !== 'null') || FAILED.has(statusOf(response));
}

/** The error of a failed response, `{code, message}`; if it has none, a message with its status. */
export function errorOf(response: Value | undefined): Value {
  const error = findEntry(response, 'error');
  if (error && error.kind !== 'null') return error.kind === 'text' ? dictOf({ message: error }) : error;
  return dictOf({ message: textValue(`The agent ended with the status ${statusOf(response) || 'failed'}`) });
}

/** Notes that a response ended early and is incomplete. */
export function noteIncomplete(response: Value | undefined, report: Report): void {
  if (statusOf(response) !== 'incomplete') return;
  const reason = textIn(findEntry(findEntry(response, 'incomplete_details'), 'reason'));
  report.note(
    `The agent ended its reply early${reason === undefined ? '' : ` (${reason})`}: it is incomplete`,
  );
}

function statusOf(response: Value | undefined): string {
  return textIn(findEntry(response, 'status')) ?? '';
}
