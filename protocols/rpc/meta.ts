import { dictValue, findEntry, type DictValue, type Entry, type Value } from '../../core/values/value.ts';
import { Members } from '../message/members.ts';

/** The W3C form of a trace name, the only one that MCP's `_meta` has a place for. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACE_KEY = 'traceparent';

/** The `_meta` of a request's `params` or of a `result`, opened. */
export interface Meta {
  /** The members without `_meta`; the same object if it has none. */
  readonly body: DictValue;
  readonly trace: Value | undefined;
  /** The members of `_meta` that were not read. */
  readonly left: Members;
}

/** Members of no dictionary, of which none can be taken. */
const NONE = new Members(undefined);

/** Opens the `_meta` of a dictionary; a `_meta` that is no dictionary stays among the members. */
export function openMeta(dict: DictValue): Meta {
  const meta = findEntry(dict, '_meta');
  if (meta?.kind !== 'dict') return { body: dict, trace: undefined, left: NONE };
  const left = new Members(meta);
  return {
    body: dictValue(dict.entries.filter(({ key }) => key !== '_meta')),
    trace: isTraceparent(left.peek(TRACE_KEY)) ? left.take(TRACE_KEY) : undefined,
    left,
  };
}

/** A dictionary with a `_meta` of the trace and `more`; undefined if nothing is to be written. */
export function closeMeta(
  body: DictValue | undefined,
  trace: Value | undefined,
  more: readonly Entry[] = [],
): DictValue | undefined {
  const named = isTraceparent(trace) ? trace : undefined;
  if (!named && more.length === 0) return body && body.entries.length > 0 ? body : undefined;
  const meta = dictValue([...more, { key: TRACE_KEY, value: named }]);
  return dictValue([...(body?.entries ?? []), { key: '_meta', value: meta }]);
}

/** True for a trace's name in the W3C form. */
export function isTraceparent(value: Value | undefined): boolean {
  return value?.kind === 'text' && TRACEPARENT.test(value.text);
}

/** The members that were not read, followed by the nested ones; undefined if there are none. */
export function joinLeft(
  members: Members,
  nested: readonly { readonly key: string; readonly value: Value | undefined }[],
): DictValue | undefined {
  if (members.size === 0 && nested.every(({ value }) => !value)) return undefined;
  return dictValue([...members.entries(), ...nested]);
}
