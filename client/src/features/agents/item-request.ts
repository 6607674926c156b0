import { protocolRow, type ProtocolName, type ProtocolRow } from '../../../../core/catalog/protocols.ts';
import { isRecord } from '../../../../core/guard.ts';
import { expandTemplate } from '../../../../core/text/uri-template.ts';
import type { ListedItem } from '../../../../language/tools.ts';
import type { AgentTarget } from '../../targets/agent-target.ts';

/** The resource, template or prompt of a row of the Agents view; undefined for any other row. */
export function findItem({ agents, agent }: AgentTarget, row: unknown): ListedItem | undefined {
  const wanted = isRecord(row) ? row['item'] : undefined;
  if (!isRecord(wanted)) return undefined;
  const { resources, prompts } = agents.capabilities(agent.name);
  return [...resources, ...prompts].find(
    ({ kind, name, detail }) =>
      kind === wanted['kind'] && name === wanted['name'] && detail === wanted['detail'],
  );
}

/**
 * The request that reads a resource or gets a prompt, by the facts of the agent's protocol. `values` has the variables
 * of a template or the arguments of a prompt. Undefined for a protocol that has no such request.
 */
export function itemRequest(
  protocol: ProtocolName,
  { kind, name, detail }: ListedItem,
  values: ReadonlyMap<string, string>,
): { readonly method: string; readonly params: Readonly<Record<string, unknown>> } | undefined {
  const { requests }: ProtocolRow = protocolRow(protocol);
  const facts = kind === 'prompt' ? requests?.prompt : requests?.resource;
  if (!facts) return undefined;
  const uri = kind === 'template' ? expandTemplate(detail, values) : detail;
  const params = new Map<string, unknown>();
  params.set(facts.name.at(-1) ?? '', kind === 'prompt' ? name : uri);
  if (kind === 'prompt' && values.size > 0)
    params.set(requests?.prompt?.arguments.at(-1) ?? '', Object.fromEntries(values));
  return { method: facts.method, params: Object.fromEntries(params) };
}

/** The same request with a placeholder for each argument that is required, and the template of a URI as it is. */
export function sampleItemRequest(protocol: ProtocolName, item: ListedItem): ReturnType<typeof itemRequest> {
  const required = item.parameters.filter(({ isRequired }) => isRequired);
  const values = new Map(required.map(({ name }) => [name, name]));
  return itemRequest(protocol, item.kind === 'template' ? { ...item, kind: 'resource' } : item, values);
}
