import type { WireRange } from '../../../wire/places.ts';

/** A line of this length is underlined as a whole: nothing else is said of it. */
const SHORT = 40;

/** No name of a message stands further behind in its line. */
const LONGEST = 1_000;

/** A message on lines of its own says its name on one of the first. */
export const LINES_OF_HEAD = 8;

/** A message that goes on in the lines below. */
const OPENING = /^(?:\{|\[|\[[dl]:)$/;

/** A member of JSON or a pair of AICL that says what is called, or what it is. */
const MEMBERS: readonly RegExp[] = [
  /"(?:method|tool|kind|object|type)": ?"[^"\\]*"/,
  /\[s:(?:tool|msg_type)\]:\[s:[^\]]*\]/,
];

/** A command of AICF with its first field, else the first words. */
const STARTS: readonly RegExp[] = [/^[A-Z]+(?:\|[^|]*)?/, /^\S+(?: \S+)?/];

/**
 * What names the message that begins at a line: its method or tool, else its first words. Undefined where it is so short
 * that all of its line can stand for it.
 */
export function findHead(lines: readonly string[], at: number): WireRange | undefined {
  const first = lines[at] ?? '';
  if (OPENING.test(first.trimEnd())) return findMember(lines, at + 1);
  return first.trimEnd().length > SHORT ? findIn(first, at, [...MEMBERS, ...STARTS]) : undefined;
}

function findMember(lines: readonly string[], from: number): WireRange | undefined {
  for (const [index, line] of lines.slice(from, from + LINES_OF_HEAD).entries()) {
    // What begins at the edge is the end of the message, or another one.
    if (/^\S/.test(line)) return undefined;
    const found = findIn(line, from + index, MEMBERS);
    if (found) return found;
  }
  return undefined;
}

function findIn(line: string, number: number, names: readonly RegExp[]): WireRange | undefined {
  const start = line.slice(0, LONGEST);
  for (const name of names) {
    const found = name.exec(start);
    if (!found) continue;
    const end = found.index + Math.min(found[0].length, SHORT);
    return { start: { line: number, character: found.index }, end: { line: number, character: end } };
  }
  return undefined;
}
