import {
  protocolRow,
  type MemberPath,
  type ProtocolName,
  type ProtocolRow,
} from '../../../../core/catalog/protocols.ts';
import type { DescribedItem } from '../../services/agent-service.ts';

/** A resource or a prompt of an agent. */
export interface AgentItem extends Pick<DescribedItem, 'name' | 'detail'> {
  readonly kind: 'resource' | 'prompt';
}

/** The request that reads a resource or gets a prompt, by the facts of a protocol that has both. */
export function writeItemRequest(protocol: ProtocolName, { kind, name, detail }: AgentItem): string {
  const { requests }: ProtocolRow = protocolRow(protocol);
  const facts = requests?.[kind];
  if (!facts) return '{}';
  const about = memberOf(facts.name, kind === 'resource' ? detail : name);
  const needed = kind === 'prompt' ? listNeeded(detail) : [];
  const given = Object.fromEntries(needed.map(each => [each, each]));
  const params =
    needed.length > 0 && requests?.prompt
      ? { ...about, ...memberOf(requests.prompt.arguments, given) }
      : about;
  return JSON.stringify({ method: facts.method, params }, undefined, 2);
}

/** A member of the parameters. */
function memberOf(path: MemberPath, value: unknown): Readonly<Record<string, unknown>> {
  return { [path.at(-1) ?? '']: value };
}

/** The required arguments in the description of a prompt, such as `(city, days?)`. */
function listNeeded(detail: string): readonly string[] {
  const names = detail.replace(/^\(|\)$/g, '').split(', ');
  return names.filter(name => name !== '' && !name.endsWith('?'));
}
