import { CONTENT_START, type AtomNode } from '../ast.ts';
import { replaceFix } from '../../fix.ts';
import type { Span } from '../../../core/text/span.ts';
import type { FaultReport } from '../faults.ts';
import type { Entry, LooseGroup, LooseValue } from './parser.ts';

/** A value or a pair. */
export type ValueEntry = Extract<Entry, { kind: 'value' | 'pair' }>;
type FieldEntry = Exclude<Entry, { kind: 'comma' }>;

/** The entries between two commas: one value or pair if there is no fault. */
export interface Field {
  readonly entries: readonly FieldEntry[];
  /** The offset of the comma after the field; -1 for the last one. */
  readonly comma: number;
}

/** Splits entries at their commas; the last field may be empty. */
export function splitFields(entries: readonly Entry[]): readonly Field[] {
  const fields: Field[] = [];
  let current: FieldEntry[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'comma') current.push(entry);
    else {
      fields.push({ entries: current, comma: entry.at });
      current = [];
    }
  }
  return [...fields, { entries: current, comma: -1 }];
}

/** Reports foreign text and unmatched closing brackets, and returns the other entries. */
export function dropStrays(faults: FaultReport, entries: readonly FieldEntry[]): readonly ValueEntry[] {
  const sound: ValueEntry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'close') faults.extraBracket(entry.at);
    else if (entry.kind === 'value' && entry.value.kind === 'junk') faults.foreign(entry.value);
    else if (entry.kind === 'pair' && entry.key?.kind === 'junk') {
      faults.foreign(entry.key);
      sound.push({ ...entry, key: undefined });
      // Runs are always alone between two commas and are handled before.
    } else if (entry.kind !== 'run') sound.push(entry);
  }
  return sound;
}

/** Joins the keys and values of a field whose colon is missing, doubled or misplaced. */
export function joinPairs(faults: FaultReport, entries: readonly ValueEntry[]): readonly ValueEntry[] {
  const joined: ValueEntry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    const pair = last && joinPair(faults, last, entry);
    if (pair) joined.splice(-1, 1, pair);
    else joined.push(entry);
  }
  return joined;
}

function joinPair(faults: FaultReport, last: ValueEntry, entry: ValueEntry): ValueEntry | undefined {
  const key = last.kind === 'value' && last.value.kind === 'text' ? last.value : undefined;
  if (key && entry.kind === 'value') return joinValue(faults, key, entry.value);
  // Foreign text or an extra bracket was between them and has been removed.
  if (entry.kind === 'value')
    return last.kind === 'pair' && last.key && !last.value ? { ...last, value: entry.value } : undefined;
  // Foreign text or an extra bracket was between the key and its colon and has been removed.
  if (key && !entry.key) return { ...entry, key };
  const colon = { start: entry.colon, end: entry.colon + 1 };
  if (last.kind === 'pair' && last.key && !last.value && !entry.key) {
    faults.add('aicl/extra-colon', colon, "One ':' is enough: remove this one", [
      replaceFix('Remove it', colon, ''),
    ]);
    return { ...last, value: entry.value };
  }
  if (!key || !entry.key || entry.value) return undefined;
  misplacedColon(faults, key.end, entry.colon);
  return { kind: 'pair', key, colon: key.end, value: entry.key };
}

/** Joins a key and a value without a colon between them. */
function joinValue(faults: FaultReport, key: AtomNode, value: LooseValue): ValueEntry {
  const { start, end } = value;
  const inside = takeColon(faults, value);
  if (inside) misplacedColon(faults, key.end, inside.colon);
  else {
    const span = { start, end: Math.min(end, start + CONTENT_START) };
    faults.add('aicl/missing-colon', span, "A ':' is missing before this value", [
      replaceFix("Insert ':'", { start: key.end, end: key.end }, ':'),
    ]);
  }
  return { kind: 'pair', key, colon: start, value: inside?.value ?? value };
}

function misplacedColon(faults: FaultReport, keyEnd: number, colon: number): void {
  const span = { start: colon, end: colon + 1 };
  const insert = { span: { start: keyEnd, end: keyEnd }, newText: ':' };
  const fix = { title: 'Move it', edits: [insert, { span, newText: '' }], safe: true };
  faults.add('aicl/missing-colon', span, "This ':' belongs before the value", [fix]);
}

/** Removes a colon directly after the head of a value, if it can only be the misplaced colon of the pair. */
function takeColon(
  faults: FaultReport,
  value: LooseValue,
): { readonly value: LooseValue; readonly colon: number } | undefined {
  const colon = value.start + CONTENT_START;
  if (faults.source({ start: colon, end: colon + 1 }) !== ':') return undefined;
  switch (value.kind) {
    case 'dict':
    case 'list':
      return { value: withoutFirstColon(value), colon };
    case 'int':
    case 'float':
    case 'bool':
    case 'tensor':
      // The content starts after the colon.
      return { value: { ...value, start: value.start + 1 }, colon };
    default:
      return undefined;
  }
}

/** Removes the colon at the start of a group. */
function withoutFirstColon(group: LooseGroup): LooseGroup {
  const [first, ...rest] = group.entries;
  if (first?.kind !== 'pair') return group;
  return { ...group, entries: first.value ? [{ kind: 'value', value: first.value }, ...rest] : rest };
}

/** The span from the first to the last part of an entry. */
export function spanOf(entry: ValueEntry): Span {
  if (entry.kind === 'value') return entry.value;
  return { start: entry.key?.start ?? entry.colon, end: entry.value?.end ?? entry.colon + 1 };
}
