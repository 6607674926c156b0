import { showInformation } from '../messages.ts';
import { findAgentTarget } from './agent-target.ts';
import type { Command } from './command.ts';

/** Forgets the sign-in to an agent, that of a row or one that the user picks. Answers the sentence that says what came of it. */
export const signOut: Command = async (services, [row]) => {
  const isSignedInTo = ({ protocol }: { readonly protocol: string }): boolean => protocol === 'mcp';
  const target = await findAgentTarget(services, row, 'Sign out of which agent?', isSignedInTo);
  if (!target) return undefined;
  const said = await target.agents.signOut(target.agent.name);
  showInformation(said, new Map());
  return said;
};
