import type { GrowingReply } from '../../replies/growing-replies.ts';

/** Describes the hidden part of a paused view, such as `paused, 1200 more characters`. */
export function describePause({ state, waiting }: Pick<GrowingReply, 'state' | 'waiting'>): string {
  const count = waiting === 1 ? '1 more character' : `${waiting} more characters`;
  if (state === 'held') return waiting === 0 ? 'paused, the reply has ended' : `paused, ${count} to the end`;
  return waiting === 0 ? 'paused' : `paused, ${count}`;
}
