import { setText } from './element.ts';

/** The content of an element whose text grows: a selection in it persists. */
export function growingText(text: string): { readonly ref: (target: Element | null) => void } {
  return {
    ref: target => {
      if (target) setText(target, text);
    },
  };
}
