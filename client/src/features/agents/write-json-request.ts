import type { ProtocolName } from '../../../../core/catalog/protocols.ts';
import { isRecord, isString } from '../../../../core/guard.ts';
import { openJsonRequest } from '../../sending/json-file.ts';
import { findAgentTarget, findToolTarget } from '../../targets/agent-target.ts';
import type { Command } from '../feature.ts';
import { writeSampleCall } from './sample-call.ts';
import { writeItemRequest, type AgentItem } from './write-json-request-text.ts';

/**
 * Opens a new file with a request for a tool, a resource or a prompt of an agent, in the JSON of its protocol, with a
 * placeholder for each argument that is required. Returns its text.
 */
export const writeJsonRequest: Command = async (services, [row]) => {
  const item = readItem(row);
  if (item) {
    const target = await findAgentTarget(services, row, '');
    return target && open(target.agent, writeItemRequest(target.agent.protocol, item));
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

/** The resource or prompt of a row; undefined for any other argument. */
function readItem(row: unknown): AgentItem | undefined {
  if (!isRecord(row) || !isRecord(row['item'])) return undefined;
  const { kind } = row;
  const { name, detail } = row['item'];
  if ((kind !== 'resource' && kind !== 'prompt') || !isString(name) || !isString(detail)) return undefined;
  return { kind, name, detail };
}
