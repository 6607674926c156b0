import { readDirective } from '../../directives.ts';
import { fieldText } from '../ast.ts';
import { readLineAt, type PlacedLine } from '../lines.ts';
import type { AicfDocument } from '../parse.ts';

/** So many lines before a place are looked at, and as many behind it: what is used further away is not proposed. */
const MOST_LINES = 500;
/** A longer line is passed over: it is data. */
const LONGEST_LINE = 10_000;
const LONGEST_NAME = 200;
const MOST_NAMES = 100;

/** The lines around one, the nearest before it first, then those behind it. */
export function* linesAround(doc: AicfDocument, number: number): Generator<PlacedLine> {
  for (const step of [-1, 1]) {
    for (let distance = 1; distance <= MOST_LINES; distance++) {
      const next = number + step * distance;
      if (next < 0 || next >= doc.text.lineCount) break;
      const length = doc.text.lineStart(next + 1) - doc.text.lineStart(next);
      if (length <= LONGEST_LINE) yield readLineAt(doc, next);
    }
  }
}

function collectNames(lines: Iterable<PlacedLine>, nameOf: (line: PlacedLine) => string): readonly string[] {
  const names = new Set<string>();
  for (const line of lines) {
    const name = nameOf(line);
    if (name.trim() !== '' && name.length <= LONGEST_NAME) names.add(name);
    if (names.size === MOST_NAMES) break;
  }
  return [...names];
}

/** Tools that lines near one call or ask about, the nearest first. */
export function toolsInUse(doc: AicfDocument, number: number): readonly string[] {
  return collectNames(linesAround(doc, number), ({ text, tree }) =>
    tree.command === 'CALL' || tree.command === 'INFO' ? fieldText(text, tree, 0) : '',
  );
}

/** What directives of a name near a line say, such as the agents of `# @agent coder`. */
export function directivesInUse(doc: AicfDocument, number: number, name: string): readonly string[] {
  return collectNames(linesAround(doc, number), ({ text, tree }) => {
    const found = tree.kind === 'comment' ? readDirective(text.slice(0, LONGEST_NAME)) : undefined;
    return found?.name === name ? found.value : '';
  });
}

/** The message line before a line: the nearest one above that is not blank and no comment. */
export function messageBefore(doc: AicfDocument, number: number): PlacedLine | undefined {
  for (const line of linesAround(doc, number)) {
    if (line.number > number) return undefined;
    if (line.tree.kind === 'command') return line;
    if (line.tree.kind === 'foreign') return undefined;
  }
  return undefined;
}
