import { MESSAGE_LANGUAGES } from '../../../core/catalog/languages.ts';
import type { ReplyViewName, ShowReply } from '../../../wire/reply-messages.ts';
import { Button, IconButton } from '../shared/buttons.ts';
import { StatusIcon } from '../shared/icons.ts';
import { actOnKey } from '../shared/keys.ts';
import { h, type View } from '../shared/view.ts';

interface HeadProps {
  readonly shown: ShowReply;
  readonly onView: (view: ReplyViewName) => void;
  readonly onCopy: () => void;
  readonly onText: () => void;
  readonly onFind: () => void;
  readonly onPause: () => void;
  readonly onResume: () => void;
  readonly onStop: () => void;
}

/** The views, with what each of them shows. */
const VIEWS: readonly (readonly [view: ReplyViewName, label: string, title: string])[] = [
  ['read', 'Read', 'What the reply says'],
  ['raw', 'Raw', 'The bytes on the wire'],
  ['json', 'JSON', 'The reply as JSON'],
  ...MESSAGE_LANGUAGES.map(
    ({ id, title }) => [id, id.toUpperCase(), `The reply in ${title}, in an editor`] as const,
  ),
];

/** The title of a reply, its state, and what can be done with it. */
export function ReplyHead(props: HeadProps): View {
  const { title, status, outcome, pause } = props.shown;
  return h(
    'header',
    { class: 'reply-head bar wraps' },
    h(
      'h1',
      { class: 'bar' },
      h('span', { class: 'icon' }, h(StatusIcon, { status })),
      h('span', { class: 'title clip', title }, title),
      h(
        'span',
        { class: 'outcome muted number', role: 'status' },
        [outcome, pause].filter(Boolean).join(' · '),
      ),
    ),
    h('div', { class: 'reply-tools bar wraps' }, buildSwitch(props), buildActions(props)),
  );
}

function buildSwitch({ shown, onView }: HeadProps): View {
  const move = (step: number): void => {
    const at = VIEWS.findIndex(([view]) => view === shown.view);
    const [view] = VIEWS[(at + step + VIEWS.length) % VIEWS.length] ?? [];
    if (view) onView(view);
  };
  return h(
    'div',
    {
      class: 'switch bar',
      role: 'radiogroup',
      'aria-label': 'View of the reply',
      onKeyDown: event =>
        actOnKey(
          event,
          new Map([
            ['ArrowRight', () => move(1)],
            ['ArrowLeft', () => move(-1)],
          ]),
        ),
    },
    VIEWS.map(([view, label, title]) =>
      h(
        'button',
        {
          key: view,
          class: 'choice',
          type: 'button',
          role: 'radio',
          title,
          'aria-checked': view === shown.view,
          tabIndex: view === shown.view ? 0 : -1,
          onClick: () => onView(view),
        },
        label,
      ),
    ),
  );
}

function buildActions(props: HeadProps): View {
  const { status, pause } = props.shown;
  return h(
    'div',
    { class: 'bar' },
    pause === undefined
      ? status === 'open' &&
          h(Button, { label: 'Pause', title: 'Freeze what is shown, not the call', onClick: props.onPause })
      : h(Button, { label: 'Resume', title: 'Show what came meanwhile', onClick: props.onResume }),
    status === 'open' && h(Button, { label: 'Stop', title: 'Stop the call', onClick: props.onStop }),
    h(IconButton, { icon: 'search', label: 'Find (Ctrl+F)', onClick: props.onFind }),
    h(IconButton, { icon: 'copy', label: 'Copy what is shown', onClick: props.onCopy }),
    h(IconButton, { icon: 'text', label: 'Open as text', onClick: props.onText }),
  );
}
