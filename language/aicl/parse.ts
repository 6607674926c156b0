import type { Settings } from '../../core/catalog/settings.ts';
import { NO_AGENT_TOOLS } from '../tools.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../work.ts';
import { SPACE, TAB } from './characters.ts';
import { KnownFields } from './known-fields.ts';
import type { AiclDocument, ReadLimits, UnitCheck, UnitReading } from './document.ts';
import type { Fault } from './faults.ts';
import { toChange, type Change } from './parts.ts';
import { SharedUnits } from './shared-units.ts';
import { pairsOf, summarize } from './summary.ts';
import type { Unit, UnitContent } from './unit.ts';
import { UnitList } from './unit-list.ts';
import { isBracket, nextStart, readLong, UnitReader } from './unit-reader.ts';

/** Maximum number of broken units; the rest of such a file becomes one unit. */
const MAX_BROKEN_UNITS = 20_000;
/** The length of the first window that is read for a unit; most messages are shorter. */
const WINDOW_LENGTH = 512;
const LIMITS: ReadLimits = { longUnit: 131_072, run: 16_384 };
/** For a text that is not edited. The data that makes edits cheap takes more memory than everything else. */
export const LIMITS_WITHOUT_EDITS: ReadLimits = { ...LIMITS, longAccepted: Infinity };

/**
 * Parses a file into its units with their issues (reading of LightAICL 3.1). Never fails; linear. Trees are
 * not stored; `readUnit` creates them again.
 */
export function parseAicl(
  source: string,
  settings: Settings,
  check: UnitCheck,
  limits = LIMITS,
): AiclDocument {
  const work = { count: 0 };
  const text = SourceText.of(source);
  const reader = new UnitReader(source, 0, work, limits);
  const units = new SharedUnits();
  const starts: number[] = [];
  let broken = 0;
  let at = nextStart(source, 0);
  while (at < source.length) {
    const reading =
      broken < MAX_BROKEN_UNITS
        ? (reader.read(at) ?? readLong(text, at, work, { runLength: limits.run }))
        : restOfFile(source, at);
    if (reading.faults.length > 0) broken++;
    units.add(toContent(reading, settings, check), source, reading.start);
    starts.push(reading.start);
    at = nextStart(source, reading.end);
  }
  const list = new UnitList(units.contents, starts);
  return { text, settings, units: list, limits, broken, others: NO_AGENT_TOOLS, work };
}

/** The same for a text that will not be edited; needs less memory. */
export function parseAiclOnce(source: string, settings: Settings, check: UnitCheck): AiclDocument {
  return parseAicl(source, settings, check, LIMITS_WITHOUT_EDITS);
}

/**
 * The document after one edit of its text; equal to the result of `parseAicl`. Reuses the units before and
 * after the edit and reads only those that depend on the change, up to one that starts where an old unit did.
 */
export function editAicl(doc: AiclDocument, edit: TextEdit, check: UnitCheck): AiclDocument {
  const { span, newText } = edit;
  const { settings, limits } = doc;
  const text = doc.text.edit(edit);
  const change = toChange(edit);
  const moveBy = newText.length - (span.end - span.start);
  const work = { count: 0 };
  const from = doc.units.firstAffected(span.start);
  const contents: UnitContent[] = [];
  const starts: number[] = [];
  let { broken } = doc;
  let to = from;
  let before = doc.units.at(from - 1)?.end ?? 0;
  let at = nextStart(text, before);
  while (at < text.length) {
    to = doc.units.indexFrom(Math.max(at - moveBy, span.end));
    const old = doc.units.at(to);
    if (old && old.start === at - moveBy && isSameBefore(text, change.newEnd, at)) break;
    const reading = readNear(text, before, at, work, limits, { old: doc.units.at(from), change });
    if (reading.faults.length > 0) broken++;
    contents.push(toContent(reading, settings, check));
    starts.push(reading.start);
    before = reading.end;
    at = nextStart(text, before);
  }
  if (at >= text.length) to = doc.units.count;
  for (let index = from; index < to; index++) if (doc.units.at(index)?.isAccepted === false) broken--;
  if (broken >= MAX_BROKEN_UNITS || doc.broken >= MAX_BROKEN_UNITS)
    return { ...parseAicl(String(text), settings, check, limits), others: doc.others };
  const units = doc.units.splice(from, to, { contents, starts }, moveBy);
  return { ...doc, text, units, broken, work };
}

/** Data from before an edit: the first unit that it touches, and the edit. */
interface Known {
  readonly old: Unit | undefined;
  readonly change?: Change;
}

/**
 * Reads the unit at `at` in a window of the text, which grows while the reading depends on more text; a long
 * unit is read from its lexemes. `before` is the end of the previous unit: the text after it decides whether
 * a `#` starts a line.
 */
function readNear(
  text: SourceText,
  before: number,
  at: number,
  work: WorkCounter,
  limits: ReadLimits,
  known: Known,
): UnitReading {
  const { old, change } = known;
  const runLength = limits.run;
  if (old?.parts && isInside(at, old, change) && isBracket(text, at)) {
    return readLong(text, at, work, { old: { list: old.parts, start: old.start }, change, runLength });
  }
  const from = Math.max(0, before - 1);
  for (let length = Math.max(WINDOW_LENGTH, change ? 0 : (old?.readLength ?? 0)); ; length *= 4) {
    const end = Math.min(text.length, at + length);
    const reading = new UnitReader(text.slice(from, end), from, work, limits).read(at);
    if (!reading) return readLong(text, at, work, { runLength });
    if (reading.readTo <= end || end === text.length) return reading;
  }
}

/** True for an offset that was inside the unit before the edit. */
function isInside(at: number, { start, end }: Unit, change: Change | undefined): boolean {
  if (!change || at < change.start) return at >= start && at < end;
  const oldAt = at - change.newEnd + change.oldEnd;
  return at < change.newEnd || (oldAt >= start && oldAt < end);
}

/**
 * True if the last character before `at` that is not a space or TAB is after the edit. It decides whether a
 * `#` starts a line.
 */
function isSameBefore(text: SourceText, editEnd: number, at: number): boolean {
  let before = at - 1;
  while (before >= editEnd && (text.charCodeAt(before) === SPACE || text.charCodeAt(before) === TAB))
    before--;
  return before >= editEnd;
}

function toContent(reading: UnitReading, settings: Settings, check: UnitCheck): UnitContent {
  const { kind, start, end, readTo, faults, parts } = reading;
  const fields = new KnownFields(reading.text, reading.base, pairsOf(reading));
  const content = {
    kind,
    length: end - start,
    readLength: readTo - start,
    isMultiline: isMultiline(reading),
    isAccepted: faults.length === 0,
    summary: summarize(reading, fields),
    issues: check(reading, settings, fields),
  };
  return parts ? { ...content, parts } : content;
}

function isMultiline({ text, base, start, end }: UnitReading): boolean {
  if (text instanceof SourceText) return text.lineAt(start) < text.lineAt(end);
  const source = text.slice(base, base + end - start);
  return source.includes('\n') || source.includes('\r');
}

function restOfFile(text: string, start: number): UnitReading {
  const message = `More than ${MAX_BROKEN_UNITS} parts of this file are not messages: the rest from here on is not read`;
  const fault: Fault = { code: 'aicl/foreign-text', span: { start: 0, end: 1 }, message };
  const end = text.length;
  return {
    text,
    base: start,
    start,
    end,
    readTo: end + 1,
    kind: 'foreign',
    tree: undefined,
    faults: [fault],
  };
}

/** Reads one unit of a document again to get its tree. */
export function readUnit(doc: AiclDocument, unit: Unit): UnitReading {
  const before = doc.units.at(doc.units.indexFrom(unit.start) - 1)?.end ?? 0;
  return readNear(doc.text, before, unit.start, doc.work, doc.limits, { old: unit });
}

/** The unit that contains or touches an offset; undefined between units. */
export function findUnit(doc: AiclDocument, offset: number): Unit | undefined {
  return doc.units.find(offset);
}
