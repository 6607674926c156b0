/** How the command line ends: the codes of its contract. */
export const EXIT = {
  fine: 0,
  /** Errors in a check, a difference, a failed send. */
  findings: 1,
  /** Wrong usage, or a file that cannot be opened. */
  usage: 2,
  /** A fault of ours. */
  internal: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Wrong usage or something that cannot be opened, in one sentence for the person who typed the command. */
export class UsageError extends Error {}
