import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { fieldNames, type Message } from '../../core/message/message.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { isSameField, isSameMessage, ownId } from '../message/same-value.ts';
import { contentFields, contentOf, meaningOf } from '../content/canonical.ts';
import { shortOf, reportDropped, reportRest } from '../message/dropped.ts';
import { KIND_WORDS } from '../message/kind-words.ts';
import { reportItems } from './check-items.ts';
import { isSamePart, reportAbout, reportPart } from './check-parts.ts';
import { Report } from '../../core/message/report.ts';
import type { Conversion, ProtocolShape, Reading, Writing } from '../message/shape.ts';

/** The report, and the protocols for their names. */
type ReportContext = Pick<Conversion, 'report' | 'protocols'>;

/**
 * Reports every difference between a message as it was sent and as a reader of the protocol finds it, unless
 * the writer reported it. This also covers losses that no writer anticipated. An id that equals `defaultId` counts as
 * none.
 */
export function reportChanges(
  sent: Message,
  found: Message | undefined,
  to: string,
  context: ReportContext & { readonly defaultId?: number },
): void {
  const { report, protocols, defaultId } = context;
  if (found && isSameMessage(sent, found, defaultId)) return;
  const one = meaningOf(sent);
  const other = found && meaningOf(found);
  const title = shortOf(protocols, to);
  if (one.kind !== other?.kind && report.lossAt('') === undefined) {
    const read = other
      ? `reads ${KIND_WORDS[one.kind]} as ${KIND_WORDS[other.kind]}`
      : `has no message for ${KIND_WORDS[one.kind]}`;
    report.lose('moved', '', `${title} ${read}`);
  }
  const content = contentFields(one.kind);
  for (const name of fieldNames(one)) {
    const value = fieldOf(one, name, defaultId);
    const back = other && fieldOf(other, name, defaultId);
    if (!value || isSameField(value, back) || content.includes(name)) continue;
    if (name === 'rest') reportRest(value, back, to, context);
    else if (name === 'items' && reportItems(value, back, title, context)) continue;
    else if (report.lossAt(name)) continue;
    else if (isReadAsData(name, value, other))
      report.lose('moved', name, `${title} reads this as data`, value);
    else if (!back) reportDropped(name, value, to, context);
    else report.lose('moved', name, `${title} has another value for the field ${name}`, value);
  }
  if (content.length > 0) reportContent(one, other, title, context);
  if (!other || report.hasLoss) return;
  for (const name of fieldNames(other)) {
    const isAdded = fieldOf(other, name, defaultId) && !fieldOf(one, name, defaultId);
    if (isAdded && !content.includes(name) && name !== 'rest' && !report.hasLoss)
      report.lose('guessed', name, `${title} has the field ${name}, which the message does not have`);
  }
}

/** True for tools that are written as tools, but in a form that the reader takes for data. */
function isReadAsData(name: string, value: Value, other: Message | undefined): boolean {
  return name === 'tools' && isSameField(findEntry(other?.fields.data, name), value);
}

/** A field of a message; undefined for a default id. */
function fieldOf(message: Message, name: MessageField, defaultId: number | undefined): Value | undefined {
  return name === 'id' ? ownId(message, defaultId) : message.fields[name];
}

/** Compares parts in order, except for those that the writer reported. */
function reportContent(
  one: Message,
  other: Message | undefined,
  title: string,
  context: ReportContext,
): void {
  const { report } = context;
  if (isSameOnly(one, other)) return;
  const sent = contentOf(one);
  const found = other ? contentOf(other).parts : [];
  let next = 0;
  for (const [index, part] of sent.parts.entries()) {
    const path = sent.pathOf(index);
    const reported = report.lossAt(path);
    const back = found[next++];
    if (!back && (other?.fields.tools ?? other?.fields.declaration)) {
      if (reported === undefined) report.lose('moved', path, `${title} reads this as tools`, part.value);
    } else if (back && reported !== undefined) reportAbout(part, back, path, title, context);
    else if (!back || !isSamePart(back, part)) reportPart(part, back, path, title, context);
  }
  const isTools = report.lossAt('tools') === 'moved';
  if (found.length > next && !isTools && (sent.parts.length === 0 || !report.hasLoss))
    report.lose(
      'guessed',
      'data',
      `The message is empty, and ${title} requires a value: an empty one is written`,
    );
}

/** True if the content of both messages is the same one value, as of most messages. */
function isSameOnly({ fields: one }: Message, other: Message | undefined): boolean {
  if (!other || one.content || other.fields.content) return false;
  return one.data === other.fields.data && one.task === other.fields.task;
}

/** Reports what reading a written value changes: `given` is the message, `sent` its nearest form in the protocol. */
export function reportLost(
  to: string,
  { given, sent }: { readonly given: Message; readonly sent: Message },
  value: Value,
  read: ProtocolShape['read'],
  writing: Writing,
): void {
  const found = read(value, readingOf(writing));
  const { report, protocols, id } = writing;
  reportChanges(sent, found, to, { report, protocols, defaultId: id });
  reportEmptyContent(given, found, to, writing);
}

/** Reports a content that is an empty list, which most protocols cannot express. */
function reportEmptyContent(
  given: Message,
  found: Message | undefined,
  to: string,
  context: ReportContext,
): void {
  const { report, protocols } = context;
  const { content } = given.fields;
  if (content?.kind !== 'list' || content.items.length > 0 || given.fields.data || found?.fields.content)
    return;
  report.lose(
    'moved',
    'content',
    `${shortOf(protocols, to)} writes a reply without content for an empty list`,
    content,
  );
}

/** The report of readings that nobody reads. */
const UNREAD = new Report();

/** A reading without a report, in which each message has the id that is written in it. */
function readingOf({ tools, protocols, numbers }: Writing): Reading {
  UNREAD.begin(undefined);
  return { report: UNREAD, tools, protocols, numbers, number: asRead };
}

function asRead(read: Message): Message {
  return read;
}
