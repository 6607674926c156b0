import type { Value } from '../../core/values/value.ts';
import { readJsonPieces, readJsonValue } from '../../language/values/json-reader.ts';
import { isSse } from '../../language/values/sse.ts';
import { EventText } from './event-text.ts';

/** The values of a reply in JSON: those of its events, or of its body. */
export function readReplyValues(reply: string): readonly Value[] {
  const value = readJsonValue(reply);
  if (value) return [value];
  if (!reply.trimStart().startsWith(':') && !isSse(reply))
    return readJsonPieces(reply).pieces.map(piece => piece.value);
  const events = new EventText();
  return [...events.push(reply), ...events.end()].flatMap(({ data }) => readJsonValue(data) ?? []);
}
