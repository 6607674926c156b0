import { CONTENT_START, textOf, type AtomNode, type PairNode } from './ast.ts';
import type { Characters } from '../text/source-text.ts';
import type { Children } from './children.ts';
import type { UnitReading } from './document.ts';
import type { MessageSummary } from './unit.ts';

export const EMPTY_SUMMARY: MessageSummary = { messageType: '', session: '', title: '' };

/** The fields that a summary is made of; the title is the first of the last four that is there. */
const FIELDS = ['msg_type', 'session_id', 'tool', 'query', 'task', 'reason'] as const;

/** What lists show of a unit: its type, its session, and the text of the field that names it. */
export function summarize({ text, base, tree }: Pick<UnitReading, 'text' | 'base' | 'tree'>): MessageSummary {
  const pairs = tree?.kind === 'message' ? tree.root.pairs : tree?.kind === 'pairs' ? tree.pairs : [];
  if (pairs.length === 0) return EMPTY_SUMMARY;
  const found = FIELDS.map(() => '');
  for (const { key, value } of pairs) {
    if (value?.kind !== 'text') continue;
    const field = FIELDS.findIndex(name => isKey(text, base, key, name));
    if (field >= 0) found[field] = textOf(text, base, value);
  }
  const [messageType = '', session = '', ...titles] = found;
  return { messageType, session, title: shorten(titles.find(title => title !== '') ?? '') };
}

/** Compares in place: most keys of most messages are none of these. Names of fields hold nothing to unescape. */
function isKey(text: Characters, base: number, key: AtomNode, name: string): boolean {
  const from = base + key.start + CONTENT_START;
  if (base + key.contentEnd - from !== name.length) return false;
  for (let at = 0; at < name.length; at++)
    if (text.charCodeAt(from + at) !== name.charCodeAt(at)) return false;
  return true;
}

/** The pairs at the top of a unit; none for a value. */
export function pairsOf(reading: UnitReading): Children<PairNode> {
  if (reading.tree?.kind === 'message') return reading.tree.root.pairs;
  return reading.tree?.kind === 'pairs' ? reading.tree.pairs : [];
}

function shorten(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
