import { readDirective } from '../../directives.ts';
import { collectNames, LONGEST_NAME, MAX_NAMES } from '../../names-in-use.ts';
import type { DirectiveName } from '../../../core/catalog/directives.ts';
import { findPair, textOf, type AiclNode } from '../ast.ts';
import type { AiclDocument } from '../document.ts';
import { readUnit } from '../parse.ts';
import type { StreamId, Unit } from '../unit.ts';
import { pairsOf } from '../summary.ts';

/** Maximum number of units searched in each direction. Names used further away are not proposed. */
const MAX_UNITS = 2_000;
/**
 * Limits for units that must be parsed because their summary is not sufficient: their number, and the length
 * of each.
 */
const MAX_READ = 50;
const LONGEST_READ = 20_000;

/**
 * The units around an offset: first those before it, then those after it, each starting with the nearest. The
 * unit at the offset is left out.
 */
function* unitsAround(doc: AiclDocument, offset: number): Generator<Unit> {
  const at = doc.units.indexFrom(offset);
  for (let step = 1; step <= MAX_UNITS && at - step >= 0; step++) {
    const unit = doc.units.at(at - step);
    doc.work.count++;
    if (unit && unit.end < offset) yield unit;
  }
  for (let step = 0; step < MAX_UNITS && at + step < doc.units.count; step++) {
    const unit = doc.units.at(at + step);
    doc.work.count++;
    if (unit && unit.start > offset) yield unit;
  }
}

/** Sessions of messages near an offset, nearest first. */
export function sessionsInUse(doc: AiclDocument, offset: number): readonly string[] {
  return collectNames(unitsAround(doc, offset), unit => unit.summary.session);
}

/** Tools that messages near an offset call. */
export function toolsInUse(doc: AiclDocument, offset: number): readonly string[] {
  return collectNames(unitsAround(doc, offset), unit =>
    // A shortened title is not the full name.
    unit.summary.messageType === 'tool_call' && !unit.summary.title.endsWith('…') ? unit.summary.title : '',
  );
}

/** The values of one kind of directive near an offset, such as the agents in `# @agent coder`. */
export function directivesInUse(doc: AiclDocument, offset: number, name: DirectiveName): readonly string[] {
  return collectNames(unitsAround(doc, offset), unit => {
    if (unit.kind !== 'container') return '';
    const found = readDirective(doc.text.slice(unit.start, Math.min(unit.end, unit.start + LONGEST_NAME)));
    return found?.name === name ? found.value : '';
  });
}

/** The last chunk before an offset of each stream of a session, nearest first. */
export function streamsInUse(doc: AiclDocument, offset: number, session: string): readonly StreamId[] {
  const streams = new Map<string, StreamId>();
  for (const { end, summary } of unitsAround(doc, offset)) {
    if (end > offset || streams.size === MAX_NAMES) break;
    const { chunk } = summary;
    if (chunk && summary.session === session && !streams.has(chunk.stream)) streams.set(chunk.stream, chunk);
  }
  return [...streams.values()];
}

/** The argument names in calls of a tool near an offset, with the kinds of their values. */
export function paramsInUse(
  doc: AiclDocument,
  offset: number,
  tool: string,
): ReadonlyMap<string, AiclNode['kind']> {
  const params = new Map<string, AiclNode['kind']>();
  const isCall = ({ summary }: Unit): boolean =>
    summary.messageType === 'tool_call' && summary.title === tool;
  for (const { text, reading } of readAround(doc, offset, isCall)) {
    const value = findPair(text, reading.start, pairsOf(reading), 'params')?.value;
    if (value?.kind !== 'dict') continue;
    for (const pair of value.pairs) {
      const key = textOf(text, reading.start, pair.key);
      if (pair.value && key !== '' && !params.has(key)) params.set(key, pair.value.kind);
      if (params.size === MAX_NAMES) return params;
    }
  }
  return params;
}

/** The nearest units that fit, with their trees. */
function* readAround(
  doc: AiclDocument,
  offset: number,
  fits: (unit: Unit) => boolean,
): Generator<{ readonly text: AiclDocument['text']; readonly reading: ReturnType<typeof readUnit> }> {
  let read = 0;
  for (const unit of unitsAround(doc, offset)) {
    if (!fits(unit) || unit.end - unit.start > LONGEST_READ) continue;
    yield { text: doc.text, reading: readUnit(doc, unit) };
    if (++read === MAX_READ) return;
  }
}
