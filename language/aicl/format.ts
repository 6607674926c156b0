import { indentOf, type FormatOptions } from '../format.ts';
import { EditList, type Edits } from '../../core/text/edit.ts';
import { commonLineEnd } from '../line-end.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { BOM } from './characters.ts';
import type { AiclDocument } from './document.ts';
import { layOut, replaceWhere, type EditSink, type Layout } from './layout.ts';
import { readUnit } from './parse.ts';
import type { Unit } from './unit.ts';

/**
 * Formats the units that a range touches, each as a whole, and the space between them within the range (reading of
 * LightAICL 3.4): changes only white space between tokens and the wrapping of payloads. Units that the grammar rejects,
 * and the space around them, do not change.
 */
export function formatAicl(doc: AiclDocument, range: Span, options: FormatOptions): Edits {
  const { text, units } = doc;
  const layout = layoutOf(doc, options);
  const edits = new EditList();
  let index = units.indexFrom(range.start);
  if ((units.at(index - 1)?.end ?? -1) >= range.start) index--;
  let last = units.at(index - 1);
  for (let unit = units.at(index); unit && unit.start <= range.end; unit = units.at(++index)) {
    const from = last?.end ?? (text.charCodeAt(0) === BOM ? 1 : 0);
    const isTouched = meetsSpan(range, unit);
    if (isTouched && from >= range.start && canMove(unit) && (!last || canMove(last)))
      replaceWhere(text, { start: from, end: unit.start }, gapBefore(doc, last, unit, layout), edits);
    if (isTouched) layOutUnit(doc, unit, layout, edits);
    last = unit;
  }
  const isEnd = index === units.count && range.end === text.length;
  if (isEnd && last && last.end >= range.start && canMove(last))
    replaceWhere(text, { start: last.end, end: text.length }, layout.lineEnd, edits);
  return edits;
}

/** The layout according to the settings and the editor. */
export function layoutOf({ text, settings }: AiclDocument, options: FormatOptions): Layout {
  return {
    style: settings['aicl.format.style'],
    indent: indentOf(options),
    lineEnd: commonLineEnd(text),
    payloadWidth: settings['aicl.format.payloadWidth'],
  };
}

/** Adds the edits that format one unit; none if the grammar rejects it. */
export function layOutUnit(doc: AiclDocument, unit: Unit, layout: Layout, edits: EditSink): void {
  const hasValues = unit.kind === 'message' || unit.kind === 'fragment';
  if (unit.isAccepted && hasValues) layOut(readUnit(doc, unit), layout, edits);
}

/** The line ends before a unit, with at most one blank line. */
function gapBefore(doc: AiclDocument, last: Unit | undefined, unit: Unit, { lineEnd }: Layout): string {
  if (!last) return '';
  const lines = doc.text.lineAt(unit.start) - doc.text.lineAt(last.end);
  return lineEnd.repeat(Math.min(2, Math.max(1, lines)));
}

/** Space next to foreign text and broken messages may be significant and does not change. */
function canMove(unit: Unit): boolean {
  return unit.isAccepted && unit.kind !== 'foreign';
}
