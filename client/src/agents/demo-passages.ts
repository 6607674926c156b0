import type { OpenPassage } from '../../../agents/demo/chain.ts';
import { startHttpProxy } from '../../../agents/proxy/http-proxy.ts';
import type { ProxyRecorders } from './proxy-recorders.ts';

/** Puts a recording between demo agents that ask one another, so that the trace of a call to one shows who asked whom. */
export function recordPassages(recorders: ProxyRecorders): OpenPassage {
  return async (agent, url) => {
    const facts = { agent, protocol: 'mcp', secrets: [], secretHeaders: [] } as const;
    const started = await startHttpProxy({ url }, 0, await recorders.open(facts, 'apart'));
    if (!started.ok) throw new Error(`The demo agent ${agent} cannot be reached: ${started.message}`);
    return started.proxy;
  };
}
