import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { detectLayer } from '../../../protocols/convert/detect.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import type { Span } from '../../../core/text/span.ts';
import { UsageError } from '../exit.ts';
import type { SourceFile } from '../files.ts';
import { pickMessage } from '../messages.ts';

/**
 * Where the message stands that `FILE:N` picks: of AICL and AICF the one that every command counts, of JSON the Nth
 * value, line or event. Throws a UsageError where the file has fewer.
 */
export function pickSpan(file: SourceFile, from: ConversionName | undefined, number: number): Span {
  const layer = detectLayer(file.text, from);
  if (layer !== 'json')
    return pickMessage(file, LANGUAGE_SUPPORT[layer].open(file.text, DEFAULT_SETTINGS), number);
  const { messages } = readMessages(file.text, { from, report: new Report() });
  const spans = messages.map(({ span }) => span).filter((span, at, all) => span.start !== all[at - 1]?.start);
  const span = spans[number - 1];
  if (span) return span;
  throw new UsageError(`There is no message ${number} in '${file.name}': it has ${spans.length}`);
}
