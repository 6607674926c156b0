import type { Fold } from '../../language/support.ts';
import { isRequestLine } from '../ast.ts';
import { listContextSections } from '../context.ts';
import { listLines } from '../lines.ts';
import type { AicfDocument } from '../parse.ts';

/** Lines that fold together while they are being read. */
interface OpenFold {
  readonly kind: Fold['kind'];
  readonly start: number;
  readonly firstLine: number;
  end: number;
  lastLine: number;
}

/** What can be folded: runs of comments, a request with its responses; in a context file its sections. */
export function folds(doc: AicfDocument): readonly Fold[] {
  if (doc.dialect === 'context') {
    return listContextSections(doc)
      .map(({ span }): Fold => ({ span, kind: 'region' }))
      .filter(({ span }) => doc.lines.lineAt(span.end) > doc.lines.lineAt(span.start));
  }
  return listMessageFolds(doc).sort((a, b) => a.span.start - b.span.start);
}

function listMessageFolds(doc: AicfDocument): Fold[] {
  const found: Fold[] = [];
  const close = (open: OpenFold | undefined): undefined => {
    if (open && open.lastLine > open.firstLine) {
      found.push({ span: { start: open.start, end: open.end }, kind: open.kind });
    }
    return undefined;
  };
  let comments: OpenFold | undefined;
  let block: OpenFold | undefined;
  for (const { tree, start, number } of listLines(doc)) {
    const end = start + tree.end;
    if (tree.kind === 'comment') {
      comments ??= { kind: 'comment', start, firstLine: number, end, lastLine: number };
      Object.assign(comments, { end, lastLine: number });
      continue;
    }
    comments = close(comments);
    if (isRequestLine(tree)) {
      close(block);
      block = { kind: 'region', start, firstLine: number, end, lastLine: number };
    } else if (block && (tree.kind === 'command' || tree.kind === 'foreign')) {
      block.end = end;
      block.lastLine = number;
    }
  }
  close(comments);
  close(block);
  return found;
}
