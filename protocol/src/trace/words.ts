import { findMeaning, meaningTitle } from '../convert/errors/error-code.ts';
import type { CallStatus } from './events.ts';
import type { CallNode } from './tree.ts';

/** How a call stands, in a word: trees, titles and views say the same. */
export const STATUS_WORDS = {
  open: 'running',
  ok: 'ok',
  error: 'error',
  cancelled: 'stopped',
  incomplete: 'incomplete',
} as const satisfies Record<CallStatus, string>;

/** Milliseconds for people, with at most three digits: `41 ms`, `1.24 s`, `12.3 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  const rounded = Math.max(0, Math.round(milliseconds));
  if (rounded < 1000) return `${rounded} ms`;
  const seconds = rounded / 1000;
  if (rounded < 9995) return `${seconds.toFixed(2)} s`;
  if (rounded < 59950) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** The code of a call that failed with what it means, as in `404, no such tool`; undefined without either. */
export function describeCode(node: Pick<CallNode, 'call' | 'code'>): string | undefined {
  const meaning = findMeaning(node.call.protocol, node.code);
  return meaning && `${node.code ?? ''}, ${meaningTitle(meaning)}`;
}

/** The outcome of a call in a few words: `ok · 41 ms`, `error 500 · 12 ms`, `running`, `streaming, 48 chunks`. */
export function describeOutcome(node: Pick<CallNode, 'status' | 'code' | 'duration' | 'wire'>): string {
  // The code of a call that the user stopped only says that he did.
  const code = node.status === 'cancelled' || node.code === undefined ? '' : ` ${node.code}`;
  const word = `${STATUS_WORDS[node.status]}${code}`;
  if (node.status !== 'open') {
    return node.duration === undefined ? word : `${word} · ${formatDuration(node.duration)}`;
  }
  const chunks = node.wire.filter(event => event.direction === 'in').length;
  return chunks > 1 ? `streaming, ${chunks} chunks` : word;
}

/** The code of a call whose request was not sent, because somebody should look at it first. */
export const NOT_SENT = 'NOT_SENT';
