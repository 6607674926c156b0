/** Tells the line, from 1, of offsets that come in any order; fastest where they rise. LF, CRLF and CR end lines. */
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
