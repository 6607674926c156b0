import type { Message } from '../../core/message/message.ts';
import { findEntry, textIn } from '../../core/values/value.ts';
import { hasNames } from '../tools/arguments.ts';
import { fitsType } from '../tools/fits-type.ts';
import { readDeclaration } from '../tools/tool-schema.ts';
import type { CallerRequest, OfferedTool, ServedAgent } from './serving.ts';

/** What is wrong with the arguments of a call, as a sentence; undefined if they fit what the tool declares. */
export function findArgumentFault({ kind, fields }: Message, tool: OfferedTool): string | undefined {
  const declared = readDeclaration(tool.value);
  if (kind !== 'call' || !declared || !hasNames(declared) || declared.arguments.length === 0)
    return undefined;
  const given = fields.arguments;
  const most = declared.arguments.length;
  // Arguments in order get the names that the tool declares.
  const items = given?.kind === 'list' ? given.items : undefined;
  if (items && items.length > most) return `${tool.name} takes ${most} arguments, not ${items.length}`;
  for (const [index, argument] of declared.arguments.entries()) {
    const value = items ? items[index] : findEntry(given, argument.name);
    if (!value && !argument.isOptional) return `Missing required argument: ${argument.name}`;
    if (value && !fitsType(value, argument.type))
      return `Argument ${argument.name} should be of type ${argument.type}`;
  }
  return undefined;
}

/** The same for a tool of an agent, which is asked again for its tools before a call is refused. */
export async function findCurrentFault(
  asked: Message,
  agent: ServedAgent,
  request: CallerRequest,
): Promise<string | undefined> {
  const find = async (age: 'known' | 'current'): Promise<string | undefined> => {
    const { tools } = await agent.offer(request, age);
    const tool = tools.find(({ name }) => name === textIn(asked.fields.tool));
    return tool && findArgumentFault(asked, tool);
  };
  return (await find('known')) && find('current');
}
