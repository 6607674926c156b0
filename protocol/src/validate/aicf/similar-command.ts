import { AICF_COMMANDS } from '../../catalog/aicf.ts';
import { findSimilar } from '../../text/similar.ts';

const COMMAND_NAMES = AICF_COMMANDS.map(row => row.name);

/** So many words of a file are compared with the commands: more than are listed of a file full of faults. */
const MOST_COMPARED = 2_000;

/** Finds the command that a word may have been meant as. */
export type FindCommandLike = (word: string) => string | undefined;

/** A finder for one file, which gives up after so many words that a file full of faults stays cheap. */
export function commandFinder(): FindCommandLike {
  let compared = 0;
  return word => (compared++ < MOST_COMPARED ? findSimilar(word, COMMAND_NAMES) : undefined);
}
