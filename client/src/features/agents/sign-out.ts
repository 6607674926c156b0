import { hasSignIn } from '../../../../core/catalog/protocols.ts';
import { showInformation } from '../../window/messages.ts';
import { findAgentTarget } from '../../targets/agent-target.ts';
import type { Command } from '../feature.ts';

/** Deletes the sign-in to an agent, from a row or picked. Returns a sentence about the result. */
export const signOut: Command = async (services, [row]) => {
  const isSignedInTo = ({ protocol }: { readonly protocol: string }): boolean => hasSignIn(protocol);
  const target = await findAgentTarget(services, row, 'Sign out of which agent?', isSignedInTo);
  if (!target) return undefined;
  const summary = await target.agents.signOut(target.agent.name);
  showInformation(summary);
  return summary;
};
