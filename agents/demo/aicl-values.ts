import { type Children, atomSource, textOf, type AiclNode, type PairNode } from '../../language/aicl/ast.ts';
import type { Characters } from '../../core/text/source-text.ts';

/** A value of a message as a tool receives it; a tensor is passed as its source text. */
export type AiclValue = string | number | boolean | readonly AiclValue[] | ReadonlyMap<string, AiclValue>;

/** The values of pairs by key; the last of equal keys counts. `base` is where the message starts in the text. */
export function readPairs(
  source: Characters,
  base: number,
  pairs: Children<PairNode>,
): ReadonlyMap<string, AiclValue> {
  const values = new Map<string, AiclValue>();
  for (const pair of pairs) {
    if (pair.value) values.set(textOf(source, base, pair.key), readValue(source, base, pair.value));
  }
  return values;
}

function readValue(source: Characters, base: number, node: AiclNode): AiclValue {
  switch (node.kind) {
    case 'text':
      return textOf(source, base, node);
    case 'int':
    case 'float':
      return readNumber(atomSource(source, base, node));
    case 'bool':
      return atomSource(source, base, node) === 'true';
    case 'list':
      return Array.from(node.items, item => readValue(source, base, item));
    case 'dict':
      return readPairs(source, base, node.pairs);
    case 'tensor':
      return atomSource(source, base, node);
  }
}

/** Reads a number. `inf` in any case is handled separately, because `Number` does not read it. */
function readNumber(literal: string): number {
  const infinite = /^(-?)inf$/i.exec(literal);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  return Number(literal);
}
