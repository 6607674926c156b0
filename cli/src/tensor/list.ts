import { showBytes } from '../../../tensor/size-words.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import { gatherFacts } from './facts.ts';
import type { TensorRow } from './rows.ts';
import { showExtreme, showRounded, toJsonNumber } from './values.ts';

/** Yields one aligned line per tensor: location, type, shape, size, and statistics or the error. */
export function* printList(rows: readonly TensorRow[]): Generator<string, void> {
  yield* alignCells(
    rows.map(row => [locate(row), row.at, ...describe(row)].map(showSeparator).join(BETWEEN_CELLS)),
  );
}

/** Joins the cells of a row until they are aligned: one string per row takes a quarter of the memory of its cells. */
const BETWEEN_CELLS = '\0';

/** The name of an array in a file may contain any character. */
function showSeparator(cell: string): string {
  return cell.replaceAll(BETWEEN_CELLS, 'U+0000');
}

/** A location such as `hello.aicl:4:14`, counted from 1 as in editors. */
export function locate({ file, range }: Pick<TensorRow, 'file' | 'range'>): string {
  return range ? `${file}:${range.start.line + 1}:${range.start.character + 1}` : file;
}

function describe({ content }: TensorRow): readonly string[] {
  if (content.kind === 'ok') return describeTensor(content.tensor);
  const { severity, message, code } = content.issue;
  return [content.dtype, content.shape, `${severity}: ${message} [${code}]`];
}

function describeTensor(tensor: Tensor): readonly string[] {
  const { dtype, shape, bytes } = tensor;
  const facts = gatherFacts(tensor);
  return [
    dtype,
    shape.join(','),
    showBytes(bytes.length),
    `min ${showExtreme(dtype, facts.min)}`,
    `max ${showExtreme(dtype, facts.max)}`,
    `mean ${showRounded(facts.mean)}`,
    `std ${showRounded(facts.std)}`,
    `nan ${facts.nan}`,
    `inf ${facts.positiveInfinity + facts.negativeInfinity}`,
    `zeros ${facts.zeros}`,
  ];
}

/** Aligns cells in columns. Empty columns are left out, and the last cell of a row does not widen its column. */
function* alignCells(rows: readonly string[]): Generator<string, void> {
  const widths: number[] = [];
  for (const row of rows) {
    const cells = row.split(BETWEEN_CELLS);
    for (const [column, cell] of cells.entries())
      widths[column] = Math.max(widths[column] ?? 0, column === cells.length - 1 ? 0 : cell.length);
  }
  for (const row of rows) yield `${joinCells(row.split(BETWEEN_CELLS), widths)}\n`;
}

function joinCells(row: readonly string[], widths: readonly number[]): string {
  const stored = row.flatMap((cell, column) => {
    const width = widths[column] ?? 0;
    return width === 0 && cell === '' ? [] : [cell.padEnd(width)];
  });
  return stored.join('  ').trimEnd();
}

/** A row in the output of `--format json`. */
export function toJsonRow({ file, range, at, content }: TensorRow): object {
  const place = { file, ...(range ? { range } : {}), at };
  if (content.kind === 'fault') {
    const { dtype, shape, issue } = content;
    const { severity, code, message } = issue;
    return { ...place, dtype, shape, problem: { severity, code, message } };
  }
  const { dtype, shape, bytes } = content.tensor;
  const facts = gatherFacts(content.tensor);
  return {
    ...place,
    dtype,
    shape,
    bytes: bytes.length,
    ...facts,
    min: toJsonNumber(facts.min),
    minAt: facts.minAt ?? null,
    max: toJsonNumber(facts.max),
    maxAt: facts.maxAt ?? null,
    mean: toJsonNumber(facts.mean),
    std: toJsonNumber(facts.std),
  };
}
