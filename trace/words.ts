import { NOT_SENT } from '../core/events/events.ts';
import { findMeaning, meaningTitle } from '../protocols/errors/error-code.ts';
import { findProtocol } from '../core/catalog/protocols.ts';
import type { CallStatus, TokenUsage, TraceProtocol } from '../core/events/events.ts';
import { countOf, showCount } from '../core/text/count.ts';
import type { CallNode, Traffic } from './fold/tree.ts';

/** The state of a call in a word, the same in trees, titles and views. */
export const STATUS_WORDS = {
  open: 'running',
  ok: 'ok',
  error: 'error',
  cancelled: 'stopped',
  incomplete: 'incomplete',
} as const satisfies Record<CallStatus, string>;

/** The protocol of a call, for people. */
export function describeProtocol(protocol: TraceProtocol): string {
  return findProtocol(protocol)?.title ?? 'other';
}

/** Reported tokens for people, `12 tokens in (4 cached), 5 out (3 for reasoning)`; undefined if none were reported. */
export function describeTokens(usage: TokenUsage = {}): string | undefined {
  const { input, output, cached, reasoning } = usage;
  const parts: string[] = [];
  if (input !== undefined)
    parts.push(`${countOf(input, 'token')} in${cached ? ` (${showCount(cached)} cached)` : ''}`);
  if (output !== undefined) {
    const count = input === undefined ? countOf(output, 'token') : showCount(output);
    parts.push(`${count} out${reasoning ? ` (${showCount(reasoning)} for reasoning)` : ''}`);
  }
  return parts.length === 0 ? undefined : parts.join(', ');
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds for people, in two units at most: `41 ms`, `1.24 s`, `12.3 s`, `2 min 5 s`, `3 h 20 min`, `4 d 6 h`. */
export function formatDuration(milliseconds: number): string {
  const rounded = Math.max(0, Math.round(milliseconds));
  if (rounded < 1000) return `${rounded} ms`;
  const seconds = rounded / 1000;
  if (rounded < 9995) return `${seconds.toFixed(2)} s`;
  if (rounded < 59950) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
  const days = whole / DAY;
  return days < 1_000 ? `${Math.floor(days)} d ${Math.floor((whole % DAY) / HOUR)} h` : formatDays(days);
}

/** Days for people, as whole ones; unrealistic numbers with a power of ten: `2.31e+9 d`. */
export function formatDays(days: number): string {
  return `${days < 1e6 ? Math.round(days) : days.toExponential(2)} d`;
}

interface CodedCall {
  readonly call: { readonly protocol: TraceProtocol };
  readonly code?: string | undefined;
}

/** The code of a failed call with its meaning, as in `404, no such tool`; undefined if the code has none. */
export function describeCode({ call, code }: CodedCall): string | undefined {
  const meaning = findMeaning(findProtocol(call.protocol)?.errors, code);
  return meaning && `${code ?? ''}, ${meaningTitle(meaning)}`;
}

/** The data for an outcome in words; without traffic, chunks are not counted. */
export type Outcome = Pick<CallNode, 'status' | 'code' | 'duration'> & {
  readonly traffic?: Pick<Traffic, 'piecesIn'>;
};

/** The outcome of a call in a few words: `ok · 41 ms`, `error 500 · 12 ms`, `running`, `streaming, 48 chunks`. */
export function describeOutcome(node: Outcome): string {
  // The code of a cancelled call has no further information.
  const code = node.status === 'cancelled' || node.code === undefined ? '' : ` ${node.code}`;
  const word = node.code === NOT_SENT ? 'not sent' : `${STATUS_WORDS[node.status]}${code}`;
  if (node.status !== 'open') {
    return node.duration === undefined ? word : `${word} · ${formatDuration(node.duration)}`;
  }
  const chunks = node.traffic?.piecesIn ?? 0;
  return chunks > 1 ? `streaming, ${chunks} chunks` : word;
}
