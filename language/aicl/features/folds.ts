import type { Fold, FoldList } from '../../folds.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { childValues, CONTENT_START, topValues, type AiclNode, type UnitTree } from '../ast.ts';
import type { AiclDocument } from '../document.ts';
import { readUnit } from '../parse.ts';
import { kindAt } from '../scanner.ts';
import type { Unit, UnitContent } from '../unit.ts';

/** So many values of a unit are looked at: one that has more folds its first ones. */
const MOST_VALUES = 10_000;

/** What folds inside a unit, in offsets from its start. A message as a whole is not in it. */
interface InnerFolds {
  readonly spans: readonly Span[];
  readonly isCut: boolean;
}

/** What folds in units that no edit touched. */
const KEPT = new WeakMap<UnitContent, InnerFolds>();

/** A unit with its index, or a run of container lines. Texts and runs of pairs do not fold as a whole. */
interface OuterFold extends Fold {
  readonly index?: number;
  readonly isShown: boolean;
}

/**
 * Messages, lists, dictionaries and wrapped payloads of more than one line, and runs of container lines: at most `most`
 * of them, the first ones, and messages before what is in them. After an edit only the units that it touched are read.
 */
export function folds(doc: AiclDocument, most: number): FoldList {
  const outer = listOuter(doc, most + 1);
  const found: Fold[] = [];
  const shown = outer.filter(({ isShown }) => isShown).length;
  let left = most - shown;
  let isCut = left < 0 || outer.length - shown > MOST_VALUES;
  for (const { span, kind, index, isShown } of outer) {
    if (found.length >= most) break;
    if (isShown) found.push({ span, kind });
    const unit = index === undefined ? undefined : doc.units.at(index);
    const content = index === undefined ? undefined : doc.units.contentAt(index);
    if (!unit || !content) continue;
    if (left <= 0) {
      isCut = true;
      continue;
    }
    const inner = readInner(doc, unit, content);
    isCut ||= inner.isCut || inner.spans.length > left;
    for (const part of inner.spans.slice(0, left)) found.push({ span: shiftSpan(part, unit.start), kind });
    left -= Math.min(left, inner.spans.length);
  }
  return { folds: found, isCut };
}

/** Units of several lines and runs of container lines, as far as there are so many that fold. */
function listOuter(doc: AiclDocument, most: number): readonly OuterFold[] {
  const found: OuterFold[] = [];
  let run: { readonly start: number; end: number; line: number; count: number } | undefined;
  let shown = 0;
  const add = (fold: OuterFold): void => {
    found.push(fold);
    if (fold.isShown) shown++;
  };
  const closeRun = (): void => {
    if (run && run.count > 1)
      add({ span: { start: run.start, end: run.end }, kind: 'comment', isShown: true });
    run = undefined;
  };
  for (
    let index = 0;
    index < doc.units.count && shown < most && found.length - shown <= MOST_VALUES;
    index++
  ) {
    const content = doc.units.contentAt(index);
    if (content?.kind !== 'container') {
      closeRun();
      if (!content?.isMultiline || content.kind === 'foreign') continue;
      const unit = doc.units.at(index);
      if (!unit) continue;
      const isShown = kindAt(doc.text.slice(unit.start, unit.start + CONTENT_START), 0) !== 'text';
      add({ span: { start: unit.start, end: unit.end }, kind: 'region', index, isShown });
      continue;
    }
    const { start, end } = doc.units.at(index) ?? { start: 0, end: 0 };
    const line = doc.text.lineAt(start);
    if (run?.line !== line - 1) closeRun();
    run ??= { start, end, line, count: 0 };
    Object.assign(run, { end, line, count: run.count + 1 });
  }
  closeRun();
  return found;
}

function readInner(doc: AiclDocument, unit: Unit, content: UnitContent): InnerFolds {
  const kept = KEPT.get(content);
  if (kept) return kept;
  const made = listInner(doc, unit);
  KEPT.set(content, made);
  return made;
}

function listInner(doc: AiclDocument, unit: Unit): InnerFolds {
  const spans: Span[] = [];
  let count = 0;
  const visit = (node: AiclNode): void => {
    if (++count > MOST_VALUES || !isLong(doc, unit.start + node.start, unit.start + node.end)) return;
    if (node.kind !== 'text') spans.push({ start: node.start, end: node.end });
    visitAll(childValues(node));
  };
  const visitAll = (nodes: Iterable<AiclNode>): void => {
    for (const node of nodes) {
      if (count > MOST_VALUES) return;
      visit(node);
    }
  };
  visitAll(valuesInside(readUnit(doc, unit).tree));
  return { spans, isCut: count > MOST_VALUES };
}

function valuesInside(tree: UnitTree | undefined): Iterable<AiclNode> {
  return tree === undefined || tree.kind === 'pairs' ? topValues(tree) : childValues(tree.root);
}

function isLong(doc: AiclDocument, start: number, end: number): boolean {
  return doc.text.lineAt(start) < doc.text.lineAt(end);
}
