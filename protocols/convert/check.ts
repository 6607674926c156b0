import { findConversion, type ConversionName } from '../../core/catalog/conversions.ts';
import { fieldNames, message, withoutField, type Message } from '../../core/message/message.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { contentOf, isSameField, meaningOf } from '../content/canonical.ts';
import type { Part } from '../content/part.ts';
import { tellDropped, tellRest } from '../message/dropped.ts';
import { KIND_WORDS } from '../message/kind-words.ts';
import { joinPath, Report } from '../../core/message/report.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';

/**
 * Tells all that a reader of the protocol finds otherwise than it was sent, as far as the writer did not tell it: what
 * nobody thought of is told as well.
 */
export function tellChanges(
  sent: Message,
  found: Message | undefined,
  to: ConversionName,
  report: Report,
): void {
  const one = meaningOf(sent);
  const other = found && meaningOf(found);
  const title = findConversion(to)?.short ?? to;
  if (one.kind !== other?.kind && report.toldOf('') === undefined) {
    const read = other
      ? `reads ${KIND_WORDS[one.kind]} as ${KIND_WORDS[other.kind]}`
      : `has no message for ${KIND_WORDS[one.kind]}`;
    report.lose('moved', '', `${title} ${read}`);
  }
  const isContent = (name: string): boolean => one.kind !== 'error' && CONTENT.has(name);
  for (const name of fieldNames(one)) {
    const value = one.fields[name];
    const back = other?.fields[name];
    if (!value || isContent(name) || isSameField(value, back)) continue;
    if (name === 'rest') tellRest(value, back, to, report);
    else if (report.toldOf(name)) continue;
    else if (!back) tellDropped(name, value, to, report);
    else report.lose('moved', name, `${title} has another value for the field ${name}`, value);
  }
  if (one.kind !== 'error') tellContent(one, other, title, report);
  for (const name of other ? fieldNames(other) : [])
    if (!one.fields[name] && !isContent(name) && name !== 'rest' && !report.hasTold)
      report.lose('guessed', name, `${title} says the field ${name}, which the message does not have`);
}

/** Fields that hold what a message says, each in another form. */
const CONTENT: ReadonlySet<string> = new Set(['data', 'content', 'task']);

/** The parts that were sent come in their order, but for those that the writer told of. */
function tellContent(one: Message, other: Message | undefined, title: string, report: Report): void {
  const sent = contentOf(one);
  const found = other ? contentOf(other).parts : [];
  let next = 0;
  for (const [index, part] of sent.parts.entries()) {
    const path = sent.pathOf(index);
    const told = report.toldOf(path);
    const back = found[next++];
    if (!back && (other?.fields.tools ?? other?.fields.declaration)) {
      if (told === undefined) report.lose('moved', path, `${title} reads this as tools`, part.value);
    } else if (back && told !== undefined) tellAbout(part, back, path, title, report);
    else if (!back || !isSamePart(back, part)) tellPart(part, back, path, title, report);
  }
  if (found.length > next && !report.hasTold)
    report.lose(
      'guessed',
      'data',
      `The message says nothing, and ${title} wants something: an empty value stands there`,
    );
}

function tellPart(part: Part, back: Part | undefined, path: string, title: string, report: Report): void {
  const { value } = part;
  if (!back) return report.lose('dropped', path, `${title} has no place for this part`, value);
  if (!isSameValue(back.value, value) || back.holds !== part.holds)
    return report.lose('moved', path, `${title} has another value in the place of this part`, value);
  if (back.type !== part.type)
    report.lose('moved', path, `Nothing says in ${title} that this part is of the type ${part.type}`, value);
  tellAbout(part, back, path, title, report);
}

/** Tells what is known of a part beside what it holds, and does not come back. */
function tellAbout(part: Part, back: Part, path: string, title: string, report: Report): void {
  const saysMedia = textIn(back.value)?.startsWith('data:') === true;
  for (const name of ['mimeType', 'name', 'uri'] as const) {
    const at = joinPath(path, name);
    if (!part[name] || isSameField(part[name], back[name]) || report.toldOf(at)) continue;
    if (name === 'mimeType' && saysMedia) continue;
    report.lose('dropped', at, `${title} has no place for the ${WORDS[name]} of such a part`, part[name]);
  }
  for (const { key, value: own } of part.rest?.entries ?? []) {
    const kept = findEntry(back.rest, key);
    if (own.kind !== 'dict' || (kept && isSameValue(kept, own))) continue;
    const names = own.entries.map(entry => entry.key);
    const short = findConversion(key)?.short ?? key;
    report.lose(
      'dropped',
      path,
      `${title} has no place for what only ${short} knows: ${names.join(', ')}`,
      own,
    );
  }
}

const WORDS = { mimeType: 'media type', name: 'name', uri: 'address' } as const;

function isSamePart(one: Part, other: Part): boolean {
  return (
    one.type === other.type &&
    one.holds === other.holds &&
    isSameValue(one.value, other.value) &&
    (['mimeType', 'name', 'uri', 'rest'] as const).every(name => isSameField(one[name], other[name]))
  );
}

/** Tells what reading a value of the protocol gives otherwise than what was written. */
export function tellLost(
  to: ConversionName,
  sent: Message,
  value: Value,
  read: ProtocolShape['read'],
  writing: Writing,
): void {
  const found = read(value, silentReading(writing));
  tellChanges(withoutId(message(sent.kind, sent.fields), writing.id), found, to, writing.report);
}

/** A reading that tells nobody and takes off the id that the message has anyhow. */
function silentReading({ tools, id, numbers }: Writing): Reading {
  return { report: new Report(), tools, numbers, number: read => withoutId(read, id) };
}

function withoutId(read: Message, id: number): Message {
  const own = read.fields.id;
  return own?.kind === 'int' && own.int === id ? withoutField(read, 'id') : read;
}
