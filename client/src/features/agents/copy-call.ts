import { env } from 'vscode';
import type { ConversionName } from '../../../../core/catalog/conversions.ts';
import { jsonRpcOf, writeSampleCall } from './sample-call.ts';
import { findToolTarget } from '../../targets/agent-target.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';

/** The formats for copying a call. JSON-RPC and cURL are in the agent's own protocol. */
const FORMS = [
  { label: 'AICF', to: 'aicf' },
  { label: 'AICL', to: 'aicl' },
  { label: 'JSON-RPC', to: 'json-rpc', isRpc: true },
  { label: 'cURL', to: 'curl' },
] as const satisfies readonly {
  readonly label: string;
  readonly to: ConversionName | 'curl';
  /** True for the JSON-RPC form that the agent speaks. */
  readonly isRpc?: true;
}[];

/**
 * Copies a call of a tool, with placeholder values for its arguments. A second argument chooses the format:
 * `aicf`, `aicl`, `json-rpc` or `curl`. Returns the text.
 */
export const copyCall: Command = async (services, [row, form]) => {
  const target = await findToolTarget(services, row);
  if (!target) return undefined;
  const { agents, agent, tool } = target;
  const curl = await agents.writeCurl(agent.name, writeSampleCall(tool, agent.protocol));
  const forms = FORMS.filter(({ to }) => to !== 'curl' || curl !== undefined);
  const chosen =
    forms.find(({ to }) => to === form) ??
    (await pickItem(forms, { title: `Copy a call of ${tool.name} as` }));
  if (!chosen) return undefined;
  const to = 'isRpc' in chosen ? jsonRpcOf(agent.protocol) : chosen.to;
  const text = to === 'curl' ? (curl ?? '') : writeSampleCall(tool, to);
  await env.clipboard.writeText(text);
  return text;
};
