import type { WireRange } from '../../../../wire/places.ts';

/** A line up to this length is underlined as a whole. */
const SHORT = 40;

/** The maximum number of characters of a line in which a name is searched. */
const LONGEST = 1_000;

/** The number of lines in which the name of a multi-line message is searched. */
export const LINES_OF_HEAD = 8;

/** The first line of a message that continues below. */
const OPENING = /^(?:\{|\[|\[[dl]:)$/;

/** A JSON member or AICL pair that names the tool or the kind of a message. */
const MEMBERS: readonly RegExp[] = [
  /"(?:method|tool|kind|object|type)": ?"[^"\\]*"/,
  /\[s:(?:tool|msg_type)\]:\[s:[^\]]*\]/,
];

/** A command of AICF with its first field, else the first words. */
const STARTS: readonly RegExp[] = [/^[A-Z]+(?:\|[^|]*)?/, /^\S+(?: \S+)?/];

/**
 * The range that names the message at a line: its method or tool, else its first words. Undefined if the line
 * is short enough to underline it as a whole.
 */
export function findHead(lines: readonly string[], at: number): WireRange | undefined {
  const first = lines[at] ?? '';
  if (OPENING.test(first.trimEnd())) return findMember(lines, at + 1);
  return first.trimEnd().length > SHORT ? findIn(first, at, [...MEMBERS, ...STARTS]) : undefined;
}

function findMember(lines: readonly string[], from: number): WireRange | undefined {
  for (const [index, line] of lines.slice(from, from + LINES_OF_HEAD).entries()) {
    // A line without indentation ends the message.
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
