import type { TextPlace } from '../../text-place.ts';
import { contentSpan, textOf } from '../ast.ts';
import { findCursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { contentEndAt } from './message-place.ts';

/** The text, which may be a key, whose content contains an offset; undefined elsewhere. */
export function textAt(doc: AiclDocument, offset: number): TextPlace | undefined {
  const cursor = findCursor(doc, offset);
  const atom = cursor?.atom;
  if (!cursor || atom?.kind !== 'text') return undefined;
  const { unit, pair } = cursor;
  const start = unit.start + contentSpan(atom).start;
  const end = contentEndAt(doc, cursor, atom).at;
  if (offset < start || offset > end) return undefined;
  const { summary } = unit;
  const key = pair && pair.key !== atom ? textOf(doc.text, unit.start, pair.key) : undefined;
  return {
    span: { start, end },
    text: textOf(doc.text, unit.start, { ...atom, contentEnd: end - unit.start }).replaceAll('\r\n', '\n'),
    name: key ?? summary.messageType,
    isSigned: summary.isSigned,
  };
}
