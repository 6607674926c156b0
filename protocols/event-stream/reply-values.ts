import { readJsonPieces } from '../../language/values/json-reader.ts';
import type { Value } from '../../core/values/value.ts';
import { ReplyEvents } from './reply-events.ts';

/** The JSON values of a reply: those of its events, or of its body. */
export function readReplyValues(reply: string): readonly Value[] {
  const events = new ReplyEvents();
  const read = [...events.push(reply), ...events.end()];
  return [
    ...read.flatMap(({ values }) => values),
    ...readJsonPieces(events.takeRest()).pieces.map(piece => piece.value),
  ];
}
