import type { AicfTypeName } from '../../core/catalog/aicf.ts';
import { message, type Message } from '../../core/message/message.ts';
import { textIn, textValue } from '../../core/values/value.ts';
import type { ToolDeclaration } from '../../language/tools.ts';
import { dictOf } from '../message/dicts.ts';
import { METHOD } from '../message/rest.ts';
import type { Conversion } from '../message/shape.ts';
import type { MethodCall } from '../call-rules.ts';
import { named } from '../tools/arguments.ts';

/** The parameters of a method by name. */
interface Parameters {
  readonly required?: Readonly<Record<string, AicfTypeName>>;
  readonly optional?: Readonly<Record<string, AicfTypeName>>;
}

/** Methods are declared here, not in a text. */
const NO_SPAN = { start: 0, end: 0 };

const CURSOR: Parameters = { optional: { cursor: 'string' } };
const URI: Parameters = { required: { uri: 'string' } };
const TASK: Parameters = { required: { taskId: 'string' } };

const PARAMETERS: Readonly<Record<string, Parameters>> = {
  'completion/complete': {
    required: { ref: 'object', argument: 'object' },
    optional: { context: 'object' },
  },
  'logging/setLevel': { required: { level: 'string' } },
  'prompts/get': { required: { name: 'string' }, optional: { arguments: 'object' } },
  'prompts/list': CURSOR,
  'resources/list': CURSOR,
  'resources/read': URI,
  'resources/subscribe': URI,
  'resources/templates/list': CURSOR,
  'resources/unsubscribe': URI,
  'tasks/cancel': TASK,
  'tasks/get': TASK,
  'tasks/list': CURSOR,
  'tasks/result': TASK,
};

/** The methods that a client sends besides those for tools and those of the connection, declared as tools are. */
const METHODS: ReadonlyMap<string, ToolDeclaration> = new Map(
  Object.entries(PARAMETERS).map(([name, parameters]) => [name, declare(name, parameters)]),
);

function declare(name: string, { required = {}, optional = {} }: Parameters): ToolDeclaration {
  const toArguments = (
    parameters: Readonly<Record<string, AicfTypeName>>,
    isOptional: ToolDeclaration['arguments'][number]['isOptional'],
  ): ToolDeclaration['arguments'] =>
    Object.entries(parameters).map(([parameter, type]) => ({
      name: parameter,
      type,
      isOptional,
      typeSpan: undefined,
      span: NO_SPAN,
    }));
  const declared = [...toArguments(required, false), ...toArguments(optional, true)];
  return { name, description: '', arguments: declared, schema: { isOpen: false } };
}

/** A call of one of these methods, `CALL|resources/read|URI`; undefined for a call of a tool. */
export function asMethod(asked: Message, { report, protocols, tools }: Conversion): MethodCall | undefined {
  const name = asked.kind === 'call' ? textIn(asked.fields.tool) : undefined;
  const declaration = name === undefined ? undefined : METHODS.get(name);
  if (!declaration || tools.tools.has(declaration.name)) return undefined;
  const declared = { isComplete: true, tools: new Map([[declaration.name, declaration]]) };
  const { fields } = named(asked, 'mcp', { protocols, tools: declared, report });
  const rest = dictOf({ mcp: dictOf({ [METHOD]: textValue(declaration.name) }) });
  return { call: message('call', { ...fields, rest }), declaration, warnings: [], isSettled: true };
}

/** The methods of the server's capabilities, for completion and checks. */
export function listMethods(capabilities: readonly string[]): readonly ToolDeclaration[] {
  const named = new Set(capabilities.map(each => (each === 'completions' ? 'completion' : each)));
  return [...METHODS.values()].filter(({ name }) => named.has(name.slice(0, name.indexOf('/'))));
}
