import type { Value } from '../../core/values/value.ts';
import { readJsonPieces, readJsonValue } from '../../language/values/json-reader.ts';
import { isSse, listSseData } from '../../core/text/event-stream.ts';

/** The JSON values of a reply: those of its events, or of its body. */
export function readReplyValues(reply: string): readonly Value[] {
  const value = readJsonValue(reply);
  if (value) return [value];
  if (!reply.trimStart().startsWith(':') && !isSse(reply))
    return readJsonPieces(reply).pieces.map(piece => piece.value);
  return listSseData(reply).flatMap(data => readJsonValue(data) ?? []);
}
