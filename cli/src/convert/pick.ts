import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { detectLayer } from '../../../protocols/recognise/detect.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import type { Span } from '../../../core/text/span.ts';
import { UsageError } from '../exit.ts';
import type { SourceFile } from '../files.ts';
import { pickMessage } from '../messages.ts';

/**
 * The span of the message that `FILE:N` selects: in AICL and AICF the Nth message, in JSON the Nth value,
 * line or event. Throws a UsageError if the file has fewer.
 */
export function pickSpan(file: SourceFile, from: ConversionName | undefined, number: number): Span {
  const layer = detectLayer(ALL_PROTOCOLS, file.text, from);
  if (layer !== 'json')
    return pickMessage(file, LANGUAGE_SUPPORT[layer].openOnce(file.text, DEFAULT_SETTINGS), number);
  const { messages } = readMessages(file.text, { protocols: ALL_PROTOCOLS, from, report: new Report() });
  const spans = messages.map(({ span }) => span).filter((span, at, all) => span.start !== all[at - 1]?.start);
  const span = spans[number - 1];
  if (span) return span;
  throw new UsageError(`There is no message ${number} in '${file.name}': it has ${spans.length}`);
}
