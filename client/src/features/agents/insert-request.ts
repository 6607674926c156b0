import { escapeSnippet } from '../../../../core/text/markup.ts';
import { findAgentTarget } from '../../targets/agent-target.ts';
import type { Command } from '../feature.ts';
import { askValue } from './complete-value.ts';
import { insertText } from './insert-call.ts';
import { findItem, itemRequest } from './item-request.ts';
import { writeToolCall } from '../../forms/tool-request.ts';

/**
 * Inserts the request for a resource or prompt at the cursor, like a call of a tool. The user is asked for the variables
 * of a template and the arguments of a prompt, whose values the agent proposes. The argument is a row of the Agents
 * view.
 */
export const insertRequest: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, '');
  const item = target && findItem(target, row);
  if (!item) return;
  const { agents, agent } = target;
  const values = new Map<string, string>();
  for (const parameter of item.parameters) {
    const value = await askValue(agents, { agent: agent.name, item, parameter, known: values });
    if (value === undefined) return;
    if (value !== '') values.set(parameter.name, value);
  }
  const request = itemRequest(agent.protocol, item, values);
  if (!request) return;
  const none = { isComplete: false, tools: new Map() };
  await insertText(services, target, language =>
    escapeSnippet(writeToolCall(request.method, JSON.stringify(request.params), language, none)),
  );
};
