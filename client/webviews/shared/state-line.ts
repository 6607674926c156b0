import { Button } from './buttons.ts';
import { StatusIcon } from './icons.ts';
import { h, type View } from './view.ts';

const ICONS = { working: 'open', ok: 'ok', error: 'error', held: 'incomplete' } as const;

interface StateLineProps {
  readonly state: 'idle' | keyof typeof ICONS;
  readonly words: string;
  readonly onStop: () => void;
  readonly onAnyway: () => void;
}

/** The state of a sent request, with buttons to stop it or to send it despite errors. */
export function StateLine({ state, words, onStop, onAnyway }: StateLineProps): View {
  return h(
    'div',
    { class: 'state' },
    state === 'idle' ? undefined : h('span', { class: 'icon' }, h(StatusIcon, { status: ICONS[state] })),
    h('span', { role: 'status' }, words),
    state === 'working' ? h(Button, { label: 'Stop', onClick: onStop }) : undefined,
    state === 'held' ? h(Button, { label: 'Send anyway', onClick: onAnyway }) : undefined,
  );
}
