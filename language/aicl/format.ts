import { DEFAULT_FORMAT, indentOf, type FormatOptions } from '../format.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import { commonLineEnd } from '../../core/text/line-end.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { BOM } from './characters.ts';
import type { AiclDocument } from './document.ts';
import { layOut, replaceWhere, type Layout } from './layout.ts';
import { readUnit } from './parse.ts';
import type { Unit } from './unit.ts';

/**
 * Formats a file (reading of LightAICL 3.4): white space between tokens and the wrapping of payloads change, and nothing
 * else. What the grammar does not accept is left as it is, with the space around it.
 */
export function formatAicl(doc: AiclDocument, options = DEFAULT_FORMAT): readonly TextEdit[] {
  return formatAiclRange(doc, { start: 0, end: doc.text.length }, options);
}

/** The same for the units that a range touches, each as a whole, and for the space between units that lies in it. */
export function formatAiclRange(doc: AiclDocument, range: Span, options: FormatOptions): readonly TextEdit[] {
  const { text, units } = doc;
  const layout = layoutOf(doc, options);
  const edits: TextEdit[] = [];
  let index = units.indexFrom(range.start);
  if ((units.at(index - 1)?.end ?? -1) >= range.start) index--;
  let last = units.at(index - 1);
  for (let unit = units.at(index); unit && unit.start <= range.end; unit = units.at(++index)) {
    const from = last?.end ?? (text.charCodeAt(0) === BOM ? 1 : 0);
    const isTouched = meetsSpan(range, unit);
    if (isTouched && from >= range.start && canMove(unit) && (!last || canMove(last)))
      replaceWhere(text, { start: from, end: unit.start }, gapBefore(doc, last, unit, layout), edits);
    if (isTouched) for (const edit of formatUnit(doc, unit, layout)) edits.push(edit);
    last = unit;
  }
  const isEnd = index === units.count && range.end === text.length;
  if (isEnd && last && last.end >= range.start && canMove(last))
    replaceWhere(text, { start: last.end, end: text.length }, layout.lineEnd, edits);
  return edits;
}

/** How the settings and the editor want messages to stand. */
export function layoutOf({ text, settings }: AiclDocument, options: FormatOptions): Layout {
  return {
    style: settings['aicl.format.style'],
    indent: indentOf(options),
    lineEnd: commonLineEnd(text),
    payloadWidth: settings['aicl.format.payloadWidth'],
  };
}

/** Edits that lay one unit out; none where the grammar does not accept it. */
export function formatUnit(doc: AiclDocument, unit: Unit, layout: Layout): readonly TextEdit[] {
  const hasValues = unit.kind === 'message' || unit.kind === 'fragment';
  return unit.isAccepted && hasValues ? layOut(readUnit(doc, unit), layout) : [];
}

/** At most one blank line between units. */
function gapBefore(doc: AiclDocument, last: Unit | undefined, unit: Unit, { lineEnd }: Layout): string {
  if (!last) return '';
  const lines = doc.text.lineAt(unit.start) - doc.text.lineAt(last.end);
  return lineEnd.repeat(Math.min(2, Math.max(1, lines)));
}

/** Space beside foreign text and broken messages may mean something: it is left. */
function canMove(unit: Unit): boolean {
  return unit.isAccepted && unit.kind !== 'foreign';
}
