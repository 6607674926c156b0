import type { ProtocolName } from '../../../../core/catalog/protocols.ts';
import { isRecord } from '../../../../core/guard.ts';
import { openJsonRequest } from '../../sending/json-file.ts';
import { findAgentTarget, findToolTarget } from '../../targets/agent-target.ts';
import type { Command } from '../feature.ts';
import { findItem, sampleItemRequest } from './item-request.ts';
import { writeSampleCall } from './sample-call.ts';

/**
 * Opens a new file with a request for a tool, a resource or a prompt of an agent, in the JSON of its protocol, with a
 * placeholder for each argument that is required. Returns its text.
 */
export const writeJsonRequest: Command = async (services, [row]) => {
  if (isRecord(row) && isRecord(row['item'])) {
    const target = await findAgentTarget(services, row, '');
    const item = target && findItem(target, row);
    const request = item && sampleItemRequest(target.agent.protocol, item);
    return request && open(target.agent, JSON.stringify(request, undefined, 2));
  }
  const target = await findToolTarget(services, row);
  return target && open(target.agent, writeSampleCall(target.tool, target.agent.protocol));
};

async function open(
  agent: { readonly name: string; readonly protocol: ProtocolName },
  json: string,
): Promise<string | undefined> {
  return (await openJsonRequest(agent.name, agent.protocol, json))?.getText();
}
