import { CONTENT_START } from './ast.ts';
import { replaceFix } from '../text/fix.ts';
import type { Span } from '../text/span.ts';
import type { FaultReport } from './faults.ts';
import type { Entry } from './parser.ts';

/** A value or a pair. */
export type ValueEntry = Extract<Entry, { kind: 'value' | 'pair' }>;
/** An entry that belongs where it stands. */
export type SoundEntry = Exclude<Entry, { kind: 'close' }>;

/** Reports foreign text and brackets that close nothing, and leaves the rest to be read as if they were not there. */
export function dropStrays(faults: FaultReport, entries: readonly Entry[]): readonly SoundEntry[] {
  const sound: SoundEntry[] = [];
  let isAfterJunk = false;
  for (const entry of entries) {
    const isItemEnd =
      isAfterJunk &&
      entry.kind === 'comma' &&
      sound.at(-1)?.kind !== 'value' &&
      sound.at(-1)?.kind !== 'pair';
    isAfterJunk = entry.kind === 'value' && entry.value.kind === 'junk';
    // The comma after a foreign item goes with it.
    if (isItemEnd) continue;
    if (entry.kind === 'close') {
      faults.extraBracket(entry.at);
    } else if (entry.kind === 'value' && entry.value.kind === 'junk') faults.foreign(entry.value);
    else sound.push(entry);
  }
  return sound;
}

/**
 * Joins a key and its value where no comma stands between them and only the colon is wrong: missing, doubled, or
 * behind the value.
 */
export function joinPairs(faults: FaultReport, entries: readonly SoundEntry[]): readonly SoundEntry[] {
  const joined: SoundEntry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    const pair = last && last.kind !== 'comma' ? joinPair(faults, last, entry) : undefined;
    if (pair) joined.splice(-1, 1, pair);
    else joined.push(entry);
  }
  return joined;
}

function joinPair(faults: FaultReport, last: ValueEntry, entry: SoundEntry): SoundEntry | undefined {
  if (last.kind === 'value' && last.value.kind === 'text' && entry.kind === 'value') {
    const { start, end } = entry.value;
    faults.add(
      'aicl/missing-colon',
      { start, end: Math.min(end, start + CONTENT_START) },
      "A ':' is missing before this value",
      [replaceFix("Insert ':'", { start: last.value.end, end: last.value.end }, ':')],
    );
    return { kind: 'pair', key: last.value, colon: start, value: entry.value };
  }
  if (entry.kind !== 'pair') return undefined;
  // What stood between the key and its colon is gone.
  if (last.kind === 'value' && last.value.kind === 'text' && !entry.key) return { ...entry, key: last.value };
  const colon = { start: entry.colon, end: entry.colon + 1 };
  if (last.kind === 'pair' && last.key && !last.value && !entry.key) {
    faults.add('aicl/extra-colon', colon, "One ':' is enough: remove this one", [
      replaceFix('Remove it', colon, ''),
    ]);
    return { ...last, value: entry.value };
  }
  if (last.kind === 'value' && last.value.kind === 'text' && entry.key && !entry.value) {
    const insert = { span: { start: last.value.end, end: last.value.end }, newText: ':' };
    const fix = { title: 'Move it', edits: [insert, { span: colon, newText: '' }], safe: true };
    faults.add('aicl/missing-colon', colon, "This ':' belongs before the value", [fix]);
    return { kind: 'pair', key: last.value, colon: last.value.end, value: entry.key };
  }
  return undefined;
}

/** From the first to the last of an entry's parts. */
export function spanOf(entry: ValueEntry): Span {
  if (entry.kind === 'value') return entry.value;
  return { start: entry.key?.start ?? entry.colon, end: entry.value?.end ?? entry.colon + 1 };
}
