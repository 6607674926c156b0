import { QuickPickItemKind, type QuickPickItem } from 'vscode';
import { countOf } from '../../../../../core/text/count.ts';
import { countCalls } from '../../../../../trace/graph/count-calls.ts';
import { diffTraces } from '../../../../../trace/diff/diff.ts';
import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import { readDiffSide } from '../../../../../trace/diff/diff-side.ts';
import { describeCounts } from '../../../../../trace/diff/diff-words.ts';
import { LostPayloads } from '../../../../../trace/export/lost-payloads.ts';
import type { TraceTree } from '../../../../../trace/fold/tree.ts';
import { showWarning } from '../../../window/messages.ts';
import type { ReplyDocuments } from '../../../replies/reply-documents.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';
import { warnOfLost } from '../../../trace/warn-of-lost.ts';
import { printCalls } from './print-trace.ts';
import { showComparison, toTabTitle, type ComparedText } from './show-comparison.ts';
import { pickItem } from '../../../window/sinks/quick-input.ts';

/** A trace and its source. */
export interface ComparedTrace {
  readonly source: TraceSource;
  readonly tree: TraceTree;
}

/**
 * Compares two traces in VS Code's diff editor, the older one on the left, and returns a summary. Without
 * `other`, the user picks it from the traces of `sources`. Returns undefined if the user cancels, or if there
 * is none, after a warning.
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
  const [older, newer] = [new LostPayloads(before.source), new LostPayloads(after.source)];
  const sides = [await readSide(before, older), await readSide(after, newer)] as const;
  const summary = describeCounts(diffTraces(...sides).counts);
  const texts = [await print(before, older), await print(after, newer)] as const;
  await showComparison(documents, ...texts, summary);
  warnOfLost(older, newer);
  return summary;
}

function readSide({ tree }: ComparedTrace, { beginning }: LostPayloads): ReturnType<typeof readDiffSide> {
  return readDiffSide({ protocols: ALL_PROTOCOLS, trees: [tree], payload: beginning }, text => text);
}

async function print({ tree }: ComparedTrace, { beginning }: LostPayloads): Promise<ComparedText> {
  return { title: titleOf(tree), text: await printCalls(beginning, tree.roots, 'withBelow') };
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
  if (filled.length === 0)
    return showWarning(
      'There is no other trace to compare this one with: none in this window, and none in a file that is open here.',
    );
  const items = filled.flatMap(({ source, trees }): readonly OtherItem[] => [
    { label: source.title, kind: QuickPickItemKind.Separator },
    ...trees.map(tree => ({
      label: titleOf(tree),
      description: `${countOf(countCalls(tree.roots), 'call')} · ${new Date(startOf({ tree })).toLocaleString()}`,
      found: { source, tree },
    })),
  ]);
  const title = `Compare ${titleOf(than.tree)} with`;
  return (await pickItem(items, { title, matchOnDescription: true }))?.found;
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
