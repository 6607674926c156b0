import { encodeBase85 } from '../../../tensor/base85.ts';
import { printTensor } from '../../../tensor/read-tensor.ts';
import { splitTensor } from '../../../tensor/tensor-text.ts';
import type { Tensor } from '../../../tensor/tensor.ts';

/** The wrapping of long payloads. */
export interface Wrapping {
  /** Characters per line. */
  readonly width: number;
  /** The line break and indentation before each line, and before the closing bracket of the value. */
  readonly before: string;
  readonly after: string;
}

/**
 * The text of a tensor that replaces the value `before`, which is `[t:…]`. Keeps its wrapping, and the
 * spelling of data type and shape if these are unchanged.
 */
export function rewriteValue(before: string, old: Tensor, tensor: Tensor): string {
  const parts = splitTensor(before, OPENING.length, before.length - 1);
  if (!parts) return printTensor(tensor);
  const isSameHead = old.dtype === tensor.dtype && old.shape.join() === tensor.shape.join();
  const head = isSameHead
    ? before.slice(OPENING.length, parts.payload.start)
    : `${tensor.dtype}:${tensor.shape.join(',')}:`;
  const payload = before.slice(parts.payload.start, parts.payload.end);
  return `${OPENING}${head}${rewrap(payload, encodeBase85(tensor.bytes))}]`;
}

/** The text of a new tensor. A payload longer than a line is wrapped as by the formatter. */
export function writeValue(tensor: Tensor, wrapping: Wrapping | undefined): string {
  const payload = encodeBase85(tensor.bytes);
  if (!wrapping || payload.length <= wrapping.width) return printTensor(tensor);
  const lines = [''];
  for (let at = 0; at < payload.length; at += wrapping.width)
    lines.push(payload.slice(at, at + wrapping.width));
  const wrapped = lines.join(wrapping.before) + wrapping.after;
  return `${OPENING}${tensor.dtype}:${tensor.shape.join(',')}:${wrapped}]`;
}

const OPENING = '[t:';

/** Gives a payload the white space of another one: at the same positions, and continued with the same width. */
function rewrap(before: string, payload: string): string {
  const pieces = before.split(/([ \t\r\n]+)/);
  const blanks = pieces.filter((_, index) => index % 2 === 1);
  if (blanks.length === 0) return payload;
  const texts = pieces.filter((_, index) => index % 2 === 0);
  const tail = texts.at(-1) === '' ? (blanks.pop() ?? '') : '';
  if (tail !== '') texts.pop();
  const inner = blanks.at(-1) ?? '';
  const width = texts.reduce((most, text) => Math.max(most, text.length), 1);
  const made: string[] = [];
  for (let at = 0, piece = 0; at < payload.length || piece === 0; piece++) {
    const length = piece < texts.length - 1 ? (texts[piece]?.length ?? 0) : width;
    if (piece > 0) made.push(blanks[piece - 1] ?? inner);
    made.push(payload.slice(at, at + length));
    at += length;
  }
  return made.join('') + tail;
}

/** A minimal replacement of a text, without the common beginning and end. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function findReplacement(before: string, after: string): Replacement {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  while (
    same < most - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
