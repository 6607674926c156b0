import type { ConversionName } from '../../core/catalog/conversions.ts';
import type { Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { START, type Stage, type StageRules, type StepName } from './stages.ts';

/** What an event says. */
export interface Step {
  readonly name: StepName;
  /** Of `open` and `begin`: the neutral item, without its id. */
  readonly item?: Value | undefined;
  /** Of `text` and `arguments`. */
  readonly text?: Value | undefined;
  /** Of `failed`. */
  readonly error?: Value | undefined;
}

/** What was told so far. Never changed, so that a writer can look ahead and come back. */
export interface StreamState {
  readonly stage: Stage;
  /** The number of the next event. */
  readonly number: number;
  /** The response as it was last told. */
  readonly response: DictValue;
  /** What names the open item, and what it has as text or arguments. */
  readonly item: OpenItem;
  /** How many items were opened. */
  readonly count: number;
  /** Closed items, the last one first. */
  readonly closed: Closed | undefined;
}

export interface OpenItem {
  readonly id: Value;
  readonly open: Value;
  readonly text: string;
}

export interface Closed {
  readonly item: Value;
  readonly before: Closed | undefined;
}

/** How a protocol tells the steps of a reply. */
export interface StreamDialect extends StageRules {
  readonly protocol: ConversionName;
  readonly start: StreamState;
  /** The step of an event; `other` for one that is none. */
  classify(event: Value, state: StreamState): Step;
  /** The event of a step that is due; undefined where it cannot be told. */
  derive(state: StreamState, step: Step): DictValue | undefined;
  /** The state after an event, due or not. */
  observe(state: StreamState, event: Value, step: Step): StreamState;
  /** True for a last event that is a whole reply where none came before it. */
  isWhole(event: Value): boolean;
  /** An event that clients pass over, for a part that the protocol has no event for. */
  carrier(state: StreamState): DictValue;
  /** True for such an event. */
  isCarrier(event: Value): boolean;
}

/** An end that is carried is one as well: what comes next begins anew. */
export function afterPart(state: StreamState, { kind }: Message): StreamState {
  return kind === 'chunk' ? state : { ...state, stage: { ...START, at: 'ended' } };
}

/** The closed items in order. */
export function closedItems(state: StreamState): readonly Value[] {
  const items: Value[] = [];
  for (let at = state.closed; at; at = at.before) items.push(at.item);
  return items.reverse();
}

/** A dictionary with some members changed or added. */
export function withMembers(dict: DictValue, more: Readonly<Record<string, Value>>): DictValue {
  const left = new Map(Object.entries(more));
  const entries = dict.entries.map((entry): Entry => {
    const value = left.get(entry.key);
    left.delete(entry.key);
    return value ? { key: entry.key, value } : entry;
  });
  return dictValue([...entries, ...[...left].map(([key, value]) => ({ key, value }))]);
}

/**
 * What has to be joined to one dictionary to get another: undefined for nothing, `impossible` where members are missing
 * that say something. The order of an event's members says nothing, and many servers leave out what does not either.
 */
export function differenceOf(derived: DictValue, actual: DictValue): DictValue | undefined | 'impossible' {
  const known = new Map(derived.entries.map(({ key, value }) => [key, value]));
  const entries: Entry[] = [];
  for (const { key, value } of actual.entries) {
    const before = known.get(key);
    known.delete(key);
    if (!before || isSameList(before, value) || isSameValue(before, value)) {
      if (!before) entries.push({ key, value });
      continue;
    }
    if (before.kind !== 'dict' || value.kind !== 'dict') {
      entries.push({ key, value });
      continue;
    }
    const inner = differenceOf(before, value);
    if (inner === 'impossible') return inner;
    if (inner) entries.push({ key, value: inner });
  }
  for (const [key, value] of known) if (!saysNothing(key, value)) return 'impossible';
  return entries.length === 0 ? undefined : dictValue(entries);
}

/** True for lists whose items are the same but for members that say nothing. */
function isSameList(one: Value, other: Value): boolean {
  if (one.kind !== 'list' || other.kind !== 'list' || one.items.length !== other.items.length) return false;
  return one.items.every((item, index) => {
    const value = other.items[index];
    return item.kind === 'dict' && value?.kind === 'dict' && differenceOf(item, value) === undefined;
  });
}

/** True for null, for an empty list, and for the number of an event, which counts events. */
function saysNothing(key: string, value: Value): boolean {
  return (
    key === 'sequence_number' || value.kind === 'null' || (value.kind === 'list' && value.items.length === 0)
  );
}

/** The number of the event after this one. */
export function nextNumber(event: Value, state: StreamState): number {
  const number = findEntry(event, 'sequence_number');
  return number?.kind === 'int' && typeof number.int === 'number' ? number.int + 1 : state.number + 1;
}

/** An error with the members that every one has. */
export function pickError(error: Value | undefined): Value {
  const [code, text, data] = ['code', 'message', 'data'].map(key => findEntry(error, key));
  return dictValue([
    { key: 'code', value: code },
    { key: 'message', value: text },
    { key: 'data', value: data },
  ]);
}

/** The message that opens where a text comes and none is open. */
export const DEFAULT_ITEM = dictValue([
  { key: 'type', value: textValue('message') },
  { key: 'role', value: textValue('assistant') },
]);
