import { readAiclPieces } from '../../../language/values/aicl-reader.ts';
import { findEntry, type Value } from '../../../core/values/value.ts';
import type { FormState } from '../../../wire/form-messages.ts';

/** The progress that a chunk of a reply in AICL reports; undefined if it reports none. */
export function readProgress(chunk: string): Pick<FormState, 'words' | 'share'> | undefined {
  const data = readAiclPieces(chunk).pieces.flatMap(({ value }) => {
    const event = findEntry(value, 'event');
    return event?.kind === 'text' && event.text === 'progress' ? [findEntry(value, 'data')] : [];
  });
  const last = data.at(-1);
  const [done, total] = [numberIn(findEntry(last, 'progress')), numberIn(findEntry(last, 'total'))];
  if (done === undefined) return undefined;
  const message = findEntry(last, 'message');
  const words = message?.kind === 'text' && message.text !== '' ? `: ${message.text}` : '';
  if (total === undefined || total <= 0) return { words: `Step ${done}${words}` };
  return { words: `Step ${done} of ${total}${words}`, share: Math.max(0, Math.min(1, done / total)) };
}

function numberIn(value: Value | undefined): number | undefined {
  if (value?.kind === 'int') return Number(value.int);
  return value?.kind === 'float' ? value.float : undefined;
}
