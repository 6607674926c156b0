import { Report } from '../../../core/message/report.ts';
import type { Message } from '../../../core/message/message.ts';
import type { Places } from '../../../language/values/text-layer.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { areOfOneReply, joinReply } from '../../../protocols/event-stream/joined.ts';
import { readTensor } from '../../../tensor/read-tensor.ts';
import type { Tensor } from '../../../tensor/tensor.ts';

/** The tensor that the chunks of a stream make together. */
export interface JoinedChunks {
  readonly tensor: Tensor;
  /** The end of the tensor of its first chunk in the text. */
  readonly first: number;
}

/** The member that names the stream of a chunk. Texts without it have no chunks and are not read. */
const STREAM = '[s:stream_id]';

/**
 * The streams of an AICL text whose chunks are tensors that differ in their first axis alone, by the end of the tensor
 * of each of their chunks.
 */
export function findJoinedChunks(text: string): ReadonlyMap<number, JoinedChunks> {
  const found = new Map<number, JoinedChunks>();
  if (!text.includes(STREAM)) return found;
  const places: Places = new Map();
  const options = { protocols: ALL_PROTOCOLS, from: 'aicl', report: new Report(), places };
  const messages = readMessages(text, options).messages.map(({ message }) => message);
  for (let from = 0, to = 0; from < messages.length; from = to) {
    for (to = from + 1; areOfOneStream(messages[from], messages[to]);) to++;
    const tensor = joinTensors(messages.slice(from, to));
    if (!tensor) continue;
    const ends = messages
      .slice(from, to)
      .flatMap(({ fields: { data } }) => (data && places.get(data)?.end) ?? []);
    const first = Math.min(...ends);
    for (const end of ends) found.set(end, { tensor, first });
  }
  return found;
}

function areOfOneStream(first: Message | undefined, next: Message | undefined): boolean {
  return first?.kind === 'chunk' && next?.kind === 'chunk' && areOfOneReply(first, next);
}

function joinTensors(chunks: readonly Message[]): Tensor | undefined {
  if (chunks.length < 2 || chunks.some(({ fields }) => fields.data?.kind !== 'tensor')) return undefined;
  const { data } = joinReply(chunks, new Report()).fields;
  return data?.kind === 'tensor' ? readTensor(data.source) : undefined;
}
