import { Component } from 'preact';
import { showBytes } from '../../../tensor/size-words.ts';
import type { AttachedFile, ChatTurn, TurnStep } from '../../../wire/composer-messages.ts';
import { Button, IconButton } from '../shared/buttons.ts';
import { Icon, StatusIcon } from '../shared/icons.ts';
import { STATE_ICONS } from '../shared/state-line.ts';
import { h, type Content, type View } from '../shared/view.ts';
import type { Post } from './page-host.ts';
import { ReplyPane } from './reply-pane.ts';

interface TurnProps {
  readonly turn: ChatTurn;
  readonly agent: string;
  /** True for the last turn, which can be sent again. */
  readonly isLast: boolean;
  readonly post: Post;
  /** Puts the focus into the input. */
  readonly onAnswer: () => void;
}

/** A message of the user with the reply of the agent below it. A turn that did not change is not drawn again. */
export class Turn extends Component<TurnProps> {
  override shouldComponentUpdate({ turn, agent, isLast }: TurnProps): boolean {
    const { props } = this;
    return turn !== props.turn || agent !== props.agent || isLast !== props.isLast;
  }

  override render({ turn, agent, isLast, post, onAnswer }: TurnProps): View {
    const { id, text, files, reply, question, isFolded } = turn;
    const step = (name: TurnStep['step']): void => post({ type: 'turnStep', step: name, turn: id });
    if (isFolded) return buildFolded(turn, () => step('unfold'));
    return h(
      'article',
      { class: 'turn stack', 'aria-label': `You: ${text.slice(0, LABEL)}` },
      h('div', { class: 'said stack' }, h('p', { class: 'said-text' }, text), h(FileList, { files })),
      h('h2', { class: 'speaker' }, agent),
      h(ReplyPane, { reply, post, onAnyway: () => step('sendAnyway'), state: 'below' }),
      isLast &&
        (reply.state === 'error' || reply.state === 'stopped') &&
        h(Button, { class: 'link', label: 'Send again', onClick: () => step('sendAgain') }),
      question !== '' && buildQuestion(question, onAnswer, () => step('forward')),
    );
  }
}

/** The number of characters of a message in its label. */
const LABEL = 80;

function buildFolded({ text, files, reply: { state } }: ChatTurn, onUnfold: () => void): View {
  const words = text === '' ? (files[0]?.name ?? '') : text;
  return h(
    'button',
    { type: 'button', class: 'folded bar muted', title: 'Show this turn', onClick: onUnfold },
    h(Icon, { name: 'chevron-right' }),
    h('span', { class: 'folded-text clip' }, words),
    h(StatusIcon, { status: state === 'idle' ? 'incomplete' : STATE_ICONS[state] }),
  );
}

function buildQuestion(question: string, onAnswer: () => void, onForward: () => void): Content {
  return h(
    'div',
    { class: 'question' },
    h('p', {}, `It waits for an answer: ${question}.`),
    h(Button, { class: 'button primary', label: 'Answer', onClick: onAnswer }),
    h(Button, { label: 'Ask another agent…', onClick: onForward }),
  );
}

interface FileListProps {
  readonly files: readonly AttachedFile[];
  /** Removes a file; missing where the message was sent. */
  readonly onRemove?: (id: number) => void;
}

/** The files of a message, with their sizes. */
export function FileList({ files, onRemove }: FileListProps): View | undefined {
  if (files.length === 0) return undefined;
  return h(
    'ul',
    { class: 'files list', 'aria-label': 'Attached files' },
    files.map(({ id, name, size, mimeType }) =>
      h(
        'li',
        { class: 'file bar', key: id, title: `${name} · ${mimeType}` },
        h(Icon, { name: 'file' }),
        h('span', { class: 'file-name clip' }, name),
        h('span', { class: 'muted number' }, showBytes(size)),
        onRemove && h(IconButton, { icon: 'close', label: `Remove ${name}`, onClick: () => onRemove(id) }),
      ),
    ),
  );
}
