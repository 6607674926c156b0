import type { CallEvent, EndEvent } from '../../core/events/events.ts';
import { outcomeFields } from '../outcome.ts';
import type { CallNode } from '../fold/tree.ts';

/**
 * The data of a call that a foreign format cannot express, as its member `parley`: the events of a trace file
 * without their `type` and without payloads. Other readers ignore it.
 */
export interface CallEnvelope {
  readonly call: Omit<CallEvent, 'type'>;
  /** When the first byte of the reply arrived, in milliseconds since 1970; parent resolution depends on it. */
  readonly answered?: number;
  readonly end?: Omit<EndEvent, 'type' | 'call'>;
  readonly notes?: readonly string[];
  readonly attributes?: CallNode['attributes'];
}

export function envelopeOf(node: CallNode): CallEnvelope {
  const { attributes } = node;
  return { ...bareEnvelopeOf(node), ...(attributes.length === 0 ? {} : { attributes }) };
}

/** The same without attributes, for a format that has attributes itself. */
export function bareEnvelopeOf(node: CallNode): CallEnvelope {
  const { call, notes } = node;
  const { firstInAt: answered } = node.traffic;
  const end = endOf(node);
  return {
    call: withoutType(call),
    ...(answered === undefined ? {} : { answered }),
    ...(end ? { end } : {}),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** The end of a call; undefined while it is open. */
export function endOf(node: CallNode): Omit<EndEvent, 'type' | 'call'> | undefined {
  const { status, code, message, usage, duration, call } = node;
  if (status === 'open') return undefined;
  return { at: call.at + (duration ?? 0), ...outcomeFields({ status, code, message, usage }) };
}

function withoutType({ type, ...rest }: CallEvent): Omit<CallEvent, 'type'> {
  void type;
  return rest;
}
