import { env } from 'vscode';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { jsonRpcOf, writeSampleCall } from '../sample-call.ts';
import { findToolTarget } from './agent-target.ts';
import type { Command } from './command.ts';
import { pickItem } from '../sinks/quick-input.ts';

/** What a call is copied as. JSON-RPC and cURL are what the agent itself takes, where it speaks JSON-RPC. */
const FORMS = [
  { label: 'AICF', to: 'aicf' },
  { label: 'AICL', to: 'aicl' },
  { label: 'JSON-RPC', to: 'json-rpc' },
  { label: 'cURL', to: 'curl' },
] as const satisfies readonly { readonly label: string; readonly to: ConversionName | 'curl' }[];

/**
 * Copies a call of a tool, with a value in the place of each argument that it needs. A second argument says as what:
 * `aicf`, `aicl`, `json-rpc` or `curl`. Answers the text.
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
  const to = chosen.to === 'json-rpc' ? jsonRpcOf(agent.protocol) : chosen.to;
  const text = to === 'curl' ? (curl ?? '') : writeSampleCall(tool, to);
  await env.clipboard.writeText(text);
  return text;
};
