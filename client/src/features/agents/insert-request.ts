import { isRecord } from '../../../../core/guard.ts';
import { escapeSnippet } from '../../../../core/text/markup.ts';
import { expandTemplate } from '../../../../core/text/uri-template.ts';
import type { DescribedItem } from '../../services/agent-service.ts';
import { findAgentTarget } from '../../targets/agent-target.ts';
import type { Command } from '../feature.ts';
import { askValue } from './complete-value.ts';
import { insertText } from './insert-call.ts';
import { writeToolCall } from './tool-request.ts';

/**
 * Inserts the request for a resource or prompt at the cursor, like a call of a tool. The user is asked for the variables
 * of a template and the arguments of a prompt, whose values the agent proposes. The argument is a row of the Agents
 * view.
 */
export const insertRequest: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, '');
  const wanted = isRecord(row) ? row['item'] : undefined;
  if (!target || !isRecord(wanted)) return;
  const { agents, agent } = target;
  const { resources, prompts } = agents.capabilities(agent.name);
  const item = [...resources, ...prompts].find(
    ({ kind, name, detail }) =>
      kind === wanted['kind'] && name === wanted['name'] && detail === wanted['detail'],
  );
  if (!item) return;
  const values = new Map<string, string>();
  for (const parameter of item.parameters) {
    const value = await askValue(agents, { agent: agent.name, item, parameter, known: values });
    if (value === undefined) return;
    if (value !== '') values.set(parameter.name, value);
  }
  const { method, params } = toRequest(item, values);
  const none = { isComplete: false, tools: new Map() };
  await insertText(services, target, language =>
    escapeSnippet(writeToolCall(method, JSON.stringify(params), language, none)),
  );
};

function toRequest(
  { kind, name, detail }: DescribedItem,
  values: ReadonlyMap<string, string>,
): { readonly method: string; readonly params: unknown } {
  if (kind === 'prompt')
    return { method: 'prompts/get', params: { name, arguments: Object.fromEntries(values) } };
  return { method: 'resources/read', params: { uri: expandTemplate(detail, values) } };
}
