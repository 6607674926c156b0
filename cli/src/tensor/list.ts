import { showBytes } from '../../../tensor/size-words.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import { gatherFacts } from './facts.ts';
import type { TensorRow } from './rows.ts';
import { showExtreme, showRounded, toJsonNumber } from './values.ts';

/** One aligned line a tensor: where it stands, type, shape, size, and what is in it or why it cannot be read. */
export function printList(rows: readonly TensorRow[]): string {
  return alignCells(rows.map(row => [locate(row), row.at, ...describe(row)]));
}

/** `hello.aicl:4:14`, counted from 1 as editors show it. */
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

/** Cells under one another; a column in which nothing stands is left out, and nothing makes room for a row's last cell. */
function alignCells(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, column === row.length - 1 ? 0 : cell.length);
  return rows.map(row => `${joinCells(row, widths)}\n`).join('');
}

function joinCells(row: readonly string[], widths: readonly number[]): string {
  const kept = row.flatMap((cell, column) => {
    const width = widths[column] ?? 0;
    return width === 0 && cell === '' ? [] : [cell.padEnd(width)];
  });
  return kept.join('  ').trimEnd();
}

/** What `--format json` prints of a row. */
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
