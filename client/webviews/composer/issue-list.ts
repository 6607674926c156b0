import type { ComposerIssue } from '../../../wire/composer-texts.ts';
import type { Span } from '../../../core/text/span.ts';
import { Button } from '../shared/buttons.ts';
import { StatusIcon } from '../shared/icons.ts';
import { h, type View } from '../shared/view.ts';

const WORDS = { error: 'Error', warning: 'Warning', information: 'Note', hint: 'Hint' } as const;

interface IssueListProps {
  readonly issues: readonly ComposerIssue[];
  readonly onChoose: (span: Span) => void;
}

/** Lists the issues that the language server found in the draft. Choosing one selects its range in the text. */
export function IssueList({ issues, onChoose }: IssueListProps): View {
  return h(
    'ul',
    { class: 'issues list', 'aria-label': 'Problems', hidden: issues.length === 0 },
    issues.map(({ severity, message, place }) => {
      const word = WORDS[severity];
      const status = severity === 'error' ? 'error' : severity === 'warning' ? 'incomplete' : undefined;
      const where = place
        ? h(Button, { class: 'link', label: `${word}, line ${place.line}`, onClick: () => onChoose(place) })
        : h('span', { class: 'muted' }, word);
      const icon = status ? h(StatusIcon, { status }) : undefined;
      return h('li', { class: 'issue' }, icon, h('span', {}, where, ` ${message}`));
    }),
  );
}
