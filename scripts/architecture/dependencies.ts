import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of docs/dependencies.md. */
export interface Dependency {
  readonly library: string;
  /** Folders or files, relative to the project, that may import it; empty for tools that are only run. */
  readonly where: readonly string[];
  readonly why: string;
  readonly passedOver: string;
}

/** Where the table stands. */
export const DEPENDENCIES_FILE = 'docs/dependencies.md';

/** The table that lint and the graph test read. */
export function readDependencies(root: string): readonly Dependency[] {
  return parseDependencies(readFileSync(join(root, DEPENDENCIES_FILE), 'utf8'));
}

/** Rows of every table in the text whose first cell is a name in back-quotes. */
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
