import type { OpenPassage } from '../../../agents/demo/chain.ts';
import { startHttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import type { ProxyRecorders } from './proxy-recorders.ts';

/** Places recording proxies between demo agents that call each other, so that a trace shows these calls. */
export function recordPassages(recorders: ProxyRecorders): OpenPassage {
  return async (agent, url) => {
    const facts = { agent, protocol: 'mcp', secrets: [], secretHeaders: [] } as const;
    const started = await startHttpProxy({ url }, 0, await recorders.open(facts, 'apart'));
    if (!started.ok) throw new Error(`The demo agent ${agent} cannot be reached: ${started.message}`);
    return started.proxy;
  };
}
