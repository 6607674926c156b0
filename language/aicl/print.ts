import { CONTENT_START, childValues, topValues, type AiclNode, type AtomNode } from './ast.ts';
import type { AiclDocument, UnitReading } from './document.ts';
import { sendReturns } from './escapes.ts';
import type { Unit } from './unit.ts';
import { readUnit } from './parse.ts';
import { splitTensor } from '../../tensor/tensor-text.ts';

/**
 * A message as it is sent (reading of LightAICL, section 1.4): as it is written, from its first bracket to its last, with CRLF
 * as LF, `\u000D` as CR, payloads without white space, and nothing else changed.
 */
export function wireText(doc: AiclDocument, unit: Unit): string {
  const reading = readUnit(doc, unit);
  const parts: string[] = [];
  let at = unit.start;
  for (const tensor of listTensors(reading)) {
    const span = splitTensor(
      doc.text,
      unit.start + tensor.start + CONTENT_START,
      unit.start + tensor.contentEnd,
    );
    if (!span) continue;
    parts.push(
      doc.text.slice(at, span.payload.start),
      unwrapPayload(doc.text.slice(span.payload.start, span.payload.end)),
    );
    at = span.payload.end;
  }
  parts.push(doc.text.slice(at, unit.end));
  return sendReturns(parts.join('').replace(/\r\n/g, '\n'));
}

/** A payload without its white space, none of which is ever sent. */
export function unwrapPayload(payload: string): string {
  return payload.replace(/[ \t\r\n]+/g, '');
}

/** The tensors of a unit in order. */
export function listTensors(reading: UnitReading): readonly AtomNode[] {
  const tensors: AtomNode[] = [];
  const visit = (node: AiclNode): void => {
    if (node.kind === 'tensor') tensors.push(node);
    for (const child of childValues(node)) visit(child);
  };
  for (const value of topValues(reading.tree)) visit(value);
  return tensors;
}
