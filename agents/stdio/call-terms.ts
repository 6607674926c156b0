import { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import type { Outgoing } from '../connection.ts';
import { showCommandLine } from './command-line.ts';
import type { StdioLimits } from './limits.ts';

/** What a call is besides its listener. */
export interface CallTerms {
  /** What the process should write, as in `AICL message`. */
  readonly speech: string;
  /** The command line of the process, without secrets. */
  readonly line: string;
  /** Takes the secrets out of what a sentence quotes: one that was shortened would not be known again. */
  readonly redactor: Redactor;
  /** Milliseconds for the reply to begin, and between its messages; and for all of it. */
  readonly idle: number;
  readonly total: number | undefined;
  /** Bytes of output and of error output that are kept. */
  readonly maxBytes: number;
  /** Bytes that are kept of what comes after the end of the call. */
  readonly maxLateBytes: number;
}

/** The terms of a request to an agent. `speech` is what its process should write, as in `AICL message`. */
export function callTerms(
  speech: string,
  agent: ResolvedStdioAgent,
  request: Outgoing,
  limits: StdioLimits,
): CallTerms {
  const total = request.timeout ?? agent.timeout;
  const { maxBytes, maxLateBytes } = limits;
  const redactor = request.redactor ?? new Redactor(agent.secrets);
  const line = redactor.redactText(showCommandLine(agent.command, agent.args));
  // Whoever says how long a call may take also says how long it may be silent.
  return { speech, line, redactor, idle: total ?? limits.idle, total, maxBytes, maxLateBytes };
}
