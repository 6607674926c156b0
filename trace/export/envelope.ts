import type { CallEvent, EndEvent } from '../../core/events/events.ts';
import { tellOutcome } from '../outcome.ts';
import type { CallNode } from '../fold/tree.ts';

/**
 * What formats of others cannot say of a call, as a member of theirs named `parley`: the events of a trace file without their
 * `type` and without payloads. A reader that does not know it passes it over.
 */
export interface CallEnvelope {
  readonly call: Omit<CallEvent, 'type'>;
  /** When the first of the reply came, in milliseconds since 1970: what was observed of callers rests on it. */
  readonly answered?: number;
  readonly end?: Omit<EndEvent, 'type' | 'call'>;
  readonly notes?: readonly string[];
  readonly attributes?: CallNode['attributes'];
}

/** The envelope of a call. */
export function envelopeOf(node: CallNode): CallEnvelope {
  const { attributes } = node;
  return { ...bareEnvelopeOf(node), ...(attributes.length === 0 ? {} : { attributes }) };
}

/** The same without attributes, for a format that has them itself. */
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
  return { at: call.at + (duration ?? 0), ...tellOutcome({ status, code, message, usage }) };
}

function withoutType({ type, ...rest }: CallEvent): Omit<CallEvent, 'type'> {
  void type;
  return rest;
}
