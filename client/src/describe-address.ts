import type { AgentInfo } from './agent-service.ts';

/** Where an agent is, for people: which port a demo agent listens at says nothing. */
export function describeAddress({ address }: Pick<AgentInfo, 'address'>): string {
  return /^\$\{demo:[^}]*\}$/.test(address) ? 'demo agent' : address;
}
