import { isLoopbackName, portOf } from '../address.ts';

/**
 * Why a recording at `port` in front of `agent` would lead to itself, at once or through the others that run: each request would
 * go round without end. Undefined where it does not. `running` are the agents of the others by their ports, none of which leads
 * to itself.
 */
export function findLoop(running: ReadonlyMap<number, URL>, port: number, agent: URL): string | undefined {
  for (let at: URL | undefined = agent; at; at = running.get(portOf(at))) {
    if (!isLoopbackName(at.hostname)) return undefined;
    if (portOf(at) === port)
      return `${agent.origin} leads to this recording itself, so nothing would ever be answered; name the address of the agent, or take another port`;
  }
  return undefined;
}
