import { readFields } from '../../core/text/fields.ts';
import type { AttributesEvent, CallStatus, TraceEvent } from '../../core/events/events.ts';
import { readTraceEvent } from '../guards.ts';

/** The data of a call in the foreign format itself; they take precedence over the envelope. */
export interface StatedCall {
  readonly agent?: string;
  readonly title?: string;
  readonly status?: CallStatus;
  /** Used only if the envelope has none. */
  readonly attributes?: AttributesEvent['attributes'];
}

/**
 * Restores the events of a call from the envelope in our exports; undefined for any other value. The time of
 * the first reply becomes an empty piece of it.
 */
export function restoreCall(envelope: unknown, stated: StatedCall): readonly TraceEvent[] | undefined {
  const fields = readFields(envelope);
  const members = readFields(fields?.get('call'));
  if (!fields || !members) return undefined;
  const { agent, title, status } = stated;
  const call = readTraceEvent({
    ...Object.fromEntries(members),
    type: 'call',
    ...(agent === undefined ? {} : { agent }),
    ...(title === undefined ? {} : { title }),
  });
  if (call?.type !== 'call') return undefined;
  const common = { call: call.call, at: call.at };
  const answered = readTraceEvent({
    ...common,
    at: fields.get('answered'),
    type: 'wire',
    direction: 'in',
    bytes: { text: '' },
  });
  const notes = fields.get('notes');
  const texts = Array.isArray(notes) ? notes.filter(note => typeof note === 'string') : [];
  const end = status === 'open' ? undefined : readEnd(fields.get('end'), { ...common, status });
  return [
    call,
    ...(answered ? [answered] : []),
    ...readAttributes(fields.get('attributes') ?? stated.attributes, common),
    ...texts.map(text => ({ type: 'note', ...common, text }) as const),
    ...(end ? [end] : []),
  ];
}

function readAttributes(
  attributes: unknown,
  common: { readonly call: string; readonly at: number },
): readonly TraceEvent[] {
  if (!Array.isArray(attributes) || attributes.length === 0) return [];
  const event = readTraceEvent({ type: 'attributes', ...common, attributes });
  return event ? [event] : [];
}

function readEnd(
  value: unknown,
  {
    call,
    at,
    status,
  }: { readonly call: string; readonly at: number; readonly status: CallStatus | undefined },
): TraceEvent | undefined {
  const members = readFields(value);
  if (!members && status === undefined) return undefined;
  return readTraceEvent({
    at,
    ...Object.fromEntries(members ?? []),
    ...(status === undefined ? {} : { status }),
    type: 'end',
    call,
  });
}
