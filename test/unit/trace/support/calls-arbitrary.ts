import fc from 'fast-check';
import type { TraceEvent } from '../../../../core/events/events.ts';

/** Traces of some calls: trees of any form, a few agents, calls that fail, that never end, or that outlive their callers. */
export const someCalls: fc.Arbitrary<readonly TraceEvent[]> = fc
  .array(
    fc.record({
      agent: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
      above: fc.nat(7),
      after: fc.nat(20),
      takes: fc.nat(60),
      status: fc.constantFrom('ok' as const, 'error' as const, 'open' as const, 'incomplete' as const),
      // The first of its kind is seen by the agent itself too.
      isSeenTwice: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map(calls => {
    const events: TraceEvent[] = [];
    let at = 0;
    for (const [index, { agent, above, after, takes, status, isSeenTwice }] of calls.entries()) {
      at += after;
      const id = `c${String(index).padStart(2, '0')}`;
      const parent =
        above > 0 && index >= above ? { parent: `c${String(index - above).padStart(2, '0')}` } : {};
      const common = { trace: 't', agent, protocol: 'aicf', title: 'tool' } as const;
      events.push({ type: 'call', call: id, at, ...common, ...parent });
      if (isSeenTwice) {
        events.push({ type: 'call', call: `${id}v`, at: at + 1, ...common, parent: id, seen: 'callee' });
        events.push({ type: 'end', call: `${id}v`, at: at + takes, status: 'ok' });
      }
      if (status !== 'open') events.push({ type: 'end', call: id, at: at + takes, status });
    }
    return events;
  });
