import type { Settings } from '../../core/catalog/settings.ts';
import { NO_AGENT_TOOLS } from '../tools.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import { SPACE, TAB } from './characters.ts';
import type { AiclDocument, ReadLimits, UnitCheck, UnitReading } from './document.ts';
import type { Fault } from './faults.ts';
import { toChange, type Change } from './parts.ts';
import { SharedUnits } from './shared-units.ts';
import { summarize } from './summary.ts';
import type { Unit } from './unit.ts';
import { UnitList } from './unit-list.ts';
import { isBracket, nextStart, readLong, UnitReader } from './unit-reader.ts';

/** A file with more broken pieces than this is no file of messages: the rest of it is one piece. */
const MAX_BROKEN_UNITS = 20_000;
/** Most messages are shorter; for one that is not, a longer window is read. */
const WINDOW_LENGTH = 512;
const LIMITS: ReadLimits = { longUnit: 131_072, run: 16_384 };

/**
 * Reads a file (reading of LightAICL 3.1): its units with what is wrong in each. Total and linear: any text gives a
 * document. The trees are not kept; `readUnit` makes one again for whoever looks at a unit.
 */
export function parseAicl(
  source: string,
  settings: Settings,
  check: UnitCheck,
  limits = LIMITS,
): AiclDocument {
  const work = { count: 0 };
  const text = SourceText.of(source);
  const reader = new UnitReader(source, 0, work, limits.longUnit);
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
    units.add(toUnit(reading, settings, check), source);
    starts.push(reading.start);
    at = nextStart(source, reading.end);
  }
  const list = new UnitList(units.contents, starts);
  return { text, settings, units: list, limits, broken, others: NO_AGENT_TOOLS, work };
}

/**
 * The document after one edit of its text. Units before and after the edit are kept: only those are read again whose
 * reading depends on what changed, until one starts where an old one did. The result is the one of `parseAicl`.
 */
export function editAicl(doc: AiclDocument, edit: TextEdit, check: UnitCheck): AiclDocument {
  const { span, newText } = edit;
  const { settings, limits } = doc;
  const text = doc.text.edit(edit);
  const change = toChange(edit);
  const moveBy = newText.length - (span.end - span.start);
  const work = { count: 0 };
  const from = doc.units.firstAffected(span.start);
  const units: Unit[] = [];
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
    units.push(toUnit(reading, settings, check));
    before = reading.end;
    at = nextStart(text, before);
  }
  if (at >= text.length) to = doc.units.count;
  for (let index = from; index < to; index++) if (doc.units.at(index)?.isAccepted === false) broken--;
  if (broken >= MAX_BROKEN_UNITS || doc.broken >= MAX_BROKEN_UNITS)
    return { ...parseAicl(String(text), settings, check, limits), others: doc.others };
  return { ...doc, text, units: doc.units.splice(from, to, units, moveBy), broken, work };
}

/** What is known of the text from before an edit: the first unit that it touches, and where it lies. */
interface Known {
  readonly old: Unit | undefined;
  readonly change?: Change;
}

/**
 * Reads the unit at `at` in a window of the text, a longer one for as long as the reading depends on what lies behind
 * it; a long unit from its lexemes. `before` is the end of the unit before it: what stands there decides whether a `#`
 * begins a line.
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
    const reading = new UnitReader(text.slice(from, end), from, work, limits.longUnit).read(at);
    if (!reading) return readLong(text, at, work, { runLength });
    if (reading.readTo <= end || end === text.length) return reading;
  }
}

/** True for a place in the text where, before the edit, a part of a unit stood. */
function isInside(at: number, { start, end }: Unit, change: Change | undefined): boolean {
  if (!change || at < change.start) return at >= start && at < end;
  const oldAt = at - change.newEnd + change.oldEnd;
  return at < change.newEnd || (oldAt >= start && oldAt < end);
}

/** True where what stands before `at` on its line is behind the edit: it decides whether a `#` begins a line. */
function isSameBefore(text: SourceText, editEnd: number, at: number): boolean {
  let before = at - 1;
  while (before >= editEnd && (text.charCodeAt(before) === SPACE || text.charCodeAt(before) === TAB))
    before--;
  return before >= editEnd;
}

function toUnit(reading: UnitReading, settings: Settings, check: UnitCheck): Unit {
  const { kind, start, end, readTo, faults } = reading;
  return {
    kind,
    start,
    end,
    length: end - start,
    readLength: readTo - start,
    isMultiline: isMultiline(reading),
    isAccepted: faults.length === 0,
    summary: summarize(reading),
    issues: check(reading, settings),
    ...(reading.parts && { parts: reading.parts }),
  };
}

function isMultiline({ text, base, start, end }: UnitReading): boolean {
  if (text instanceof SourceText) return text.lineAt(start) < text.lineAt(end);
  const source = text.slice(base, base + end - start);
  return source.includes('\n') || source.includes('\r');
}

function restOfFile(text: string, start: number): UnitReading {
  const message = `More than ${MAX_BROKEN_UNITS} pieces of this file are no messages: the rest from here on is not read`;
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

/** Reads one unit of a document again, for its tree. */
export function readUnit(doc: AiclDocument, unit: Unit): UnitReading {
  const before = doc.units.at(doc.units.indexFrom(unit.start) - 1)?.end ?? 0;
  return readNear(doc.text, before, unit.start, doc.work, doc.limits, { old: unit });
}

/** The unit that an offset lies in or touches; undefined between units. */
export function findUnit(doc: AiclDocument, offset: number): Unit | undefined {
  return doc.units.find(offset);
}
