import { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from './agent-process.ts';
import { QUIET_MS } from './quiet.ts';

/** Limits of a connection that only tests change. */
export interface StdioLimits extends ProcessLimits {
  /** Milliseconds for a reply to begin, and between its pieces. */
  readonly idle: number;
  /** Milliseconds without output after a line end that complete a reply which its grammar does not accept. */
  readonly quiet: number;
  /** The maximum number of bytes that a process may write for one call, and without an end. */
  readonly maxBytes: number;
  /** The maximum number of bytes that are stored for a call that has ended. */
  readonly maxLateBytes: number;
}

export const DEFAULT_STDIO_LIMITS: StdioLimits = {
  ...DEFAULT_PROCESS_LIMITS,
  idle: 60_000,
  quiet: QUIET_MS,
  maxBytes: 256 * 2 ** 20,
  maxLateBytes: 2 ** 20,
};
