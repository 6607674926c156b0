import { contentSpan, type AtomNode } from '../../aicl/ast.ts';
import { isValueStart } from '../../aicl/lexeme.ts';
import { replaceFix } from '../../fix.ts';
import type { UnitReport } from './report.ts';

/** Reports a text that contains an opening bracket with a type: valid, but its own closing bracket may be missing. */
export function checkText(report: UnitReport, atom: AtomNode, isItem = false): void {
  const source = report.source(atom);
  for (let at = source.indexOf('['); at >= 0; at = source.indexOf('[', at + 1)) {
    if (!isValueStart(source, at)) continue;
    const start = contentSpan(atom).start + at;
    const message = `This text holds '${source.slice(at, at + 3)}': if a value was meant, the ']' before it is missing`;
    // In a list, the rest would be a text of its own.
    const isText = isItem && source.startsWith('[s:', at);
    const cut = { start, end: start };
    const fixes = isText ? [replaceFix("End the text before it with '],'", cut, '],', { safe: false })] : [];
    report.add('aicl/bare-bracket', { start, end: start + 3 }, message, fixes);
    return;
  }
}
