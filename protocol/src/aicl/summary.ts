import { findPair, textOf, type PairNode } from './ast.ts';
import type { UnitReading } from './document.ts';
import type { MessageSummary } from './unit.ts';

export const EMPTY_SUMMARY: MessageSummary = { messageType: '', session: '', title: '' };

/** The field that names a message, the first that is there. */
const TITLE_FIELDS = ['tool', 'query', 'task', 'reason'] as const;

/** What lists show of a unit: its type, its session, and the text of the field that names it. */
export function summarize(reading: UnitReading): MessageSummary {
  const pairs = pairsOf(reading);
  if (pairs.length === 0) return EMPTY_SUMMARY;
  const read = (key: string): string => {
    const value = findPair(reading.text, reading.start, pairs, key)?.value;
    return value?.kind === 'text' ? textOf(reading.text, reading.start, value) : '';
  };
  const titleField = TITLE_FIELDS.find(key => read(key) !== '');
  return {
    messageType: read('msg_type'),
    session: read('session_id'),
    title: titleField ? shorten(read(titleField)) : '',
  };
}

/** The pairs at the top of a unit; none for a value. */
export function pairsOf(reading: UnitReading): readonly PairNode[] {
  if (reading.tree?.kind === 'message') return reading.tree.root.pairs;
  return reading.tree?.kind === 'pairs' ? reading.tree.pairs : [];
}

function shorten(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
