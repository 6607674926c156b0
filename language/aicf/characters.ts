import { findFieldEnd } from './codec.ts';

const TAB = 9;
const SPACE = 32;
const PIPE = 124;

/** True for a space or a TAB, the blanks of AICF lines. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** The offset of the first non-blank from `from` on; the text's length if there is none. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The offset after the last non-blank, at least `from`. */
export function trimmedEnd(text: string, from: number): number {
  let end = text.length;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Appends to `pipes` the offsets of the delimiter at `first` and of all delimiters after it. */
export function splitFields(text: string, first: number, pipes: number[]): void {
  let pipe = first;
  while (pipe < text.length) {
    pipes.push(pipe);
    pipe = findFieldEnd(text, pipe + 1);
  }
}

/**
 * The end of a Markdown code fence at `from`: three backquotes, optionally a language name, then only blanks
 * up to the line's end. Returns -1 if the line is no fence.
 */
export function findFenceEnd(text: string, from: number): number {
  if (!text.startsWith('```', from)) return -1;
  const end = trimmedEnd(text, from);
  for (let at = from + 3; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isBlank(code) || code === PIPE || code === 96) return -1;
  }
  return end;
}
