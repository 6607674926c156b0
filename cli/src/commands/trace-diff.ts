import { createHash } from 'node:crypto';
import { diffTraces, isSame, kindOf, type CallDiff } from '../../../trace/diff/diff.ts';
import { readDiffSide } from '../../../trace/diff/diff-side.ts';
import { printDiff } from '../../../trace/diff/diff-words.ts';
import { EXIT, UsageError } from '../exit.ts';
import { printJson } from '../print/json.ts';
import { openTraces, reportLost } from '../traces/open-traces.ts';
import { FORMAT_OPTION, type Command } from './command.ts';

/** `parley trace diff`: prints the differences of two recordings. Exits 1 if there are any. */
export const diffFiles: Command = {
  name: 'trace diff',
  usage: 'FILE FILE',
  summary: 'Compares two traces by their calls: requests, replies and outcomes, and not times and ids.',
  options: [FORMAT_OPTION],
  async run(terminal, line) {
    const [before, after, more] = line.paths;
    if (before === undefined || after === undefined || more !== undefined)
      throw new UsageError(`'parley trace diff' takes two files`);
    const first = await openTraces(terminal, before);
    const second = first && (await openTraces(terminal, after));
    if (!second) return EXIT.findings;
    const diff = diffTraces(await readDiffSide(first, digest), await readDiffSide(second, digest));
    if (line.option('format') === 'json')
      terminal.out(printJson({ counts: diff.counts, calls: listCallDiffs(diff.roots) }));
    else for (const text of printDiff(diff)) terminal.out(`${text}\n`);
    const isWhole = [first, second].map(opened => reportLost(terminal, opened)).every(Boolean);
    return isWhole && isSame(diff) ? EXIT.fine : EXIT.findings;
  },
};

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Lists all calls of a diff in order, each with its ids in both files. */
export function listCallDiffs(roots: readonly CallDiff[]): readonly object[] {
  const found: object[] = [];
  const open = [...roots].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { before, after, changes, children } = next;
    const call = (after ?? before)?.call;
    found.push({
      kind: kindOf(next),
      changes,
      agent: call?.agent,
      title: call?.title,
      before: before && {
        call: before.call.call,
        status: before.status,
        code: before.code,
        duration: before.duration,
      },
      after: after && {
        call: after.call.call,
        status: after.status,
        code: after.code,
        duration: after.duration,
      },
    });
    for (const child of children.toReversed()) open.push(child);
  }
  return found;
}
