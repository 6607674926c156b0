import type { CallRecord } from './call-record.ts';
import { compareCalls } from './siblings.ts';

/**
 * Finds the loops in who names whom as its caller, each once: the earliest call of each, which becomes a root. Every call is
 * looked at twice at most.
 */
export function findLoops(
  records: readonly CallRecord[],
  callers: ReadonlyMap<CallRecord, CallRecord>,
): readonly CallRecord[] {
  const seenFrom = new Map<CallRecord, CallRecord>();
  const found: CallRecord[] = [];
  for (const record of records) {
    let at: CallRecord | undefined = record;
    while (at && !seenFrom.has(at)) {
      seenFrom.set(at, record);
      at = callers.get(at);
    }
    // One that was seen on this very way closes a loop; one that was seen before leads to what is known.
    if (at && seenFrom.get(at) === record) found.push(findEarliest(at, callers));
  }
  return found;
}

function findEarliest(record: CallRecord, callers: ReadonlyMap<CallRecord, CallRecord>): CallRecord {
  let first = record;
  for (let at = callers.get(record); at && at !== record; at = callers.get(at))
    if (compareCalls(at, first) < 0) first = at;
  return first;
}
