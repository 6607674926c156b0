import { DEFAULT_FORMAT, type Rewrite } from '../../format.ts';
import type { TextEdit } from '../../../core/text/edit.ts';
import type { Span } from '../../../core/text/span.ts';
import { depthAt, findCursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { layOutUnit, layoutOf } from '../format.ts';
import { layOutPayload, type Layout } from '../layout.ts';

/**
 * Alternative layouts of the message at the start of a range, and of tensor data there. Messages longer than
 * `most` are skipped.
 */
export function rewrites(doc: AiclDocument, range: Span, most: number): readonly Rewrite[] {
  const unit = doc.units.find(range.start);
  if (!unit?.isAccepted || unit.length > most) return [];
  const what = unit.kind === 'message' ? 'message' : 'fragment';
  const found = inBothStyles(doc, what, (layout, edits) => layOutUnit(doc, unit, layout, edits));
  const cursor = findCursor(doc, range.start);
  if (cursor?.atom?.kind !== 'tensor') return found;
  const { reading, atom } = cursor;
  return [
    ...inBothStyles(doc, 'data', (layout, edits) =>
      layOutPayload(reading, atom, depthAt(cursor), layout, edits),
    ),
    ...found,
  ];
}

function inBothStyles(
  doc: AiclDocument,
  what: 'message' | 'fragment' | 'data',
  format: (layout: Layout, edits: TextEdit[]) => void,
): readonly Rewrite[] {
  const layout = layoutOf(doc, DEFAULT_FORMAT);
  const [compact, indented]: [TextEdit[], TextEdit[]] = [[], []];
  format({ ...layout, style: 'compact' }, compact);
  format({ ...layout, style: 'indented' }, indented);
  const onLine = { title: `Write the ${what} on one line`, edits: compact };
  const onLines = {
    title: what === 'data' ? 'Wrap the data' : `Write the ${what} indented`,
    edits: indented,
  };
  // Short content has the same layout in both styles.
  const found = JSON.stringify(indented) === JSON.stringify(compact) ? [onLine] : [onLines, onLine];
  return found.filter(({ edits }) => edits.length > 0);
}
