import { quote } from '../../core/text/quote.ts';

/** Why a call to a process has no complete reply. */
export interface StdioFailure {
  readonly kind: 'unreachable' | 'gone' | 'timeout' | 'too-long' | 'cancelled';
  /**
   * The system's code (`ENOENT`), the end of the process (`EXIT 1`, `SIGTERM`) or our code (`TIMEOUT`,
   * `CANCELLED`).
   */
  readonly code: string;
  /** One sentence: what was tried, what was received, and what to do. */
  readonly message: string;
}

/** How a process ended: with an exit code or by a signal. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last of its error output; undefined if it wrote none. */
  readonly lastWords: string | undefined;
}

/** How far a call got. */
export interface CallProgress {
  /** The command line of the process. */
  readonly line: string;
  /** The number of complete messages of the reply. */
  readonly messages: number;
  /** True if another message of it had begun. */
  readonly isCut: boolean;
  /** What the process wrote instead of messages, if it did. */
  readonly foreign: string;
  /** What it should have written; `AICL message` by default. */
  readonly speech?: string;
}

/** The maximum number of characters of a command line and of an agent's line in a sentence. */
const LONGEST = 200;

/** The failure of a process that could not be started, by the system's code. */
export function describeStartError(
  error: NodeJS.ErrnoException,
  launch: { readonly line: string; readonly name: string },
): StdioFailure {
  const code = error.code ?? error.name;
  const command = quote(launch.name, LONGEST);
  const causes: Readonly<Record<string, string>> = {
    ENOENT: `there is no command ${command}; install it or correct the agent's 'command'`,
    EACCES: `${command} is not executable; make it so, or name the program that runs it as 'command'`,
    EPERM: `the system does not allow it (EPERM); check the rights of ${command}`,
    E2BIG: 'its arguments or its environment are too long; shorten them',
    ENOEXEC: `${command} is not executable on this system; name the program that runs it as 'command'`,
  };
  const cause = causes[code] ?? `that failed: ${error.message || code}`;
  return { kind: 'unreachable', code, message: `Tried to start ${quoteLine(launch.line)}, but ${cause}` };
}

/** The failure of a process whose folder is missing: the system would report a missing command. */
export function describeMissingFolder(line: string, folder: string): StdioFailure {
  return {
    kind: 'unreachable',
    code: 'ENOENT',
    message: `Tried to start ${quoteLine(line)}, but there is no folder ${quote(folder, LONGEST)}; correct the agent's 'cwd'`,
  };
}

/** The failure of a call whose process ended before it. */
export function describeEnd(end: ProcessEnd, progress: CallProgress): StdioFailure {
  const { exitCode, signal, lastWords } = end;
  const how = signal === null ? `with exit code ${exitCode ?? 0}` : `by the signal ${signal}`;
  const words =
    lastWords === undefined
      ? 'it wrote nothing to its error output'
      : `its error output says ${quote(lastWords, LONGEST)}`;
  const came = describeCame(progress);
  const ended =
    came === undefined
      ? `${tried(progress)}, but the process ended ${how} before it answered`
      : `${tried(progress)}: ${came}, then the process ended ${how}`;
  return {
    kind: 'gone',
    code: signal ?? `EXIT ${exitCode ?? 0}`,
    message: `${ended}; ${words}${describeForeign(progress)}`,
  };
}

/** The failure of a call whose process reads no more requests. */
export function describeClosedInput(progress: CallProgress): StdioFailure {
  return {
    kind: 'gone',
    code: 'EPIPE',
    message: `${tried(progress)}, but the process has closed its input and accepts no requests; send again to restart it, and look at its error output${describeForeign(progress)}`,
  };
}

/** The failure of a call that took too long; `limit` is in milliseconds. */
export function describeTimeout(kind: 'idle' | 'total', limit: number, progress: CallProgress): StdioFailure {
  const within = limit < 1000 ? `${limit} ms` : `${Number((limit / 1000).toFixed(1))} s`;
  const came = describeCame(progress);
  const raise = "wait for the agent or raise its 'timeout'";
  const message =
    came === undefined
      ? `${tried(progress)}, but no reply came within ${within}; ${raise}`
      : kind === 'idle'
        ? `${tried(progress)}: ${came}, then nothing more for ${within}; the received part is stored, ${raise}`
        : `${tried(progress)}: ${came}, but the reply did not end within ${within}; the received part is stored, ${raise}`;
  return { kind: 'timeout', code: 'TIMEOUT', message: `${message}${describeForeign(progress)}` };
}

/** The failure of a call whose process writes too much; `limit` is in bytes. */
export function describeTooLong(limit: number, progress: CallProgress): StdioFailure {
  return {
    kind: 'too-long',
    code: 'TOO_LONG',
    message: `${tried(progress)}: it wrote more than ${showSize(limit)} and was terminated there; request less${describeForeign(progress)}`,
  };
}

/** The failure of a call whose process writes no messages; `limit` is in words. */
export function describeNonsense(limit: string, progress: CallProgress): StdioFailure {
  const { speech = 'AICL message', foreign } = progress;
  return {
    kind: 'too-long',
    code: 'TOO_LONG',
    message: `${tried(progress)}: it wrote more than ${limit} in a row that are not a valid ${speech}, and was terminated there; what is no message belongs to its error output${foreign === '' ? '' : `, as ${quote(foreign, LONGEST)}`}`,
  };
}

/** The failure of a call that the user cancelled. */
export function describeCancelled(progress: CallProgress): StdioFailure {
  const came = describeCame(progress);
  return {
    kind: 'cancelled',
    code: 'CANCELLED',
    message: `The call to ${quoteLine(progress.line)} was cancelled ${came === undefined ? 'before an answer began' : `after ${came.replace(/ came$/, '')}`}`,
  };
}

function showSize(bytes: number): string {
  return bytes >= 1 << 20 && bytes % (1 << 20) === 0 ? `${bytes / (1 << 20)} MiB` : `${bytes} bytes`;
}

function tried({ line }: CallProgress): string {
  return `Tried ${quoteLine(line)}`;
}

function quoteLine(line: string): string {
  return quote(line, LONGEST);
}

/** The part of the reply that was received, as words; undefined if there is none. */
function describeCame({ messages, isCut }: CallProgress): string | undefined {
  const whole = messages === 1 ? '1 message' : `${messages} messages`;
  if (messages === 0) return isCut ? 'a part of a message came' : undefined;
  return isCut ? `${whole} and a part of another came` : `${whole} came`;
}

function describeForeign({ foreign, speech = 'AICL message' }: CallProgress): string {
  return foreign === ''
    ? ''
    : `. What it wrote to its output is not a valid ${speech}: ${quote(foreign, LONGEST)}`;
}
