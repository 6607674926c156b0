import type { Fold } from '../../language/support.ts';
import { childValues, topValues, type AiclNode } from '../ast.ts';
import type { AiclDocument } from '../document.ts';
import type { Unit } from '../unit.ts';
import { readUnit } from '../parse.ts';

/** Messages, lists, dictionaries and wrapped payloads of more than one line, and runs of container lines. */
export function folds(doc: AiclDocument): readonly Fold[] {
  const found: Fold[] = [];
  let run: { first: Unit; last: Unit } | undefined;
  for (const unit of doc.units) {
    if (unit.kind === 'container') {
      run =
        run && isNextLine(doc, run.last, unit)
          ? { first: run.first, last: unit }
          : { first: unit, last: unit };
      continue;
    }
    if (run && run.first !== run.last)
      found.push({ span: { start: run.first.start, end: run.last.end }, kind: 'comment' });
    run = undefined;
    if (unit.kind !== 'foreign' && isLong(doc, unit.start, unit.end)) foldUnit(doc, unit, found);
  }
  if (run && run.first !== run.last)
    found.push({ span: { start: run.first.start, end: run.last.end }, kind: 'comment' });
  return found;
}

function foldUnit(doc: AiclDocument, unit: Unit, found: Fold[]): void {
  const visit = (node: AiclNode): void => {
    const [start, end] = [unit.start + node.start, unit.start + node.end];
    if (!isLong(doc, start, end)) return;
    if (node.kind !== 'text') found.push({ span: { start, end }, kind: 'region' });
    for (const child of childValues(node)) visit(child);
  };
  for (const value of topValues(readUnit(doc, unit).tree)) visit(value);
}

function isLong(doc: AiclDocument, start: number, end: number): boolean {
  return doc.lines.lineAt(start) < doc.lines.lineAt(end);
}

function isNextLine(doc: AiclDocument, last: Unit, next: Unit): boolean {
  return doc.lines.lineAt(next.start) === doc.lines.lineAt(last.start) + 1;
}
