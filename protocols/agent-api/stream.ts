import { AgentApiFold } from './fold.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { numberOf } from '../event-stream/event-order.ts';
import { looksLikeResponses } from '../event-stream/marks.ts';
import type { ProtocolShape, StreamShape } from '../message/shape.ts';
import { responseStream } from '../event-stream/response-stream.ts';

/** A streamed reply of the Agent API: response, message and content objects, each with a status. */
export function agentApiStream(read: ProtocolShape['read']): StreamShape {
  return responseStream({
    recognises: isEvent,
    begins: event => statusOf(event) === 'created' && textIn(findEntry(event, 'object')) === 'response',
    openFold: () => new AgentApiFold('all'),
    read,
  });
}

const OBJECTS = new Set(['message', 'content']);
const UNFINISHED = new Set(['created', 'in_progress', 'queued']);

function isEvent(value: Value): boolean {
  if (value.kind !== 'dict' || findEntry(value, 'jsonrpc')) return false;
  const object = textIn(findEntry(value, 'object')) ?? '';
  if (OBJECTS.has(object)) return true;
  if (object !== 'response' || looksLikeResponses(value)) return false;
  // A whole response has an output. The events of the specification's examples have neither output nor number.
  const hasOutput = findEntry(value, 'output') !== undefined;
  return numberOf(value) !== undefined || UNFINISHED.has(statusOf(value)) || !hasOutput;
}

function statusOf(event: Value): string {
  return textIn(findEntry(event, 'status')) ?? '';
}
