import { findEntry, textIn, type Value } from '../../../core/values/value.ts';

/**
 * A sentence about the parts of a response besides its text: its members, and the number of items and parts
 * of each type. For AICF, which has a place for the text alone.
 */
export function describeBeside(metadata: Value): string {
  const members = metadata.kind === 'dict' ? metadata.entries.map(({ key }) => key) : [];
  const output = findEntry(metadata, 'output');
  const counted = [...countTypes(output?.kind === 'list' ? output.items : [])].map(
    ([type, count]) => `${count} × ${type}`,
  );
  const reported = [...members.filter(key => key !== 'output'), ...counted];
  const what =
    reported.length === 0
      ? 'The ids of its messages'
      : `Beside its text the reply has ${reported.join(', ')}`;
  return reported.length === 0 ? `${what} ${ELSEWHERE}` : `${what}: they ${ELSEWHERE}`;
}

const ELSEWHERE = 'are only in the raw reply, because AICF has no place for them';

/** Counts the types of items and parts, except messages and texts, which are shown. */
function countTypes(items: readonly Value[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const type = textIn(findEntry(item, 'type')) ?? '';
    const content = findEntry(item, 'content');
    const parts =
      content?.kind === 'list' ? content.items.map(part => textIn(findEntry(part, 'type')) ?? '') : [];
    for (const each of [type, ...parts])
      if (each !== '' && !SHOWN.has(each)) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return counts;
}

const SHOWN: ReadonlySet<string> = new Set(['message', 'output_text', 'text']);
