import { ResponsesFold } from './fold.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import type { ProtocolShape, StreamShape } from '../message/shape.ts';
import { responseStream } from '../event-stream/response-stream.ts';

/** A streamed reply of OpenAI's Responses; each event has a `type`. */
export function responsesStream(read: ProtocolShape['read']): StreamShape {
  return responseStream({
    recognises: isEvent,
    begins: event => textIn(findEntry(event, 'type')) === 'response.created',
    openFold: () => new ResponsesFold('all'),
    read,
  });
}

function isEvent(value: Value): boolean {
  if (value.kind !== 'dict') return false;
  const type = textIn(findEntry(value, 'type')) ?? '';
  return (
    type.startsWith('response.') || (type === 'error' && findEntry(value, 'sequence_number')?.kind === 'int')
  );
}
