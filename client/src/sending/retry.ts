import { ProgressLocation } from 'vscode';
import { findHeader } from '../../../core/events/headers.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { withProgress } from '../window/messages.ts';

/** The maximum automatic wait in milliseconds. */
const LONGEST = 3_600_000;

/**
 * Milliseconds to wait before the next request to an agent: the `Retry-After` of its reply (RFC 9110, section
 * 10.2.3); 0 without one.
 */
export function findRetryDelay(node: Pick<CallNode, 'heads'> | undefined, now: number): number {
  const head = node?.heads.findLast(each => each.direction === 'in');
  const value = findHeader(head?.headers ?? [], 'retry-after') ?? '';
  const until = /^\d+$/.test(value) ? (head?.at ?? now) + Number(value) * 1000 : Date.parse(value);
  const wait = until - now;
  return wait > 0 ? Math.min(wait, LONGEST) : 0;
}

/** Sends after a wait, which is shown to the user and can be cancelled. */
export async function sendAfter(milliseconds: number, agent: string, send: () => unknown): Promise<unknown> {
  if (milliseconds === 0) return send();
  const title = `Waiting until ${agent} takes requests again`;
  const end = await withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    (progress, token) =>
      new Promise<'waited' | 'stopped'>(resolve => {
        const tick = setInterval(() => progress.report({ increment: 100_000 / milliseconds }), 1000);
        const end = (how: 'waited' | 'stopped'): void => {
          clearInterval(tick);
          clearTimeout(timer);
          resolve(how);
        };
        const timer = setTimeout(() => end('waited'), milliseconds);
        token.onCancellationRequested(() => end('stopped'));
      }),
  );
  return end === 'stopped' ? undefined : send();
}
