import type { ReplyParts } from '../../../protocols/reply-parts/part.ts';
import { viewReply } from '../../../wire/reply-view.ts';
import { NoteList } from '../shared/fact-list.ts';
import { PieceList } from '../shared/reply/piece-view.ts';
import { h, type View } from '../shared/view.ts';
import type { Post } from './page-host.ts';

interface ReplyBodyProps {
  readonly parts: ReplyParts;
  readonly post: Post;
}

/** What an agent says. It is drawn in the same way while it grows and at the end. */
export function ReplyBody({ parts, post }: ReplyBodyProps): View {
  const { pieces, notes } = viewReply(parts);
  const host = {
    open: (text: string) => post({ type: 'openLink', text }),
    copy: (text: string) => post({ type: 'copy', text }),
  };
  return h(
    'div',
    { class: 'reply-body' },
    h(PieceList, { pieces, find: '', host }),
    h(NoteList, { label: 'Notes on the reply', notes }),
  );
}
