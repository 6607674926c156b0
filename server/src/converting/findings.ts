import type { ConvertedMessage } from '../../../protocols/convert/convert.ts';
import type { Loss } from '../../../core/message/report.ts';
import type { SourceText } from '../../../core/text/source-text.ts';
import type { Span } from '../../../core/text/span.ts';
import type { ConversionFinding } from '../../../wire/conversion-requests.ts';
import { trimSpan, type Conversion } from './conversion.ts';
import { toRange } from '../lsp.ts';

/** The losses and notes of a conversion with their positions in result and source. */
export function listFindings(conversion: Conversion): readonly ConversionFinding[] {
  const { losses, notes } = conversion.converted;
  return [
    ...losses.map(loss => ({
      kind: loss.kind,
      path: loss.path,
      message: loss.message,
      ...placesOf(conversion, loss),
    })),
    ...notes.map(({ message, index }) => ({
      kind: 'note' as const,
      path: '',
      message,
      ...placesOf(conversion, { index }),
    })),
  ];
}

function placesOf(
  { source, result, converted }: Conversion,
  { index, value, span }: Pick<Loss, 'index'> & Partial<Pick<Loss, 'value' | 'span'>>,
): Pick<ConversionFinding, 'range' | 'source'> {
  const { messages, sourcePlaces, resultPlaces } = converted;
  const message = messages[index];
  const shown =
    (value && resultPlaces?.get(value)) ?? firstLine(result, nearestResult(messages, index) ?? NOWHERE);
  const reported =
    (value && sourcePlaces?.get(value)) ?? span ?? (message && firstLine(source, message.source));
  return {
    range: toRange({ text: result }, shown),
    ...(reported && { source: toRange({ text: source }, reported) }),
  };
}

const NOWHERE: Span = { start: 0, end: 0 };

/** The span of a message in the result; for a message without a result, of the previous one or else the next one. */
function nearestResult(messages: readonly ConvertedMessage[], index: number): Span | undefined {
  for (let at = index; at >= 0; at--) {
    const result = messages[at]?.result;
    if (result) return result;
  }
  return messages.find(({ result }) => result)?.result;
}

/** Only the first line is underlined, because a whole underlined message would hide its other findings. */
function firstLine(text: SourceText, span: Span): Span {
  const { start, end } = trimSpan(text, span);
  return { start, end: Math.min(end, text.lineEnd(text.lineAt(start))) };
}
