import { CONTENT_START, type AtomNode } from './ast.ts';
import { replaceFix } from '../../core/text/fix.ts';
import type { Span } from '../../core/text/span.ts';
import type { FaultReport } from './faults.ts';
import type { Entry, LooseGroup, LooseValue } from './parser.ts';

/** A value or a pair. */
export type ValueEntry = Extract<Entry, { kind: 'value' | 'pair' }>;
type FieldEntry = Exclude<Entry, { kind: 'comma' }>;

/** What stands between two commas: one value or pair, if nothing is wrong. */
export interface Field {
  readonly entries: readonly FieldEntry[];
  /** The offset of the comma after it; -1 for the last one. */
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

/** Reports foreign text and brackets that close nothing, and leaves the rest to be read as if they were not there. */
export function dropStrays(faults: FaultReport, entries: readonly FieldEntry[]): readonly ValueEntry[] {
  const sound: ValueEntry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'close') faults.extraBracket(entry.at);
    else if (entry.kind === 'value' && entry.value.kind === 'junk') faults.foreign(entry.value);
    else if (entry.kind === 'pair' && entry.key?.kind === 'junk') {
      faults.foreign(entry.key);
      sound.push({ ...entry, key: undefined });
      // Whole entries stand alone between two commas, and are looked at before.
    } else if (entry.kind !== 'run') sound.push(entry);
  }
  return sound;
}

/** Joins the key and the value of a field where only the colon is wrong: missing, doubled, or in another place. */
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
  // What stood between them is foreign, or a bracket too many.
  if (entry.kind === 'value')
    return last.kind === 'pair' && last.key && !last.value ? { ...last, value: entry.value } : undefined;
  // What stood between the key and its colon is gone.
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

/** A key and a value without a colon between them. */
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

/** A value without the colon that stands directly behind its head, where only the pair's own can have been meant. */
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
      // Its content begins behind the colon.
      return { value: { ...value, start: value.start + 1 }, colon };
    default:
      return undefined;
  }
}

/** A group that begins with a colon, read as if that were not there. */
function withoutFirstColon(group: LooseGroup): LooseGroup {
  const [first, ...rest] = group.entries;
  if (first?.kind !== 'pair') return group;
  return { ...group, entries: first.value ? [{ kind: 'value', value: first.value }, ...rest] : rest };
}

/** From the first to the last of an entry's parts. */
export function spanOf(entry: ValueEntry): Span {
  if (entry.kind === 'value') return entry.value;
  return { start: entry.key?.start ?? entry.colon, end: entry.value?.end ?? entry.colon + 1 };
}
