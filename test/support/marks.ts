import type { Span } from '../../core/text/span.ts';

export interface Marked {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Takes the marks `«` and `»` out of an example; the spans are what they enclosed. Marks that do not pair are refused. */
export function readMarks(marked: string): Marked {
  const spans: Span[] = [];
  let text = '';
  let start: number | undefined;
  for (const character of marked) {
    if (character === '«') {
      if (start !== undefined) throw new Error(`readMarks: '«' inside a mark in ${marked}`);
      start = text.length;
    } else if (character === '»') {
      if (start === undefined) throw new Error(`readMarks: '»' without '«' in ${marked}`);
      spans.push({ start, end: text.length });
      start = undefined;
    } else text += character;
  }
  if (start !== undefined) throw new Error(`readMarks: '«' without '»' in ${marked}`);
  return { text, spans };
}
