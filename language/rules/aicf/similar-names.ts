import { AICF_COMMANDS } from '../../../core/catalog/aicf.ts';
import type { ToolTable } from '../../tools.ts';
import { findSimilar } from '../../../core/text/similar.ts';

/** Finds what a misspelt name may have been meant as. */
export interface NameFinder {
  readonly command: (word: string) => string | undefined;
  readonly tool: (name: string, among: ToolTable) => string | undefined;
}

const COMMAND_NAMES = AICF_COMMANDS.map(row => row.name);
/** A name is compared with so many tools of an agent: every misspelt one is compared with all of them. */
const MOST_TOOLS = 500;

/** A finder for the issues of a file. */
export function nameFinder(): NameFinder {
  const names = new Map<ToolTable, readonly string[]>();
  const namesOf = (table: ToolTable): readonly string[] => {
    const known = names.get(table) ?? [...table.tools.keys()].slice(0, MOST_TOOLS);
    names.set(table, known);
    return known;
  };
  return {
    command: word => findSimilar(word, COMMAND_NAMES),
    tool: (name, among) => findSimilar(name, namesOf(among)),
  };
}

/** Finds nothing: for the issues of a file full of them that nobody reads one by one. */
export const NO_NAMES: NameFinder = { command: () => undefined, tool: () => undefined };
