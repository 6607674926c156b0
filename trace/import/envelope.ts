import { readFields } from '../../core/text/fields.ts';
import type { AttributesEvent, CallStatus, TraceEvent } from '../../core/events/events.ts';
import { readTraceEvent } from '../guards.ts';

/** What the format itself says of a call. It counts where the envelope says otherwise. */
export interface SaidOfCall {
  readonly agent?: string;
  readonly title?: string;
  readonly status?: CallStatus;
  /** These count where the envelope has none. */
  readonly attributes?: AttributesEvent['attributes'];
}

/**
 * The events of a call from the envelope that an export of ours carries; undefined where it is none. That a reply began is an
 * empty piece of it.
 */
export function restoreCall(envelope: unknown, said: SaidOfCall): readonly TraceEvent[] | undefined {
  const fields = readFields(envelope);
  const members = readFields(fields?.get('call'));
  if (!fields || !members) return undefined;
  const { agent, title, status } = said;
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
    ...readAttributes(fields.get('attributes') ?? said.attributes, common),
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
