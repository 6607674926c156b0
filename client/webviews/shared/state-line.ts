import { Button } from './buttons.ts';
import { StatusIcon } from './icons.ts';
import { h, type View } from './view.ts';

/** The icon of each state of a request. */
export const STATE_ICONS = {
  working: 'open',
  ok: 'ok',
  error: 'error',
  stopped: 'cancelled',
  held: 'incomplete',
} as const;

interface StateLineProps {
  readonly state: 'idle' | keyof typeof STATE_ICONS;
  readonly words: string;
  /** The completed share, from 0 to 1, if it is known. */
  readonly share?: number | undefined;
  readonly onAnyway: () => void;
}

/** The state of a sent request, with a button to send it despite errors. */
export function StateLine({ state, words, share, onAnyway }: StateLineProps): View {
  return h(
    'div',
    { class: 'state bar' },
    state !== 'idle' && h('span', { class: 'icon' }, h(StatusIcon, { status: STATE_ICONS[state] })),
    h('span', { role: 'status' }, words),
    share !== undefined && h('progress', { value: share, 'aria-label': 'Progress' }),
    state === 'held' && h(Button, { label: 'Send anyway', onClick: onAnyway }),
  );
}
