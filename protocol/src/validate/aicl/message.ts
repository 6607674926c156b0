import type { AiclNode, DictNode, PairNode } from '../../aicl/ast.ts';
import { contentSpan } from '../../aicl/ast.ts';
import { unescapeText } from '../../aicl/escapes.ts';
import { COMMON_FIELDS, MESSAGE_TYPES, type MessageTypeRow } from '../../catalog/aicl.ts';
import { replaceFix } from '../../text/fix.ts';
import { utf8Length } from '../../text/utf8.ts';
import { findSimilar } from '../../text/similar.ts';
import { quote } from '../../text/quote.ts';
import { checkErrorCode } from './error-code.ts';
import { checkTypes } from './field-types.ts';
import { checkFields } from './fields.ts';
import { checkHeader } from './header.ts';
import type { UnitReport } from './report.ts';

/** More than this many bytes of UTF-8 are reported (LightAICL 1.0 section 9.2). */
const MAX_BYTES = 10_000_000;

/** Header, type and fields of a message whose syntax is whole (reading of LightAICL 3.3). */
export function checkMessage(report: UnitReport, root: DictNode): void {
  const fields = new Map<string, PairNode>();
  for (const pair of root.pairs) fields.set(unescapeText(report.source(pair.key)), pair);
  checkHeader(report, root, fields);
  const type = checkMessageType(report, fields.get('msg_type')?.value);
  if (type) checkFields(report, root, fields, type);
  if (type?.name === 'error') checkErrorCode(report, fields);
  checkTypes(report, fields, COMMON_FIELDS);
  checkStreamId(report, fields.get('stream_id')?.value);
  checkSize(report);
}

function checkMessageType(report: UnitReport, value: AiclNode | undefined): MessageTypeRow | undefined {
  if (value?.kind !== 'text') return undefined;
  const name = unescapeText(report.source(value));
  const row: MessageTypeRow | undefined = MESSAGE_TYPES.find(candidate => candidate.name === name);
  if (row) return row;
  const span = contentSpan(value);
  const meant = findSimilar(
    name,
    MESSAGE_TYPES.map(candidate => candidate.name),
  );
  const hint = meant
    ? `did you mean '${meant}'?`
    : `the types are ${MESSAGE_TYPES.map(candidate => candidate.name).join(', ')}`;
  const fixes = meant ? [replaceFix(`Write '${meant}'`, span, meant, { safe: false })] : [];
  report.add(
    'aicl/unknown-message-type',
    span.start === span.end ? value : span,
    `${quote(name)} is no message type: ${hint}`,
    fixes,
  );
  return undefined;
}

function checkStreamId(report: UnitReport, value: AiclNode | undefined): void {
  if (value?.kind !== 'text') return;
  const source = report.source(value);
  const [, k, n] = /^.+_(\d{1,15})\/(\d{1,15})$/s.exec(source) ?? [];
  if (k !== undefined && Number(k) >= 1 && Number(k) <= Number(n)) return;
  const span = contentSpan(value);
  const message = `${quote(source)} is no stream id: write name_k/n, the k-th chunk of n, as in chunk_3/5`;
  report.add('aicl/stream-id', span.start === span.end ? value : span, message);
}

function checkSize(report: UnitReport): void {
  const { text, base, start, end } = report.reading;
  if ((end - start) * 3 <= MAX_BYTES) return;
  const bytes = utf8Length(text.slice(base, base + end - start));
  if (bytes <= MAX_BYTES) return;
  const message = `The message has ${bytes} bytes: more than 10 MB should travel as a stream of chunks`;
  report.add('aicl/message-size', { start: 0, end: 3 }, message);
}
