import { RunChildren } from './run.ts';
import { countWhile } from '../../core/text/count-while.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * What stands in a list or a dictionary, in order. An array is one; in a message of megabytes the nodes are made when
 * they are asked for, because an edit touches few of them.
 */
export interface Children<Node extends Span> extends Iterable<Node> {
  readonly length: number;
  /** The child with an index, from the end where it is negative; undefined outside. */
  at(index: number): Node | undefined;
}

/** The index of the first child that ends at or after an offset; the number of children where none does. */
export function firstFrom<Node extends Span>(children: Children<Node>, offset: number): number {
  if (children instanceof RunChildren) return children.firstFrom(offset);
  return countWhile(children.length, index => (children.at(index)?.end ?? 0) < offset);
}

/** The children that touch `[start, end]`. */
export function* childrenIn<Node extends Span>(
  children: Children<Node>,
  start: number,
  end: number,
): Generator<Node> {
  for (let index = firstFrom(children, start); index < children.length; index++) {
    const child = children.at(index);
    if (!child || child.start > end) return;
    yield child;
  }
}

/** True for children of which some are made only when they are asked for. */
export function hasRuns<Node extends Span>(children: Children<Node>): children is RunChildren<Node> {
  return children instanceof RunChildren;
}
