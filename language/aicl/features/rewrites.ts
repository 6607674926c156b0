import { DEFAULT_FORMAT, type Rewrite } from '../../format.ts';
import type { TextEdit } from '../../../core/text/edit.ts';
import type { Span } from '../../../core/text/span.ts';
import { depthAt, findCursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { formatUnit, layoutOf } from '../format.ts';
import { layOutPayload, type Layout } from '../layout.ts';

/**
 * The other layouts of the message at the start of a range, and of the tensor's data there. A message that is longer
 * than `most` is not looked at.
 */
export function rewrites(doc: AiclDocument, range: Span, most: number): readonly Rewrite[] {
  const unit = doc.units.find(range.start);
  if (!unit?.isAccepted || unit.length > most) return [];
  const what = unit.kind === 'message' ? 'message' : 'fragment';
  const found = inBothStyles(doc, what, layout => formatUnit(doc, unit, layout));
  const cursor = findCursor(doc, range.start);
  if (cursor?.atom?.kind !== 'tensor') return found;
  const { reading, atom } = cursor;
  return [
    ...inBothStyles(doc, 'data', layout => layOutPayload(reading, atom, depthAt(cursor), layout)),
    ...found,
  ];
}

function inBothStyles(
  doc: AiclDocument,
  what: 'message' | 'fragment' | 'data',
  format: (layout: Layout) => readonly TextEdit[],
): readonly Rewrite[] {
  const layout = layoutOf(doc, DEFAULT_FORMAT);
  const compact = format({ ...layout, style: 'compact' });
  const indented = format({ ...layout, style: 'indented' });
  const onLine = { title: `Write the ${what} on one line`, edits: compact };
  const onLines = {
    title: what === 'data' ? 'Wrap the data' : `Write the ${what} indented`,
    edits: indented,
  };
  // What is short stands in the same way in both styles.
  const found = JSON.stringify(indented) === JSON.stringify(compact) ? [onLine] : [onLines, onLine];
  return found.filter(({ edits }) => edits.length > 0);
}
