import type { CallRecord } from './call-record.ts';
import { compareCalls } from './siblings.ts';

/**
 * Finds the cycles among callers that calls name: for each one its earliest call, which becomes a root.
 * Visits every call at most twice.
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
    // A call seen on this path closes a cycle; one seen on an earlier path leads to calls that are done.
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
