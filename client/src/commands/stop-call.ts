import { readCall, readUri } from './arguments.ts';
import type { Command } from './command.ts';

/** Stops a call: the one of a row, or the one whose reply grows in the tab that the button stands on. */
export const stopCall: Command = (services, [target]) => {
  const call = readCall(target) ?? findByReply(services, target);
  return call !== undefined && services.running.stop(call);
};

function findByReply(services: Parameters<Command>[0], target: unknown): string | undefined {
  const uri = readUri(target);
  return uri && services.growing.findCall(uri);
}
