import { h, type View } from '../view.ts';
import { JsonText } from '../json-text.ts';
import { CodeHead } from './code-head.ts';
import { TextView } from './text-view.ts';
import type { TextHost } from './markdown.ts';

/** Longer JSON is shown as it is, because each value is an element of the page. */
const LONGEST = 200_000;

interface JsonViewProps {
  readonly title: string;
  readonly text: string;
  /** Folds with this text in them are opened; in lower case. */
  readonly find: string;
  readonly host: TextHost;
}

/** JSON with its name and a button to copy it. */
export function JsonView({ title, text, find, host }: JsonViewProps): View {
  const label = title || 'JSON';
  return h(
    'div',
    { class: 'code-block' },
    h(CodeHead, { title: label, what: label, onCopy: () => host.copy(text) }),
    text.length > LONGEST
      ? [
          h('p', { class: 'why-plain' }, 'Shown as it was received, because it is long.'),
          h('div', { class: 'body' }, h(TextView, { text, format: 'plain', host })),
        ]
      : h(JsonText, { text, label, find }),
  );
}
