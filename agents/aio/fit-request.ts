import { PARTS } from '../../core/catalog/media.ts';
import { printForAgent } from '../../protocols/convert/calls/agent-json.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import {
  dictValue,
  findEntry,
  intValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import { findSimilar } from '../../core/text/similar.ts';
import type { AioHelp } from './help.ts';

/** What a request gets from us. */
export interface RequestNames {
  /** The agent before the method, if the request names none or only `agent`. */
  readonly agent: string;
  readonly id: number;
  /** The trace, if the request names none. */
  readonly trace: string;
}

export type FittedRequest =
  | {
      readonly ok: true;
      readonly text: string;
      /** True for a request for the agent's help and nothing else. */
      readonly isHelp: boolean;
      /** Warnings that the user should see before it is sent; each is a sentence without a full stop. */
      readonly warnings: readonly string[];
    }
  /** Agents of this kind do not accept the request. */
  | { readonly ok: false; readonly reason: string };

/** A method with its parameters. */
interface MethodCall {
  readonly method: string;
  readonly params: Value | undefined;
}

/**
 * Adapts a request to an agent by its `help` (AIO-MCP 1.2.1, sections 2 to 6; reading, section 4). An agent
 * of kind `mcp` gets `help` and the methods of its modules, spelt as it lists them. For an agent of another
 * kind, a tool call becomes one of its methods, the list of tools its `help`, and a task its `input`. The id
 * is ours, so that no two requests of a connection share one.
 */
export function fitRequest(wireText: string, help: AioHelp | undefined, names: RequestNames): FittedRequest {
  const value = readWrittenJson(wireText);
  const given = textIn(findEntry(value, 'method'));
  if (value?.kind !== 'dict' || given === undefined)
    return {
      ok: false,
      reason: `an AIO request is a JSON object with a method, such as {"method":"agent::help"}`,
    };
  const { agent, method } = splitMethod(given, names.agent);
  const methodCall = { method, params: findEntry(value, 'params') };
  const fault = help?.kind === 'mcp' ? findMcpFault(method) : undefined;
  if (fault !== undefined) return { ok: false, reason: fault };
  const fitted =
    help?.kind === 'mcp'
      ? fitToModules(methodCall, help)
      : help
        ? fitToMethods(methodCall, help)
        : methodCall;
  return {
    ok: true,
    text: printForAgent(rebuild(value, `${agent}::${fitted.method}`, fitted.params, names)),
    isHelp: methodCall.method === 'help' && findEntry(methodCall.params, 'tool') === undefined,
    warnings: help ? [...listMethodWarnings(fitted, help), ...listModalityWarnings(fitted.params, help)] : [],
  };
}

const SEPARATOR = '::';
/** The agent of a request that names none. */
const NO_AGENT = 'agent';

function splitMethod(given: string, name: string): { readonly agent: string; readonly method: string } {
  const at = given.indexOf(SEPARATOR);
  const agent = at < 0 ? NO_AGENT : given.slice(0, at);
  const method = at < 0 ? given : given.slice(at + SEPARATOR.length);
  return { agent: agent === NO_AGENT && !name.includes(SEPARATOR) ? name : agent, method };
}

/** The methods of modules (section 5), spelt as in the document or with underscores. */
const MODULE_METHOD = /^(resources|prompts|tools|sampling)[._]([a-z]+)$/;

function findMcpFault(method: string): string | undefined {
  if (method === 'help' || MODULE_METHOD.test(method)) return undefined;
  return `the agent is of the kind mcp, and such agents take only help and the methods of their modules, not ${quote(method)}; ask for tools.call or sampling.start`;
}

function fitToModules({ method, params }: MethodCall, { methods }: AioHelp): MethodCall {
  // The description of a tool is in the list of all tools.
  const isOfTool = method === 'help' && findEntry(params, 'tool') !== undefined;
  const name = isOfTool ? 'tools.list' : method;
  const underscored = name.replace('.', '_');
  return {
    method: methods?.has(underscored) && !methods.has(name) ? underscored : name,
    params: isOfTool ? undefined : params,
  };
}

function fitToMethods(methodCall: MethodCall, help: AioHelp): MethodCall {
  const { method, params } = methodCall;
  const lists = (name: string): boolean => help.methods?.has(name) === true;
  // An agent with a list of tools describes each tool there.
  if (method === 'help')
    return lists('tools.list') || lists('tools_list')
      ? fitToModules(methodCall, help)
      : { method, params: undefined };
  if (lists(method)) return methodCall;
  const underscored = method.replace('.', '_');
  if (MODULE_METHOD.test(method) && lists(underscored)) return { method: underscored, params };
  switch (method) {
    case 'tools.list':
      return { method: 'help', params: undefined };
    case 'tools.call': {
      const tool = textIn(findEntry(params, 'tool'));
      return tool === undefined ? methodCall : { method: tool, params: findEntry(params, 'args') };
    }
    case 'sampling.start':
      return { method: 'input', params };
    default:
      return methodCall;
  }
}

function listMethodWarnings({ method }: MethodCall, { kind, methods, modules }: AioHelp): readonly string[] {
  const module = MODULE_METHOD.exec(method)?.[1];
  if (module !== undefined && modules.get(module) === false)
    return [
      `the agent's help says that it has no module ${quote(module)}, to which ${quote(method)} belongs`,
    ];
  if (kind === 'mcp' || !methods || methods.has(method) || method === 'help') return [];
  const similar = findSimilar(method, [...methods]);
  const advice = similar === undefined ? 'LIST shows the available ones' : `did you mean ${quote(similar)}?`;
  return [`the agent's help lists no method ${quote(method)}; ${advice}`];
}

function listModalityWarnings(params: Value | undefined, { modalities }: AioHelp): readonly string[] {
  if (!modalities) return [];
  const found = new Set<string>();
  collectTypes(params, found, 0);
  return [...found]
    .filter(type => !modalities.has(type))
    .map(
      type =>
        `the agent's help lists the modalities ${[...modalities].join(', ')}, and the request holds a value of type ${quote(type)}`,
    );
}

const TYPES: ReadonlySet<string | undefined> = new Set(
  PARTS.flatMap(({ name, media }) => (name === 'text' || media !== undefined ? [name] : [])),
);
/** The maximum depth that is searched: values of AIO are near the top. */
const DEEPEST = 20;

function collectTypes(value: Value | undefined, found: Set<string>, depth: number): void {
  if (depth > DEEPEST) return;
  if (value?.kind === 'list') for (const item of value.items) collectTypes(item, found, depth + 1);
  if (value?.kind !== 'dict') return;
  const type = textIn(findEntry(value, 'type'));
  if (type !== undefined && TYPES.has(type) && findEntry(value, 'value')) found.add(type);
  for (const entry of value.entries) collectTypes(entry.value, found, depth + 1);
}

/** The request with its method, parameters, id and trace; unknown members stay where they are. */
function rebuild(
  value: DictValue,
  method: string,
  params: Value | undefined,
  { id, trace }: RequestNames,
): DictValue {
  const own = new Set(['jsonrpc', 'id', 'method', 'params', 'trace_id']);
  return dictValue([
    { key: 'jsonrpc', value: findEntry(value, 'jsonrpc') ?? textValue('2.0') },
    { key: 'id', value: intValue(id) },
    { key: 'method', value: textValue(method) },
    { key: 'params', value: params },
    { key: 'trace_id', value: findEntry(value, 'trace_id') ?? textValue(trace) },
    ...value.entries.filter(({ key }) => !own.has(key)),
  ]);
}
