import { AICF_COMMANDS } from '../../../core/catalog/aicf.ts';
import type { ToolTable } from '../../tools.ts';
import { findSimilar } from '../../../core/text/similar.ts';

/** Finds the known name that is most similar to a misspelt one. */
export interface NameFinder {
  readonly command: (word: string) => string | undefined;
  readonly tool: (name: string, among: ToolTable) => string | undefined;
}

const COMMAND_NAMES = AICF_COMMANDS.map(row => row.name);
/**
 * Maximum number of an agent's tools with which a name is compared, because each misspelt name is compared
 * with all of them.
 */
const MAX_TOOLS = 500;

/** Creates a finder for the issues of a file. */
export function nameFinder(): NameFinder {
  const names = new Map<ToolTable, readonly string[]>();
  const namesOf = (table: ToolTable): readonly string[] => {
    const known = names.get(table) ?? [...table.tools.keys()].slice(0, MAX_TOOLS);
    names.set(table, known);
    return known;
  };
  return {
    command: word => findSimilar(word, COMMAND_NAMES),
    tool: (name, among) => findSimilar(name, namesOf(among)),
  };
}

/** Finds nothing; used if a file has too many issues to compare names. */
export const NO_NAMES: NameFinder = { command: () => undefined, tool: () => undefined };
