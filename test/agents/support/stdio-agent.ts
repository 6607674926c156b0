import { AiclStdioConnection } from '../../../agents/aicl/stdio-connection.ts';
import type { ResolvedStdioAgent } from '../../../agents/config/resolve-agent.ts';
import { DEFAULT_STDIO_LIMITS, type StdioLimits } from '../../../agents/stdio/limits.ts';

/** An agent that is a program of its own, with nothing else set. */
export function stdioAgent(
  command: string,
  args: readonly string[],
  more: Partial<ResolvedStdioAgent> = {},
): ResolvedStdioAgent {
  return {
    type: 'stdio',
    name: 'tester',
    protocol: 'aicl',
    command,
    args,
    env: new Map(),
    cwd: import.meta.dirname,
    secrets: [],
    secretHeaders: [],
    ...more,
  };
}

/**
 * What every script may use: `on(act)` calls `act` with each line of the input and its number from 0, `result(session,
 * data)` is a message written by hand, `say` writes to the output. The scripts know nothing of Parley.
 */
const PRELUDE = `
const say = text => void process.stdout.write(text);
const warn = text => void process.stderr.write(text);
const result = (session, data, more = '') => '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:' + session + '],[s:msg_type]:[s:result],[s:data]:[s:' + data + ']' + more + ']';
const on = act => {
  let count = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => act(line, count++));
};
`;

/** An agent that runs a few lines of JavaScript. */
export function scriptAgent(script: string, more: Partial<ResolvedStdioAgent> = {}): ResolvedStdioAgent {
  return stdioAgent(process.execPath, ['-e', `${PRELUDE}${script}`], more);
}

/** Short enough for tests; none of them decides what comes of a test, but how long it takes. */
const TEST_LIMITS: StdioLimits = { ...DEFAULT_STDIO_LIMITS, untilTerm: 300, untilKill: 300 };

const open = new Set<AiclStdioConnection>();

/** A connection with limits of which some are set. `closeAll` ends it. */
export function connectStdio(
  agent: ResolvedStdioAgent,
  limits: Partial<StdioLimits> = {},
): AiclStdioConnection {
  const connection = new AiclStdioConnection(agent, { ...TEST_LIMITS, ...limits });
  open.add(connection);
  return connection;
}

/** Ends all processes of a test. */
export async function closeAll(): Promise<void> {
  await Promise.all([...open].map(connection => connection.close()));
  open.clear();
}

/** True while a process with this id is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
