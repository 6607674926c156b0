import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import {
  BOOLEAN,
  INTEGER,
  NUMBER,
  parameter,
  TEXT,
  TOOLS,
  type Parameter,
} from '../conversation/parameters.ts';
import { dictOf } from '../message/dicts.ts';

/** The parameters of a request of Responses that the Agent API has, too. OpenAI refuses the others of the Agent API. */
export const RESPONSES_PARAMETERS: readonly Parameter[] = [
  parameter('model', TEXT),
  parameter('stream', BOOLEAN),
  parameter('top_p', NUMBER),
  parameter('temperature', NUMBER),
  parameter('max_output_tokens', INTEGER, 'max_tokens'),
  {
    ...parameter('tools', TOOLS),
    form: { toConstraint: nestTools, fromConstraint: flattenTools },
  },
  parameter('previous_response_id', TEXT, 'response_id'),
];

/** The members that describe a function, which the Agent API has in a member `function`. */
const DESCRIPTION: readonly string[] = ['name', 'description', 'parameters'];

/** Tools with their functions as the Agent API has them; undefined if a function has members that only OpenAI has. */
function nestTools(tools: Value): Value | undefined {
  if (tools.kind !== 'list') return undefined;
  const nested = tools.items.map(nestTool);
  return nested.includes(undefined) ? undefined : listValue(nested.filter(tool => tool !== undefined));
}

function nestTool(tool: Value): Value | undefined {
  if (!isFunction(tool)) return findEntry(tool, 'function') ? undefined : tool;
  const members = tool.entries.filter(({ key }) => key !== 'type');
  const isKnown = members.every(({ key }) => DESCRIPTION.includes(key));
  return isKnown ? dictOf({ type: textValue('function'), function: dictValue(members) }) : undefined;
}

function flattenTools(tools: Value): Value {
  if (tools.kind !== 'list') return tools;
  return listValue(
    tools.items.map(tool => {
      const described = findEntry(tool, 'function');
      return described?.kind === 'dict'
        ? dictValue([{ key: 'type', value: textValue('function') }, ...described.entries])
        : tool;
    }),
  );
}

function isFunction(tool: Value): tool is DictValue {
  return (
    tool.kind === 'dict' && textIn(findEntry(tool, 'type')) === 'function' && !findEntry(tool, 'function')
  );
}
