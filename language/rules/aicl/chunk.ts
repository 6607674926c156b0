import { contentSpan } from '../../aicl/ast.ts';
import { unescapeText } from '../../aicl/escapes.ts';
import type { KnownFields } from '../../aicl/known-fields.ts';
import { parseStreamId, type StreamId } from '../../aicl/unit.ts';
import { replaceFix } from '../../fix.ts';
import { quote } from '../../../core/text/quote.ts';
import { widenAtom, type UnitReport } from './report.ts';

/** A chunk must have a valid stream id, and exactly the last chunk must be final (reading of LightAICL 3.3). */
export function checkChunk(report: UnitReport, fields: KnownFields): void {
  const value = fields.get('stream_id')?.value;
  if (value?.kind !== 'text') return;
  const source = unescapeText(report.source(value));
  const chunk = parseStreamId(source);
  if (!chunk) {
    const message = `${quote(source)} is not a stream id: write name_k/n, the k-th chunk of n, as in chunk_3/5`;
    const meant = mendStreamId(source);
    const fixes =
      meant === undefined ? [] : [replaceFix(`Write '${meant}'`, contentSpan(value), meant, { safe: false })];
    report.add('aicl/stream-id', widenAtom(value), message, fixes);
    return;
  }
  checkFinal(report, fields, chunk);
}

function checkFinal(report: UnitReport, fields: KnownFields, { k, n }: StreamId): void {
  const isLast = k === n;
  const pair = fields.get('is_final');
  const streamId = fields.get('stream_id');
  if (!pair && isLast && streamId) {
    const at = { start: streamId.end, end: streamId.end };
    report.add(
      'aicl/chunk-final',
      streamId.value ?? streamId,
      "This is the last chunk of its stream: say so with '[s:is_final]:[b:true]'",
      [replaceFix("Add 'is_final'", at, ',[s:is_final]:[b:true]', { safe: false })],
    );
    return;
  }
  const value = pair?.value;
  if (value?.kind !== 'bool') return;
  const source = report.source(value);
  if (source !== String(!isLast)) return;
  const message = isLast
    ? 'This is the last chunk of its stream: is_final is true here'
    : 'More chunks of this stream follow: is_final is true on the last one only';
  report.add('aicl/chunk-final', contentSpan(value), message, [
    replaceFix(`Write '${isLast}'`, contentSpan(value), String(isLast), { safe: false }),
  ]);
}

/** Corrects other notations of the k-th chunk of n: `chunk-3/5`, `chunk_3_of_5`, `3/5`. */
function mendStreamId(source: string): string | undefined {
  const [, name = '', k = '', n = ''] =
    /^(.{0,200}?)[\s_#:-]*(\d{1,15})\s*(?:\/|_?of_?|_|-)\s*(\d{1,15})$/s.exec(source) ?? [];
  const meant = `${name === '' ? 'chunk' : name}_${k}/${n}`;
  return parseStreamId(meant) ? meant : undefined;
}
