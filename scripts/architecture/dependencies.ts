import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of docs/dependencies.md. */
export interface Dependency {
  readonly library: string;
  /** Folders or files, relative to the project, that may import it; empty for tools that are only executed. */
  readonly where: readonly string[];
  readonly why: string;
  readonly passedOver: string;
}

/** The file that contains the table. */
export const DEPENDENCIES_FILE = 'docs/dependencies.md';

/** Reads the table, which lint and the graph test use. */
export function readDependencies(root: string): readonly Dependency[] {
  return parseDependencies(readFileSync(join(root, DEPENDENCIES_FILE), 'utf8'));
}

/** The rows of all tables in the text whose first cell contains a name in backquotes. */
export function parseDependencies(markdown: string): readonly Dependency[] {
  return markdown
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
    .flatMap(([, library = '', where = '', why = '', passedOver = '']) => {
      const name = namesIn(library)[0];
      return name === undefined ? [] : [{ library: name, where: namesIn(where), why, passedOver }];
    });
}

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
