import type { Settings } from '../catalog/settings.ts';
import type { TextEdit } from '../text/edit.ts';
import { indexLines } from '../text/line-index.ts';
import type { AiclDocument, UnitCheck, UnitReading } from './document.ts';
import type { Unit } from './unit.ts';
import { SPACE, TAB } from './characters.ts';
import type { Fault } from './faults.ts';
import { summarize } from './summary.ts';
import { UnitList } from './unit-list.ts';
import { UnitReader } from './unit-reader.ts';

/** A file with more broken pieces than this is no file of messages: the rest of it is one piece. */
const MAX_BROKEN_UNITS = 20_000;

/**
 * Reads a file (reading of LightAICL 3.1): its units with what is wrong in each. Total and linear: any text gives a
 * document. The trees are not kept; `readUnit` makes one again for whoever looks at a unit.
 */
export function parseAicl(text: string, settings: Settings, check: UnitCheck): AiclDocument {
  const work = { count: 0 };
  const reader = new UnitReader(text, work);
  const units: Unit[] = [];
  let broken = 0;
  let at = reader.nextStart(0);
  while (at < text.length) {
    const reading = broken < MAX_BROKEN_UNITS ? reader.read(at) : restOfFile(text, at);
    if (reading.faults.length > 0) broken++;
    units.push(toUnit(reading, settings, check));
    at = reader.nextStart(reading.end);
  }
  const list = new UnitList(
    units,
    units.map(unit => unit.start),
  );
  return {
    text,
    lines: indexLines(text),
    settings,
    units: list,
    broken,
    read: start => reader.read(start),
    work,
  };
}

/**
 * The document after one edit of its text. Units before and after the edit are kept: only those are read again whose
 * reading depends on what changed, until one starts where an old one did. The result is the one of `parseAicl`.
 */
export function editAicl(doc: AiclDocument, edit: TextEdit, check: UnitCheck): AiclDocument {
  const { span, newText } = edit;
  const text = doc.text.slice(0, span.start) + newText + doc.text.slice(span.end);
  const moveBy = newText.length - (span.end - span.start);
  const editEnd = span.start + newText.length;
  const work = { count: 0 };
  const reader = new UnitReader(text, work);
  const from = doc.units.firstAffected(span.start);
  const units: Unit[] = [];
  let { broken } = doc;
  let to = from;
  let at = reader.nextStart(doc.units.at(from - 1)?.end ?? 0);
  while (at < text.length) {
    to = doc.units.indexFrom(Math.max(at - moveBy, span.end));
    const old = doc.units.at(to);
    if (old && old.start === at - moveBy && isSameBefore(text, editEnd, at)) break;
    const reading = reader.read(at);
    if (reading.faults.length > 0) broken++;
    units.push(toUnit(reading, doc.settings, check));
    at = reader.nextStart(reading.end);
  }
  if (at >= text.length) to = doc.units.count;
  for (let index = from; index < to; index++) if (doc.units.at(index)?.isAccepted === false) broken--;
  if (broken >= MAX_BROKEN_UNITS || doc.broken >= MAX_BROKEN_UNITS)
    return parseAicl(text, doc.settings, check);
  return {
    text,
    lines: doc.lines.edit(text, edit),
    settings: doc.settings,
    units: doc.units.splice(from, to, units, moveBy),
    broken,
    read: start => reader.read(start),
    work,
  };
}

/** True where what stands before `at` on its line is behind the edit: it decides whether a `#` begins a line. */
function isSameBefore(text: string, editEnd: number, at: number): boolean {
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
    isAccepted: faults.length === 0,
    summary: summarize(reading),
    issues: check(reading, settings),
  };
}

function restOfFile(text: string, start: number): UnitReading {
  const message = `More than ${MAX_BROKEN_UNITS} pieces of this file are no messages: the rest from here on is not read`;
  const fault: Fault = { code: 'aicl/foreign-text', span: { start: 0, end: 1 }, message };
  const end = text.length;
  return { text, start, end, readTo: end + 1, kind: 'foreign', tree: undefined, faults: [fault] };
}

/** Reads one unit of a document again, for its tree. */
export function readUnit(doc: AiclDocument, unit: Unit): UnitReading {
  return doc.read(unit.start);
}

/** The unit that an offset lies in or touches; undefined between units. */
export function findUnit(doc: AiclDocument, offset: number): Unit | undefined {
  return doc.units.find(offset);
}
