import type { Fold, FoldList } from '../../feature-results.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { childValues, CONTENT_START, topValues, type AiclNode, type UnitTree } from '../ast.ts';
import type { AiclDocument } from '../document.ts';
import { readUnit } from '../parse.ts';
import { kindAt } from '../scanner.ts';
import type { Unit, UnitContent } from '../unit.ts';

/** Maximum number of values of a unit that are examined; only the first ones fold. */
const MAX_VALUES = 10_000;

/** The folds inside a unit, relative to its start; the unit as a whole is not included. */
interface InnerFolds {
  readonly spans: readonly Span[];
  readonly isCut: boolean;
}

/** Cached folds of unchanged units. */
const CACHE = new WeakMap<UnitContent, InnerFolds>();

/** A unit with its index, or consecutive container lines. Texts and runs of pairs do not fold as a whole. */
interface OuterFold extends Fold {
  readonly index?: number;
  readonly isShown: boolean;
}

/**
 * The first `most` foldable ranges: messages, lists, dictionaries and wrapped payloads of several lines, and
 * consecutive container lines. If the limit is reached, messages take precedence over their content. After an
 * edit only the changed units are read.
 */
export function folds(doc: AiclDocument, most: number): FoldList {
  const outer = listOuter(doc, most + 1);
  const found: Fold[] = [];
  const shown = outer.filter(({ isShown }) => isShown).length;
  let left = most - shown;
  let isCut = left < 0 || outer.length - shown > MAX_VALUES;
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

/** Units of several lines and consecutive container lines, up to `most` that fold. */
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
    index < doc.units.count && shown < most && found.length - shown <= MAX_VALUES;
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
  const cached = CACHE.get(content);
  if (cached) return cached;
  const made = listInner(doc, unit);
  CACHE.set(content, made);
  return made;
}

function listInner(doc: AiclDocument, unit: Unit): InnerFolds {
  const spans: Span[] = [];
  let count = 0;
  const visit = (node: AiclNode): void => {
    if (++count > MAX_VALUES || !isLong(doc, unit.start + node.start, unit.start + node.end)) return;
    if (node.kind !== 'text') spans.push({ start: node.start, end: node.end });
    visitAll(childValues(node));
  };
  const visitAll = (nodes: Iterable<AiclNode>): void => {
    for (const node of nodes) {
      if (count > MAX_VALUES) return;
      visit(node);
    }
  };
  visitAll(valuesInside(readUnit(doc, unit).tree));
  return { spans, isCut: count > MAX_VALUES };
}

function valuesInside(tree: UnitTree | undefined): Iterable<AiclNode> {
  return tree === undefined || tree.kind === 'pairs' ? topValues(tree) : childValues(tree.root);
}

function isLong(doc: AiclDocument, start: number, end: number): boolean {
  return doc.text.lineAt(start) < doc.text.lineAt(end);
}
