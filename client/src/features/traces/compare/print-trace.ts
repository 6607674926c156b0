import { comparableText } from '../../../../../trace/diff/diff-content.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import { STATUS_WORDS } from '../../../../../trace/words.ts';
import { buildPayloadDocument } from '../timeline/payload-document.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';

/** Calls below this depth are not indented further. */
const DEEPEST_INDENT = 20;

/** Whether calls are printed alone or with the calls below them. */
export type PrintedExtent = 'alone' | 'withBelow';

/**
 * Prints calls for comparison: each with its request and reply, without times, and with numbers in place of
 * ids that are new for every call.
 */
export async function printCalls(
  payload: TraceSource['payload'],
  calls: readonly CallNode[],
  extent: PrintedExtent,
): Promise<string> {
  const parts: string[] = [];
  const open = calls.map(node => ({ node, level: 0 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, level } = next;
    parts.push(printCall(node, await payload(node.call.call), level));
    if (extent === 'alone') continue;
    for (const child of node.children.toReversed()) open.push({ node: child, level: level + 1 });
  }
  return parts.join('');
}

function printCall(
  node: CallNode,
  payload: Awaited<ReturnType<TraceSource['payload']>>,
  level: number,
): string {
  const indent = '  '.repeat(Math.min(level, DEEPEST_INDENT));
  const { agent, title } = node.call;
  const outcome = [STATUS_WORDS[node.status], node.code].filter(part => part !== undefined).join(' ');
  const parts = [`${indent}${agent}  ${title}  ${outcome}\n`];
  for (const [direction, sign] of [
    ['out', '>'],
    ['in', '<'],
  ] as const) {
    const text = buildPayloadDocument(payload, direction)?.text ?? '';
    for (const line of comparableText(text).trimEnd().split('\n'))
      if (line !== '') parts.push(`${indent}  ${sign} ${line}\n`);
  }
  return parts.join('');
}
