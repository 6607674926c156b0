/** The exit codes of the command line, which are part of its contract. */
export const EXIT = {
  fine: 0,
  /** Errors in a check, a difference, a failed send. */
  findings: 1,
  /** Wrong usage, or a file that cannot be opened. */
  usage: 2,
  /** An internal error of this program. */
  internal: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Wrong usage, or something that cannot be opened. The message is one sentence for the user. */
export class UsageError extends Error {}
