import { CONTENT_START, contentSpan, type AiclNode, type DictNode } from '../../aicl/ast.ts';
import { unescapeText } from '../../aicl/escapes.ts';
import type { KnownFields } from '../../aicl/known-fields.ts';
import {
  COMMON_FIELDS,
  HEADER_FIELDS,
  MAX_MESSAGE_BYTES,
  MESSAGE_TYPES,
  type MessageTypeRow,
} from '../../../core/catalog/aicl.ts';
import { replaceFix } from '../../fix.ts';
import { quote } from '../../../core/text/quote.ts';
import { SourceText, type Characters } from '../../../core/text/source-text.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import { checkChunk } from './chunk.ts';
import { checkErrorCode } from './error-code.ts';
import { checkTypes } from './field-types.ts';
import { checkFields, missingFields } from './fields.ts';
import { checkHeader } from './header.ts';
import { headerEdits } from './header-fix.ts';
import { guessType } from './new-fields.ts';
import { wrapValue } from './wrap.ts';
import { widenAtom, type UnitReport } from './report.ts';

/** What `aicl/fragment` says. */
export const FRAGMENT = 'A fragment, not a message: it can be looked at but not sent';

/** Checks the header, type and fields of a message without syntax faults (reading of LightAICL 3.3). */
export function checkMessage(report: UnitReport, root: DictNode, fields: KnownFields): void {
  if (isFragment(report, fields)) return reportFragment(report, root, fields);
  checkHeader(report, root, fields);
  const type = checkMessageType(report, fields, fields.get('msg_type')?.value);
  if (type) checkFields(report, root, fields, type);
  if (type?.name === 'error') checkErrorCode(report, fields);
  checkTypes(report, fields, COMMON_FIELDS);
  checkChunk(report, fields);
  checkSize(report);
}

/** True for a dictionary without any field of the header (reading of LightAICL, section 1.1). */
function isFragment({ settings }: UnitReport, fields: KnownFields): boolean {
  return settings['aicl.profile'] === 'strict' && !HEADER_FIELDS.some(({ key }) => fields.get(key));
}

function reportFragment(report: UnitReport, root: DictNode, fields: KnownFields): void {
  // A dictionary with the fields of a message lacks only the header; any other is the data of one.
  const isMessage = missingFields(fields, guessType(fields)).length === 0;
  const edits = isMessage ? headerEdits(report, root.pairs, fields) : undefined;
  const fixes = edits ? [{ title: 'Add the header of a message', edits, safe: false }] : wrapValue(report);
  report.add('aicl/fragment', { start: root.start, end: root.start + CONTENT_START }, FRAGMENT, fixes);
}

function checkMessageType(
  report: UnitReport,
  fields: KnownFields,
  value: AiclNode | undefined,
): MessageTypeRow | undefined {
  if (value?.kind !== 'text') return undefined;
  for (const row of MESSAGE_TYPES) if (report.isWord(value, row.name)) return row;
  const name = unescapeText(report.source(value));
  const names = MESSAGE_TYPES.map(candidate => candidate.name);
  const meant = findSimilar(name, names);
  const hint = meant ? `did you mean '${meant}'?` : `the types are ${names.join(', ')}`;
  // An unknown type is guessed from the fields if all fields that the guessed type requires are present.
  const guessed = guessType(fields);
  const written = meant ?? (missingFields(fields, guessed).length === 0 ? guessed.name : undefined);
  const fixes =
    written === undefined
      ? []
      : [replaceFix(`Write '${written}'`, contentSpan(value), written, { safe: false })];
  const message = `${quote(name)} is not a message type: ${hint}`;
  report.add('aicl/unknown-message-type', widenAtom(value), message, fixes);
  return undefined;
}

function bytesOf(text: Characters, start: number, end: number): number {
  return text instanceof SourceText ? text.utf8Length(start, end) : utf8Length(text.slice(start, end));
}

function checkSize(report: UnitReport): void {
  const { text, base, start, end } = report.reading;
  const length = end - start;
  // A UTF-16 code unit takes at most three bytes; most messages are far below the limit.
  if (length * 3 <= MAX_MESSAGE_BYTES) return;
  if (length <= MAX_MESSAGE_BYTES && bytesOf(text, base, base + length) <= MAX_MESSAGE_BYTES) return;
  const message = `The message has ${length} characters and more than 10 MB: send it as a stream of chunks`;
  report.add('aicl/message-size', { start: 0, end: 3 }, message);
}
