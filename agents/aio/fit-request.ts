import { printForAgent } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { findEntry, intValue, textIn, type DictValue, type Value } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import { sliceJson } from '../../trace/json-slices.ts';
import type { AioHelp } from './help.ts';
import { listRequestWarnings, MODULE_METHOD, type MethodCall } from './request-warnings.ts';

/** What a request gets from us. */
export interface RequestNames {
  /** The agent before the method, if the request names none or only `agent`. */
  readonly agent: string;
  /** Returns the next free id of a trace. */
  readonly freeId: (trace: string) => number;
  /** True for a request that is sent with the id that it has. */
  readonly keepsId: boolean;
  /** Returns the trace of a request that names none. */
  readonly findTrace: () => string;
}

export type FittedRequest =
  | {
      readonly ok: true;
      readonly text: string;
      readonly trace: string;
      /** The number of the message in its trace; 0 for an id that is a text. */
      readonly id: number;
      /** True where the id is the one that the request was written with. */
      readonly hasOwnId: boolean;
      /** True for a request for the agent's help and nothing else. */
      readonly isHelp: boolean;
      /** Warnings that the user should see before it is sent; each is a sentence without a full stop. */
      readonly warnings: readonly string[];
    }
  /** Agents of this kind do not accept the request. */
  | { readonly ok: false; readonly reason: string };

/**
 * Adapts a request to an agent by its `help` (AIO-MCP 1.2.1, sections 2 to 6; reading, section 4). An agent
 * of kind `mcp` gets `help` and the methods of its modules, spelt as it lists them. For an agent of another
 * kind, a tool call becomes one of its methods, the list of tools its `help`, and a task its `input`. Members
 * that need not change are sent as they are written.
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
  const own = readOwn(value);
  if ('reason' in own) return { ok: false, reason: own.reason };
  const trace = own.trace ?? names.findTrace();
  const ownId = names.keepsId ? own.id : undefined;
  const id = ownId ?? intValue(names.freeId(trace));
  return {
    ok: true,
    text: rewrite(wireText, {
      id: printForAgent(id),
      method: `${agent}::${fitted.method}`,
      params: fitted.params === methodCall.params ? 'same' : fitted.params,
      trace,
    }),
    trace,
    id: id.kind === 'int' ? Number(id.int) : 0,
    hasOwnId: ownId !== undefined,
    isHelp: methodCall.method === 'help' && findEntry(methodCall.params, 'tool') === undefined,
    warnings: listRequestWarnings(fitted, help),
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

function findMcpFault(method: string): string | undefined {
  if (method === 'help' || MODULE_METHOD.test(method)) return undefined;
  return `the agent is of the kind mcp, and such agents take only help and the methods of their modules, not ${quote(method)}; write sampling.start or tools.call`;
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

/** The trace and the id that a request has, or the reason why it has none that an agent reads. */
function readOwn(
  value: DictValue,
): { readonly trace: string | undefined; readonly id: Value | undefined } | { readonly reason: string } {
  const trace = findEntry(value, 'trace_id');
  if (trace && (textIn(trace) ?? '') === '')
    return { reason: `'trace_id' of an AIO request is a text that is not empty, or is left out to get one` };
  const id = findEntry(value, 'id');
  if (id && id.kind !== 'int' && id.kind !== 'text')
    return { reason: `'id' of an AIO request is a whole number or a text, or is left out to get one` };
  return { trace: textIn(trace), id };
}

/** The members that a request gets; the id is JSON. */
interface OwnMembers {
  readonly id: string;
  readonly method: string;
  /** `same` where the parameters stay as they are written. */
  readonly params: Value | 'same' | undefined;
  readonly trace: string;
}

/** The request with these members; others stay where and as they are. */
function rewrite(wireText: string, { id, method, params, trace }: OwnMembers): string {
  const written = new Map([...sliceJson(wireText)].map(slice => [slice.name ?? '', slice.text]));
  const missing = new Map<string, string>();
  if (!written.has('jsonrpc')) missing.set('jsonrpc', '"2.0"');
  (written.has('id') ? written : missing).set('id', id);
  written.set('method', JSON.stringify(method));
  if (params === undefined) written.delete('params');
  else if (params !== 'same') written.set('params', printForAgent(params));
  if (!written.has('trace_id')) written.set('trace_id', JSON.stringify(trace));
  const members = [...missing, ...written].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return `{${members.join(',')}}`;
}
