import { QuickPickItemKind, window, type QuickPickItem } from 'vscode';
import { countOf } from '../../../protocol/src/text/count.ts';
import { diffTraces } from '../../../protocol/src/trace/diff.ts';
import { readDiffSide } from '../../../protocol/src/trace/diff-side.ts';
import { describeCounts } from '../../../protocol/src/trace/diff-words.ts';
import type { TraceTree } from '../../../protocol/src/trace/tree.ts';
import { showWarning } from '../messages.ts';
import type { ReplyDocuments } from '../replies/reply-documents.ts';
import type { TraceSource } from '../trace/trace-source.ts';
import { printCalls } from './print-trace.ts';
import { showComparison, toTabTitle } from './show-comparison.ts';

/** A trace, and where it is read. */
export interface ComparedTrace {
  readonly source: TraceSource;
  readonly tree: TraceTree;
}

/**
 * Shows what differs between a trace and another one in VS Code's comparison, the older one on the left, and answers it in a
 * sentence. Without another one it is picked from the traces of `sources`; undefined where the user left that, or there is
 * none, which the user is told.
 */
export async function compareTraces(
  one: ComparedTrace,
  other: ComparedTrace | undefined,
  sources: readonly TraceSource[],
  documents: ReplyDocuments,
): Promise<string | undefined> {
  const second = other ?? (await pickOther(one, sources));
  if (!second) return undefined;
  const [before, after] = startOf(one) <= startOf(second) ? [one, second] : [second, one];
  const said = describeCounts(diffTraces(await readSide(before), await readSide(after)).counts);
  const print = async ({ source, tree }: ComparedTrace): Promise<{ title: string; text: string }> => ({
    title: titleOf(tree),
    text: await printCalls(call => source.payload(call), tree.roots, 'withBelow'),
  });
  await showComparison(documents, await print(before), await print(after), said);
  return said;
}

function readSide({ source, tree }: ComparedTrace): ReturnType<typeof readDiffSide> {
  return readDiffSide({ trees: [tree], payload: call => source.payload(call) }, text => text);
}

async function pickOther(
  than: ComparedTrace,
  sources: readonly TraceSource[],
): Promise<ComparedTrace | undefined> {
  const sections = sources.map(source => ({
    source,
    trees: source.trees().filter(tree => tree !== than.tree),
  }));
  const filled = sections.filter(({ trees }) => trees.length > 0);
  if (filled.length === 0) {
    showWarning(
      'There is no other trace to compare this one with: none in this window, and none in a file that is open here.',
      new Map(),
    );
    return undefined;
  }
  const items = filled.flatMap(({ source, trees }): readonly OtherItem[] => [
    { label: source.title, kind: QuickPickItemKind.Separator },
    ...trees.map(tree => ({
      label: titleOf(tree),
      description: `${countOf(tree.size, 'call')} · ${new Date(startOf({ tree })).toLocaleString()}`,
      found: { source, tree },
    })),
  ]);
  const title = `Compare ${titleOf(than.tree)} with`;
  return (await window.showQuickPick(items, { title, matchOnDescription: true }))?.found;
}

interface OtherItem extends QuickPickItem {
  readonly found?: ComparedTrace;
}

function titleOf({ roots }: TraceTree): string {
  return toTabTitle(roots[0]?.call.title ?? 'trace');
}

function startOf({ tree }: Pick<ComparedTrace, 'tree'>): number {
  return tree.roots[0]?.call.at ?? 0;
}
