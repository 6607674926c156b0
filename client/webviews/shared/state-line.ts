import { Button } from './buttons.ts';
import { StatusIcon } from './icons.ts';
import { h, type View } from './view.ts';

const ICONS = { working: 'open', ok: 'ok', error: 'error', held: 'incomplete' } as const;

interface StateLineProps {
  readonly state: 'idle' | keyof typeof ICONS;
  readonly words: string;
  /** The completed share, from 0 to 1, if it is known. */
  readonly share?: number | undefined;
  readonly onStop: () => void;
  readonly onAnyway: () => void;
}

/** The state of a sent request, with buttons to stop it or to send it despite errors. */
export function StateLine({ state, words, share, onStop, onAnyway }: StateLineProps): View {
  return h(
    'div',
    { class: 'state' },
    state === 'idle' ? undefined : h('span', { class: 'icon' }, h(StatusIcon, { status: ICONS[state] })),
    h('span', { role: 'status' }, words),
    share === undefined ? undefined : h('progress', { value: share, 'aria-label': 'Progress' }),
    state === 'working' ? h(Button, { label: 'Stop', onClick: onStop }) : undefined,
    state === 'held' ? h(Button, { label: 'Send anyway', onClick: onAnyway }) : undefined,
  );
}
