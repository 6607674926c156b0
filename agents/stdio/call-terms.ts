import { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import type { Outgoing } from '../connection.ts';
import { showCommandLine } from './command-line.ts';
import type { StdioLimits } from './limits.ts';

/** The settings of a call. */
export interface CallTerms {
  /** What the process should write, for example `AICL message`. */
  readonly speech: string;
  /** The command line of the process, without secrets. */
  readonly line: string;
  /** Replaces secrets in what a sentence quotes, before it is shortened: a shortened one would not be recognised. */
  readonly redactor: Redactor;
  /** Milliseconds for the reply to begin, and between its messages; and for the whole reply. */
  readonly idle: number;
  readonly total: number | undefined;
  /** What messages state for `total`, which may be only the time that a handshake has left. */
  readonly allowed: number | undefined;
  /** The maximum number of bytes of output and of error output that are stored. */
  readonly maxBytes: number;
  /** The maximum number of bytes that are stored after the end of the call. */
  readonly maxLateBytes: number;
}

/** The settings of a request to an agent. `speech` is what its process should write, for example `AICL message`. */
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
  // A time-out for the whole call is also the limit for silence.
  const allowed = request.allowed ?? total;
  return { speech, line, redactor, idle: allowed ?? limits.idle, total, allowed, maxBytes, maxLateBytes };
}
