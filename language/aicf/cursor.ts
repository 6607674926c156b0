import { findFieldRow, type AicfFieldRow } from '../../core/catalog/aicf.ts';
import { firstAtLeast } from '../../core/text/number-list.ts';
import { touchesOffset, type Span } from '../../core/text/span.ts';
import { findFieldSpan, isContainerLine } from './ast.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from './parse.ts';

/** The syntax at a cursor. Spans count from the start of the line. */
export type CursorPlace =
  | { readonly kind: 'container'; readonly line: PlacedLine; readonly offset: number }
  /** The start of a line: a command, or text that may become one. */
  | { readonly kind: 'command'; readonly line: PlacedLine; readonly offset: number; readonly span: Span }
  | {
      readonly kind: 'field';
      readonly line: PlacedLine;
      readonly offset: number;
      readonly span: Span;
      /** Counted from 0 after the command. */
      readonly index: number;
      /** The catalog's row for the field; undefined if the command has no such field. */
      readonly row: AicfFieldRow | undefined;
    };

/** Finds the syntax at an offset of a document; a cursor directly after an element belongs to it. */
export function findPlace(doc: AicfDocument, offset: number): CursorPlace {
  const line = readLineAt(doc, doc.text.lineAt(offset));
  const { tree } = line;
  const at = Math.max(0, Math.min(offset - line.start, tree.end));
  if (isContainerLine(tree) && tree.kind !== 'blank') return { kind: 'container', line, offset: at };
  const firstPipe = tree.pipes[0];
  if (firstPipe === undefined || at <= firstPipe)
    return { kind: 'command', line, offset: at, span: tree.word };
  const index = findFieldIndex(tree.pipes, at);
  const span = findFieldSpan(tree, index) ?? tree.word;
  const row = tree.command === undefined ? undefined : findFieldRow(tree.command, index);
  return { kind: 'field', line, offset: at, span, index, row };
}

/** The field at an offset past the first delimiter. */
function findFieldIndex(pipes: readonly number[], offset: number): number {
  return Math.max(0, firstAtLeast(pipes, offset) - 1);
}

/** True if the cursor touches the span. */
export function isOn(place: CursorPlace, span: Span): boolean {
  return touchesOffset(span, place.offset);
}
