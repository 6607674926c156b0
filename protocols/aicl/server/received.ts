import type { ReceivedPart } from '../../../language/rules/aicl/receive.ts';
import { parseStreamId, type StreamId } from '../../../language/aicl/unit.ts';
import { quote } from '../../../core/text/quote.ts';
import { findEntry, textIn, type DictValue, type Value } from '../../../core/values/value.ts';
import { joinMessage } from '../chunks.ts';

/** A part of a request, in which chunks are one message. */
export interface JoinedPart {
  /** Empty if the part has none. */
  readonly session: string;
  readonly messageType: string;
  /** Why the part is refused. */
  readonly error?: { readonly code: number; readonly text: string };
  readonly message?: Value | undefined;
}

/** Chunks that follow each other. */
interface Run {
  readonly part: ReceivedPart;
  readonly stream: string;
  readonly chunks: DictValue[];
}

/** The parts with the chunks of a request, which follow each other, as one message (LightAICL 1.0, section 8.2). */
export function joinChunks(parts: readonly ReceivedPart[]): readonly JoinedPart[] {
  const joined: JoinedPart[] = [];
  let run: Run | undefined;
  const cut = (): void => {
    if (run) joined.push(refuse(run.part, `The request ends before the chunks of ${quote(run.stream)} do`));
    run = undefined;
  };
  for (const part of parts) {
    const chunk = part.message?.kind === 'dict' ? part.message : undefined;
    const place = findPlace(chunk);
    if (!chunk || !place || place.n === 1) {
      cut();
      joined.push(toJoined(part));
      continue;
    }
    if (run && run.stream !== place.stream) cut();
    run ??= { part, stream: place.stream, chunks: [] };
    if (place.k !== run.chunks.length + 1) {
      const wanted = run.chunks.length + 1;
      joined.push(refuse(part, `Chunk ${wanted} of ${quote(place.stream)} should be here, not ${place.k}`));
      run = undefined;
      continue;
    }
    run.chunks.push(chunk);
    if (!isFinal(chunk, place)) continue;
    const message = joinMessage(run.chunks);
    joined.push(
      message
        ? { session: part.session, messageType: part.messageType, message }
        : refuse(part, `The values of the chunks of ${quote(place.stream)} cannot be joined`, 4001),
    );
    run = undefined;
  }
  cut();
  return joined;
}

function findPlace(chunk: DictValue | undefined): StreamId | undefined {
  const id = textIn(findEntry(chunk, 'stream_id'));
  return id === undefined ? undefined : parseStreamId(id);
}

function isFinal(chunk: DictValue, { k, n }: StreamId): boolean {
  const final = findEntry(chunk, 'is_final');
  return final?.kind === 'bool' ? final.bool : k === n;
}

function refuse({ session, messageType }: ReceivedPart, text: string, code = 1000): JoinedPart {
  return { session, messageType, error: { code, text } };
}

function toJoined({ session, messageType, error, message }: ReceivedPart): JoinedPart {
  const refused = error && { code: error.wire ?? 1000, text: error.message };
  return { session, messageType, message, ...(refused ? { error: refused } : {}) };
}
