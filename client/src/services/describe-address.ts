import type { AgentInfo } from './agent-service.ts';

/** The location of an agent for display. The port of a demo agent is of no interest. */
export function describeAddress({ address }: Pick<AgentInfo, 'address'>): string {
  return /^\$\{demo:[^}]*\}$/.test(address) ? 'demo agent' : address;
}
