import { CHAIN_SCHEME, MESSAGE_SCHEME } from '../../core/catalog/trace-names.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import type { StoredHeader, TraceName } from '../../core/events/events.ts';
import { findHeader } from '../../core/events/headers.ts';

/** The trace names in a request (reading of trace identity, section 7). */
export interface CarriedNames {
  readonly names: readonly TraceName[];
  /** The number of calls above it, if it has that without an OpenStarry trace id. */
  readonly depth?: number;
  /** Names that could not be read, each a sentence. */
  readonly notes: readonly string[];
}

/** W3C trace context, level 1: version, trace, parent, flags; a later version may append further fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;

/**
 * Reads the trace names of a request: `traceparent` as a header or in `params._meta`; the OpenStarry trace
 * and depth as headers, else as bare keys in `params._meta`; and AIO's `trace_id` next to the `id`. A header
 * takes precedence over a key. Invalid names are left out with a note.
 */
export function readNames(headers: readonly StoredHeader[], message: Value | undefined): CarriedNames {
  const meta = findEntry(findEntry(message, 'params'), '_meta');
  const notes: string[] = [];
  const names: TraceName[] = [];
  const parent = findHeader(headers, 'traceparent') ?? textIn(findEntry(meta, 'traceparent'));
  if (parent !== undefined) {
    const [, version, trace, id] = TRACEPARENT.exec(parent.trim()) ?? [];
    const isValid = trace && id && version !== 'ff' && !/^0+$/.test(trace) && !/^0+$/.test(id);
    if (isValid) names.push({ scheme: 'w3c', trace, parent: id });
    else notes.push(`The traceparent ${quote(parent, 80)} is not one of W3C trace context; it was ignored`);
  }
  const aio = textIn(findEntry(message, 'trace_id'));
  const id = printId(findEntry(message, 'id'));
  if (aio) names.push({ scheme: MESSAGE_SCHEME, trace: aio, ...(id === undefined ? {} : { id }) });
  const depth = readDepth(headers, meta, notes);
  const openstarry = findHeader(headers, 'x-openstarry-trace-id') ?? textIn(findMeta(meta, TRACE_KEYS));
  if (openstarry)
    names.push({ scheme: CHAIN_SCHEME, trace: openstarry, ...(depth === undefined ? {} : { depth }) });
  return { names, notes, ...(depth === undefined || openstarry ? {} : { depth }) };
}

const TRACE_KEYS = ['traceId', 'X-OpenStarry-Trace-ID'];
const DEPTH_KEYS = ['traceDepth', 'X-OpenStarry-Trace-Depth'];

function findMeta(meta: Value | undefined, keys: readonly string[]): Value | undefined {
  for (const key of keys) {
    const found = findEntry(meta, key);
    if (found) return found;
  }
  return undefined;
}

function readDepth(
  headers: readonly StoredHeader[],
  meta: Value | undefined,
  notes: string[],
): number | undefined {
  const found = findMeta(meta, DEPTH_KEYS);
  const given = findHeader(headers, 'x-openstarry-trace-depth') ?? (found && (printId(found) ?? found.kind));
  if (given === undefined) return undefined;
  const text = given.trim();
  if (/^\d+$/.test(text)) return countDepth(text, notes);
  notes.push(`The trace depth ${quote(text)} is not a count of calls; it was ignored`);
  return undefined;
}

/** Reads a depth; one beyond the safe integers counts as the largest of them. */
function countDepth(digits: string, notes: string[]): number {
  const depth = Number(digits);
  if (depth <= Number.MAX_SAFE_INTEGER) return depth;
  notes.push(
    `The trace depth ${quote(digits, 40)} is more than can be counted; it counts as ${Number.MAX_SAFE_INTEGER}`,
  );
  return Number.MAX_SAFE_INTEGER;
}

/** The id of a message as text: a text unchanged, an integer in digits; undefined for anything else. */
export function printId(value: Value | undefined): string | undefined {
  return value?.kind === 'int' ? String(value.int) : textIn(value);
}
