import { readFields } from '../../../protocol/src/text/fields.ts';
import { parseJson } from '../../../protocol/src/text/json.ts';
import { checkUrl } from '../config/agents-file.ts';
import { AICF_PATH } from '../http/foreign.ts';
import { startAicfServer } from './aicf-server.ts';
import { startAiclAgent } from './aicl-agent.ts';

/** The environment variable that names demo agents which already run: JSON, `{"toolbox":"http://…"}`. */
export const DEMO_VARIABLE = 'PARLEY_DEMO';

/** The running demo agents. */
export interface DemoAgents {
  /** The address of each, by its name: `toolbox` speaks AICF-RPC, `analyst` AICL. */
  readonly addresses: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Starts the demo agents on free ports of the loopback interface. They run until they are closed. */
export async function startDemoAgents(): Promise<DemoAgents> {
  const toolbox = await startAicfServer();
  try {
    const analyst = await startAiclAgent();
    return {
      addresses: new Map([
        ['toolbox', `${toolbox.origin}${AICF_PATH}`],
        ['analyst', `${analyst.origin}/`],
      ]),
      close: async () => {
        await Promise.all([toolbox.close(), analyst.close()]);
      },
    };
  } catch (error) {
    await toolbox.close();
    throw error;
  }
}

/**
 * The addresses of demo agents that already run, from the environment. Undefined where it names none; what is no
 * address in it is passed over.
 */
export function demoAddressesFrom(
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> | undefined {
  const fields = readFields(parseJson(env[DEMO_VARIABLE] ?? ''));
  if (!fields) return undefined;
  const addresses = new Map<string, string>();
  for (const [name, url] of fields) {
    if (typeof url === 'string' && checkUrl(url) === undefined) addresses.set(name, url);
  }
  return addresses.size > 0 ? addresses : undefined;
}
