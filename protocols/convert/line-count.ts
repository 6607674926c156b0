/**
 * Returns a function from offsets to line numbers, from 1. Offsets may be in any order; ascending ones are
 * fastest. LF, CRLF and CR end lines.
 */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return offset => {
    if (offset < at) [line, at] = [1, 0];
    for (; at < offset; at++) {
      const code = text.charCodeAt(at);
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) line++;
    }
    return line;
  };
}
