import { Position, type TextDocument } from 'vscode';
import { printWireText } from '../../../language/aicl/escapes.ts';
import type { LinePosition } from '../../../core/text/source-text.ts';
import type { RequestAtResult } from '../../../wire/server-messages.ts';

/** The wire text of a request in a document, which must be unchanged since the request was found. */
export function textOfRequest(
  document: TextDocument,
  { language, wireText, start, end, payloads }: RequestAtResult,
): string {
  if (wireText !== undefined) return wireText;
  const text = document.getText();
  const offsetOf = ({ line, character }: LinePosition): number =>
    document.offsetAt(new Position(line, character));
  const span = { start: offsetOf(start), end: offsetOf(end) };
  return language === 'aicl' ? printWireText(text, span, payloads) : text.slice(span.start, span.end);
}
