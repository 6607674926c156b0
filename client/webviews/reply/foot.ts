import { countOf } from '../../../core/text/count.ts';
import type { ShowReply } from '../../../wire/reply-messages.ts';
import { Button } from '../shared/buttons.ts';
import { NoteList } from '../shared/fact-list.ts';
import { Fold } from '../shared/fold.ts';
import { h, type View } from '../shared/view.ts';

interface FootProps {
  readonly shown: ShowReply;
  /** The notes on the parts of the reply. */
  readonly notes: readonly string[];
  readonly onCall: () => void;
}

/** The facts about a reply, its notes, and the way to its call. */
export function ReplyFoot({ shown, notes, onCall }: FootProps): View {
  const all = [...new Set([...shown.notes, ...notes])];
  return h(
    'footer',
    { class: 'reply-foot muted number' },
    h('span', { class: 'facts' }, shown.facts.join(' · ')),
    h(Button, { class: 'link', label: 'Timeline', title: 'Show the call in its trace', onClick: onCall }),
    all.length !== 0 &&
      h(Fold, {
        class: 'fold',
        summary: countOf(all.length, 'note'),
        content: () => h(NoteList, { label: 'Notes', notes: all }),
      }),
  );
}
