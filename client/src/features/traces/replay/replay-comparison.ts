import { diffTraces, type TraceDiff } from '../../../../../trace/diff/diff.ts';
import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import { readDiffSide } from '../../../../../trace/diff/diff-side.ts';
import { describeCounts } from '../../../../../trace/diff/diff-words.ts';
import { LostPayloads } from '../../../../../trace/export/lost-payloads.ts';
import type { ReplayedCall, Replayed } from '../../../../../trace/replay/replay.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import { printCalls, type PrintedExtent } from '../compare/print-trace.ts';
import { showComparison, toTabTitle } from '../compare/show-comparison.ts';
import type { CallPlace } from '../../../trace/trace-source.ts';
import { warnOfLost } from '../../../trace/warn-of-lost.ts';
import { describeUnsent } from './replay-words.ts';
import type { TracesParts } from '../parts.ts';

/** How a replay is compared with its recording. */
interface ReplayShown {
  readonly extent: PrintedExtent;
  /** The reason why a recorded request was not sent. */
  readonly reasonOf: (recorded: CallNode) => string;
}

const NOT_SEEN =
  'The calls that agents make themselves were not recorded this time: that needs running recordings of these agents';

/**
 * Compares a replay with its recording in VS Code's diff editor. Returns a summary without a final period.
 * Calls of agents below the requests are compared only if any were observed in the replay.
 */
export async function showReplay(
  { source: live, replies }: TracesParts,
  { source }: CallPlace,
  { calls, diff }: Replayed,
  { extent, reasonOf }: ReplayShown,
): Promise<string> {
  const seen = (side: 'recorded' | 'replayed'): boolean => calls.some(each => each[side]?.children.length);
  const isComparedBelow = extent === 'withBelow' && seen('replayed');
  const compared = isComparedBelow ? 'withBelow' : 'alone';
  const lost = { before: new LostPayloads(source), after: new LostPayloads(live) };
  const counts = isComparedBelow ? await countBelow(lost, calls, diff.counts) : diff.counts;
  const wasMissed = extent === 'withBelow' && seen('recorded') && !isComparedBelow;
  const summary = [describeCounts(counts), ...(wasMissed ? [NOT_SEEN] : [])].join('. ');
  const texts: string[] = [];
  for (const { recorded, replayed } of calls)
    texts.push(
      replayed
        ? await printCalls(lost.after.beginning, [replayed], compared)
        : `${describeUnsent(recorded, `not sent, ${reasonOf(recorded)}`)}\n`,
    );
  const recorded = calls.map(each => each.recorded);
  const title = toTabTitle(recorded[0]?.call.title ?? 'trace');
  const before = { title, text: await printCalls(lost.before.beginning, recorded, compared) };
  await showComparison(replies, before, { title: `${title} replayed`, text: texts.join('') }, summary);
  warnOfLost(lost.before, lost.after);
  return summary;
}

/** Adds the differences of the calls below to the counts. */
async function countBelow(
  { before, after }: { readonly before: LostPayloads; readonly after: LostPayloads },
  calls: readonly ReplayedCall[],
  above: TraceDiff['counts'],
): Promise<TraceDiff['counts']> {
  const sum = { ...above };
  for (const { recorded, replayed } of calls) {
    if (!replayed) continue;
    const { counts } = diffTraces(await readBelow(before, recorded), await readBelow(after, replayed));
    for (const kind of ['same', 'changed', 'added', 'removed'] as const) sum[kind] += counts[kind];
  }
  return sum;
}

function readBelow(
  { beginning }: LostPayloads,
  { children, call }: CallNode,
): ReturnType<typeof readDiffSide> {
  const tree = { trace: call.trace, roots: children, size: children.length };
  return readDiffSide({ protocols: ALL_PROTOCOLS, trees: [tree], payload: beginning }, text => text);
}
