import type { ComposerReply } from '../../../wire/composer-messages.ts';
import { Button } from '../shared/buttons.ts';
import { StateLine } from '../shared/state-line.ts';
import { h, type View } from '../shared/view.ts';
import type { Post } from './page-host.ts';
import { ReplyBody } from './reply-body.ts';

interface ReplyPaneProps {
  readonly reply: ComposerReply;
  readonly post: Post;
  readonly onAnyway: () => void;
  /** Where the state is; above a reply, it does not move while the reply grows. */
  readonly state: 'above' | 'below';
}

/** A reply: what the agent says, then how the call ended, with the ways to look further into it. */
export function ReplyPane({ reply, post, onAnyway, state: place }: ReplyPaneProps): View | undefined {
  const { state, words, share, call, parts } = reply;
  if (state === 'idle') return undefined;
  const body = parts ? h(ReplyBody, { parts, post }) : undefined;
  const line = h(
    'div',
    { class: 'reply-state bar wraps muted' },
    h(StateLine, { state, words, share, onAnyway }),
    call !== '' && h(CallLinks, { call, post }),
  );
  return h('div', { class: 'reply stack' }, place === 'above' ? [line, body] : [body, line]);
}

/** Links to a call in other views. */
export function CallLinks({ call, post }: { readonly call: string; readonly post: Post }): View {
  const link = (label: string, title: string, what: 'timeline' | 'raw'): View =>
    h(Button, { class: 'link', label, title, onClick: () => post({ type: 'showCall', what, call }) });
  return h(
    'span',
    { class: 'links' },
    link('Timeline', 'Show the call on its timeline', 'timeline'),
    link('Raw', 'Show the reply as it was received', 'raw'),
  );
}
