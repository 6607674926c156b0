import { readDirective, type Directives } from '../../directives.ts';
import type { SendableRequest } from '../../support.ts';
import { defaultAgent } from '../call-tools.ts';
import type { AiclDocument, UnitReading } from '../document.ts';
import type { Unit } from '../unit.ts';
import { printWireText } from '../escapes.ts';
import { CONTENT_START, childValues, topValues, type AiclNode, type AtomNode } from '../ast.ts';
import { readUnit } from '../parse.ts';
import { splitTensor } from '../../../tensor/tensor-text.ts';
import type { Span } from '../../../core/text/span.ts';

/**
 * The messages that can be sent, at most `max`. Includes faulty messages, and results and errors, because an
 * agent may have sent a request to us; excludes fragments. Messages without an agent get the file's default.
 */
export function requests(doc: AiclDocument, max = Infinity): readonly SendableRequest[] {
  const found: SendableRequest[] = [];
  const usual = defaultAgent(doc);
  const none: Directives = usual === '' ? {} : { agent: usual };
  let directives = none;
  for (const unit of doc.units) {
    if (found.length >= max) break;
    if (unit.kind === 'container') {
      const directive = readDirective(doc.text.slice(unit.start, unit.end));
      if (directive && directive.name !== 'default')
        directives = { ...directives, [directive.name]: directive.value };
      continue;
    }
    if (unit.kind === 'message' && !isFragment(unit)) found.push(toRequest(doc, unit, directives));
    directives = none;
  }
  return found;
}

/** True for a dictionary without a header. */
function isFragment({ issues }: Unit): boolean {
  return issues.some(({ code }) => code === 'aicl/fragment');
}

const ELIDED = "Data is left out of a tensor with '...': put the data in to send the message";

function toRequest(doc: AiclDocument, unit: Unit, directives: Directives): SendableRequest {
  const { summary } = unit;
  return {
    span: { start: unit.start, end: unit.end },
    title: directives.name ?? (summary.title || summary.messageType || 'message'),
    directives,
    refusal: unit.issues.some(issue => issue.code === 'aicl/elided-tensor') ? ELIDED : undefined,
    get payloads() {
      return listPayloads(doc, unit);
    },
    get wireText() {
      return printWireText(doc.text, unit, this.payloads);
    },
  };
}

/** The payloads of the tensors in a message; their white space is not sent. */
function listPayloads(doc: AiclDocument, unit: Unit): readonly Span[] {
  return listTensors(readUnit(doc, unit)).flatMap(tensor => {
    const start = unit.start + tensor.start + CONTENT_START;
    return splitTensor(doc.text, start, unit.start + tensor.contentEnd)?.payload ?? [];
  });
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
