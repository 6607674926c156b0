import { readDirective, type Directives } from '../../directives.ts';
import type { SendableRequest } from '../../support.ts';
import { defaultAgent } from '../call-tools.ts';
import type { AiclDocument } from '../document.ts';
import type { Unit } from '../unit.ts';
import { listPayloads, printWireText } from '../print.ts';

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
    if (unit.kind === 'message') found.push(toRequest(doc, unit, directives));
    directives = none;
  }
  return found;
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
