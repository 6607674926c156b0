import { comparableText } from './diff-content.ts';
import type { CallContent, DiffSide } from './diff.ts';
import { walkCalls, type ExportSource } from '../export/source.ts';
import { joinPayload } from '../export/payload-text.ts';
import { findOwnExchange } from '../own-exchange.ts';
import type { CallNode } from '../fold/tree.ts';

const NOTHING: CallContent = { input: '', output: '' };

/**
 * Reads the contents of a trace's calls for `diffTraces`. `digest` shortens a text, so that the payloads of a
 * large trace need not be stored; it must give equal digests for equal texts, and different ones for others.
 */
export async function readDiffSide(
  source: Pick<ExportSource, 'trees' | 'payload' | 'protocols'>,
  digest: (text: string) => string,
): Promise<DiffSide> {
  const contents = new Map<CallNode, CallContent>();
  for (const call of walkCalls(source.trees)) {
    const payload = await source.payload(call.call.call);
    // Requests of the connection itself are left out, because not every call repeats them.
    const own = findOwnExchange(payload, source.protocols.find(call.call.protocol));
    const read = (direction: 'out' | 'in'): string => {
      const stored = joinPayload(direction === 'out' ? own.request : own.reply, direction);
      if (!stored) return '';
      return digest('text' in stored ? comparableText(stored.text) : stored.base64);
    };
    contents.set(call, { input: read('out'), output: read('in') });
  }
  return {
    roots: source.trees.flatMap(tree => tree.roots),
    content: call => contents.get(call) ?? NOTHING,
  };
}
