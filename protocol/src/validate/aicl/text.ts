import type { AtomNode } from '../../aicl/ast.ts';
import { contentSpan } from '../../aicl/ast.ts';
import { isValueStart } from '../../aicl/loose.ts';
import type { UnitReport } from './report.ts';

/** A text that holds an opening bracket with a type: legal, but perhaps its own bracket was lost. */
export function checkText(report: UnitReport, atom: AtomNode): void {
  const source = report.source(atom);
  for (let at = source.indexOf('['); at >= 0; at = source.indexOf('[', at + 1)) {
    if (!isValueStart(source, at) || (at > 0 && source[at - 1] === '\\')) continue;
    const start = contentSpan(atom).start + at;
    const message = `This text holds '${source.slice(at, at + 3)}': if a value was meant, the ']' before it is missing`;
    report.add('aicl/bare-bracket', { start, end: start + 3 }, message);
    return;
  }
}
