import { isLoopbackName, portOf } from '../../address.ts';

/**
 * Why a recording at `port` in front of `agent` would lead to itself, directly or through other recordings,
 * so that each request would circulate forever. Undefined if it does not. `running` has the agents of the
 * other recordings by their ports; none of these leads to itself.
 */
export function findLoop(running: ReadonlyMap<number, URL>, port: number, agent: URL): string | undefined {
  for (let at: URL | undefined = agent; at; at = running.get(portOf(at))) {
    if (!isLoopbackName(at.hostname)) return undefined;
    if (portOf(at) === port)
      return `${agent.origin} leads to this recording itself, so no request would ever be answered; give the address of the agent, or use another port`;
  }
  return undefined;
}
