import { CONTENT_START, childValues, topValues, type AiclNode, type AtomNode } from './ast.ts';
import type { AiclDocument, UnitReading } from './document.ts';
import { sendReturns } from './escapes.ts';
import type { Unit } from './unit.ts';
import type { Span } from '../../core/text/span.ts';
import { readUnit } from './parse.ts';
import { splitTensor } from '../../tensor/tensor-text.ts';

/** The payloads of the tensors in a message; their white space is not sent. */
export function listPayloads(doc: AiclDocument, unit: Unit): readonly Span[] {
  return listTensors(readUnit(doc, unit)).flatMap(tensor => {
    const start = unit.start + tensor.start + CONTENT_START;
    return splitTensor(doc.text, start, unit.start + tensor.contentEnd)?.payload ?? [];
  });
}

/**
 * The wire text of a message (reading of LightAICL, section 1.4): the source from its first to its last
 * bracket, with CRLF as LF, `\u000D` as CR, and payloads without white space.
 */
export function printWireText(
  text: { slice(start: number, end: number): string },
  { start, end }: Span,
  payloads: readonly Span[],
): string {
  const parts: string[] = [];
  let at = start;
  for (const payload of payloads) {
    parts.push(text.slice(at, payload.start), unwrapPayload(text.slice(payload.start, payload.end)));
    at = payload.end;
  }
  parts.push(text.slice(at, end));
  return sendReturns(parts.join('').replace(/\r\n/g, '\n'));
}

/** Removes the white space of a payload. */
export function unwrapPayload(payload: string): string {
  return payload.replace(/[ \t\r\n]+/g, '');
}

/** The tensors of a unit in order. */
function listTensors(reading: UnitReading): readonly AtomNode[] {
  const tensors: AtomNode[] = [];
  const visit = (node: AiclNode): void => {
    if (node.kind === 'tensor') tensors.push(node);
    for (const child of childValues(node)) visit(child);
  };
  for (const value of topValues(reading.tree)) visit(value);
  return tensors;
}
