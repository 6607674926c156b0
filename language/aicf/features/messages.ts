import { meetsSpan, type Span } from '../../../core/text/span.ts';
import { isContainerLine } from '../ast.ts';
import { readLineAt, type AicfDocument } from '../parse.ts';

/**
 * The command lines that touch a span, each with its prefix. Container lines directly above a line are not
 * part of its span, but touching them counts as touching it. None in a context file. Read lazily.
 */
export function* messages(doc: AicfDocument, within: Span): Generator<Span> {
  if (doc.dialect === 'context') return;
  let above: number | undefined;
  for (let number = firstLine(doc, within.start); number < doc.text.lineCount; number++) {
    const { tree, start } = readLineAt(doc, number);
    const span = { start: start + (tree.prefix?.start ?? tree.word.start), end: start + tree.end };
    const from = above ?? span.start;
    if (from > within.end) return;
    if (tree.kind === 'blank') continue;
    above = isContainerLine(tree) ? from : undefined;
    if (tree.kind === 'command' && meetsSpan(within, { start: from, end: span.end })) yield span;
  }
}

/** The line of an offset, or the first of the container lines directly above it. */
function firstLine(doc: AicfDocument, offset: number): number {
  let number = doc.text.lineAt(offset);
  while (number > 0 && isContainerLine(readLineAt(doc, number - 1).tree)) number--;
  return number;
}
