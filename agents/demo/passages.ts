import type { OpenRecorder } from '../proxy/exchange.ts';
import { startHttpProxy } from '../proxy/http/http-proxy.ts';
import type { OpenPassage } from './chain.ts';

/** Places recording proxies between demo agents that call each other, so that a trace shows these calls. */
export function recordPassages(openRecorder: OpenRecorder): OpenPassage {
  return async (agent, url) => {
    const facts = { agent, protocol: 'mcp', secrets: [], secretHeaders: [] } as const;
    const started = await startHttpProxy({ url }, 0, await openRecorder(facts));
    if (!started.ok) throw new Error(`The demo agent ${agent} cannot be reached: ${started.message}`);
    return started.proxy;
  };
}
