import { AICF_COMMANDS } from '../../catalog/aicf.ts';
import { findSimilar } from '../../text/similar.ts';

/** Finds what a misspelt name may have been meant as. */
export interface NameFinder {
  readonly command: (word: string) => string | undefined;
  readonly tool: (name: string) => string | undefined;
}

const COMMAND_NAMES = AICF_COMMANDS.map(row => row.name);
/** A name is compared with so many tools of a file: every misspelt one is compared with all of them. */
const MOST_TOOLS = 500;

/** A finder for a file that names these tools. */
export function nameFinder(tools: ReadonlyMap<string, unknown>): NameFinder {
  let names: readonly string[] | undefined;
  return {
    command: word => findSimilar(word, COMMAND_NAMES),
    tool: name => findSimilar(name, (names ??= [...tools.keys()].slice(0, MOST_TOOLS))),
  };
}

/** Finds nothing: for the issues of a file full of them that nobody reads one by one. */
export const NO_NAMES: NameFinder = { command: () => undefined, tool: () => undefined };
