import { callIdAt, findCallId } from '../../call-ids.ts';
import { isSameName, type Name, type NameKind, type NameOccurrence } from '../../names.ts';
import { meetsSpan, touchesOffset, type Span } from '../../../core/text/span.ts';
import { contentSpan, type AtomNode } from '../ast.ts';
import { escapeText, unescapeText } from '../escapes.ts';
import type { AiclDocument, UnitReading } from '../document.ts';
import { KnownFields, type FieldKey } from '../known-fields.ts';
import { findUnit, readUnit } from '../parse.ts';
import { pairsOf, shorten } from '../summary.ts';
import type { Unit, UnitContent } from '../unit.ts';

/**
 * The fields that contain names, at the top level of a message or of a run of its fields (reading of
 * LightAICL 3.3).
 */
const NAME_FIELDS = [
  { key: 'session_id', kind: 'session' },
  { key: 'stream_id', kind: 'stream' },
  { key: 'tool', kind: 'tool' },
] as const satisfies readonly { readonly key: FieldKey; readonly kind: NameKind }[];

/** The suffix of a stream id: the chunk's number and the number of chunks. */
const CHUNK_NUMBER = /_\d+\/\d+$/;

/** The name at an offset: the value of a name field, or the name of an AIO trace call in any text. */
export function nameAt(doc: AiclDocument, offset: number): NameOccurrence | undefined {
  const unit = findUnit(doc, offset);
  const found = unit && readNames(doc, unit).find(({ span }) => touchesOffset(span, offset));
  return found ?? callIdAt(doc.text, offset);
}

/** The occurrences of a name in a span. Parses only messages whose summary shows that they may contain it. */
export function* findName(doc: AiclDocument, name: Name, within: Span): Generator<NameOccurrence> {
  if (name.kind === 'call') {
    yield* findCallId(doc.text, name.name, within);
    return;
  }
  const from = doc.units.indexFrom(within.start);
  for (let index = Math.max(0, from - 1); index < doc.units.count; index++) {
    const content = doc.units.contentAt(index);
    const unit = content && mayHold(content, name) ? doc.units.at(index) : undefined;
    if (!unit) continue;
    if (unit.start >= within.end) return;
    for (const found of readNames(doc, unit)) {
      if (isSameName(found, name) && meetsSpan(found.span, within)) yield found;
    }
  }
}

function mayHold({ kind, summary }: UnitContent, { kind: wanted, name, scope }: Name): boolean {
  if (kind === 'container' || kind === 'foreign') return false;
  if (wanted === 'tool') return summary.title === shorten(name);
  return summary.session === (wanted === 'stream' ? scope : name);
}

/** The names in the fields of a unit. If a key is repeated, the last field counts, as it does for receivers. */
function readNames(doc: AiclDocument, unit: Unit): readonly NameOccurrence[] {
  if (unit.kind === 'container' || unit.kind === 'foreign') return [];
  const reading = readUnit(doc, unit);
  const fields = new KnownFields(reading.text, reading.base, pairsOf(reading));
  return NAME_FIELDS.flatMap(({ key, kind }) => {
    const value = fields.get(key)?.value;
    return value?.kind === 'text' ? [toOccurrence(unit, reading, kind, value)] : [];
  }).filter(({ name }) => name !== '');
}

function toOccurrence(unit: Unit, reading: UnitReading, kind: NameKind, value: AtomNode): NameOccurrence {
  const { start, end } = contentSpan(value);
  const source = reading.text.slice(reading.base + start, reading.base + end);
  const written = kind === 'stream' ? source.replace(CHUNK_NUMBER, '') : source;
  return {
    kind,
    // Before a chunk's number a backslash does not start an escape.
    name: written === source ? unescapeText(source) : unescapeText(`${written}_`).slice(0, -1),
    scope: kind === 'stream' ? unit.summary.session : '',
    span: { start: unit.start + start, end: unit.start + start + written.length },
    role: 'uses',
  };
}

/** Returns a new name in the notation of the occurrence that it replaces. */
export function writeName(doc: AiclDocument, { kind, span }: NameOccurrence, newName: string): string {
  const isChunk = kind === 'stream' && doc.text.charCodeAt(span.end) === UNDERSCORE;
  return isChunk ? escapeText(`${newName}_`).slice(0, -1) : escapeText(newName);
}

const UNDERSCORE = 95;
