import type { ShowReply } from '../../../wire/reply-messages.ts';
import type { ReplyView } from '../../../wire/reply-view.ts';
import { StatusIcon } from '../shared/icons.ts';
import { JsonView } from '../shared/reply/json-view.ts';
import type { MediaHost } from '../shared/reply/medium-view.ts';
import { PieceList } from '../shared/reply/piece-view.ts';
import { TextView } from '../shared/reply/text-view.ts';
import { h, type Content, type View } from '../shared/view.ts';

interface BodyProps {
  readonly shown: ShowReply;
  readonly reply: ReplyView;
  /** True once the parts of the reply have arrived. */
  readonly isRead: boolean;
  readonly texts: { readonly raw: string; readonly json: string };
  readonly find: string;
  readonly host: MediaHost;
}

/** The reply in the chosen view. */
export function ReplyBody(props: BodyProps): View {
  const { shown, texts, find, host } = props;
  switch (shown.view) {
    case 'read':
      return h('div', { key: 'read' }, buildRead(props));
    case 'raw':
      return h('div', { key: 'raw' }, h(TextView, { text: texts.raw, format: 'plain', host }));
    case 'json':
      return h('div', { key: 'json' }, h(JsonView, { title: 'JSON', text: texts.json, find, host }));
  }
}

function buildRead({ shown, reply, isRead, find, host }: BodyProps): Content {
  const { failure, status } = shown;
  const hasError = reply.pieces.some(({ type }) => type === 'error');
  const isEmpty = isRead && reply.pieces.length === 0;
  return [
    failure !== undefined &&
      !hasError &&
      h(
        'div',
        { class: 'sentence failure' },
        h('span', { class: 'icon' }, h(StatusIcon, { status: 'error' })),
        h('div', {}, failure),
      ),
    isEmpty &&
      failure === undefined &&
      h('p', { class: 'muted' }, status === 'open' ? 'Waiting for the reply.' : 'The reply has no content.'),
    h(PieceList, { pieces: reply.pieces, find, host }),
  ];
}
