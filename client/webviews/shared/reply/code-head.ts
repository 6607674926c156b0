import { IconButton } from '../buttons.ts';
import { h, type View } from '../view.ts';

interface CodeHeadProps {
  /** The language of code, or the name of JSON; may be empty. */
  readonly title: string;
  /** What the button copies, in words. */
  readonly what: string;
  readonly onCopy: () => void;
}

/** The line over code, with a button that copies it. */
export function CodeHead({ title, what, onCopy }: CodeHeadProps): View {
  return h(
    'div',
    { class: 'code-head bar' },
    h('span', {}, title),
    h(IconButton, { icon: 'copy', label: `Copy ${what}`, onClick: onCopy }),
  );
}
