import type { TraceEvent } from '../../core/events/events.ts';

/** The event that a call began, below another call where `parent` names one. */
export function call(id: string, at: number, parent?: string): TraceEvent {
  const common = {
    type: 'call',
    call: id,
    trace: 't',
    at,
    agent: 'toolbox',
    protocol: 'aicf',
    title: id,
  } as const;
  return parent === undefined ? common : { ...common, parent };
}
