import { comparableText } from './diff-content.ts';
import type { CallContent, DiffSide } from './diff.ts';
import { walkCalls, type ExportSource } from '../export/source.ts';
import { joinPayload } from '../export/payload-text.ts';
import { splitMessages } from '../messages.ts';
import type { CallNode } from '../fold/tree.ts';

const NOTHING: CallContent = { input: '', output: '' };

/**
 * Reads what the calls of a trace said, for `diffTraces`. `digest` shortens a text, so that the payloads of a large trace
 * need not be held; equal texts have to give equal digests, and others different ones.
 */
export async function readDiffSide(
  source: Pick<ExportSource, 'trees' | 'payload'>,
  digest: (text: string) => string,
): Promise<DiffSide> {
  const contents = new Map<CallNode, CallContent>();
  for (const call of walkCalls(source.trees)) {
    const payload = await source.payload(call.call.call);
    const read = (direction: 'out' | 'in'): string => {
      // What went before it were questions of the connection's own, which are asked once and not by every call.
      const last = splitMessages(payload, direction).findLast(({ wire }) => wire.length > 0);
      const kept = last && joinPayload(last.wire, direction);
      if (!kept) return '';
      return digest('text' in kept ? comparableText(kept.text) : kept.base64);
    };
    contents.set(call, { input: read('out'), output: read('in') });
  }
  return {
    roots: source.trees.flatMap(tree => tree.roots),
    content: call => contents.get(call) ?? NOTHING,
  };
}
