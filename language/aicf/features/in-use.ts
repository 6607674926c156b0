import { readDirective } from '../../directives.ts';
import { collectNames, LONGEST_NAME } from '../../names-in-use.ts';
import { fieldText } from '../ast.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from '../parse.ts';

/** Maximum number of lines searched in each direction. Names used further away are not proposed. */
const MAX_LINES = 500;
/** Longer lines are skipped as data. */
const LONGEST_LINE = 10_000;

/** The lines around a line: first those above, then those below, each starting with the nearest. */
export function* linesAround(doc: AicfDocument, number: number): Generator<PlacedLine> {
  for (const step of [-1, 1]) {
    for (let distance = 1; distance <= MAX_LINES; distance++) {
      const next = number + step * distance;
      if (next < 0 || next >= doc.text.lineCount) break;
      const length = doc.text.lineStart(next + 1) - doc.text.lineStart(next);
      if (length <= LONGEST_LINE) yield readLineAt(doc, next);
    }
  }
}

/** Tools that nearby lines use in `CALL` and `INFO`, nearest first. */
export function toolsInUse(doc: AicfDocument, number: number): readonly string[] {
  return collectNames(linesAround(doc, number), ({ text, tree }) =>
    tree.command === 'CALL' || tree.command === 'INFO' ? fieldText(text, tree, 0) : '',
  );
}

/** The values of one kind of directive near a line, such as the agents in `# @agent coder`. */
export function directivesInUse(doc: AicfDocument, number: number, name: string): readonly string[] {
  return collectNames(linesAround(doc, number), ({ text, tree }) => {
    const found = tree.kind === 'comment' ? readDirective(text.slice(0, LONGEST_NAME)) : undefined;
    return found?.name === name ? found.value : '';
  });
}

/**
 * The nearest command line above a line, skipping blank lines and comments; undefined if a foreign line comes
 * first.
 */
export function messageBefore(doc: AicfDocument, number: number): PlacedLine | undefined {
  for (const line of linesAround(doc, number)) {
    if (line.number > number) return undefined;
    if (line.tree.kind === 'command') return line;
    if (line.tree.kind === 'foreign') return undefined;
  }
  return undefined;
}
