import { message, type Message } from '../../core/message/message.ts';
import { dictValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import type { ToolDeclaration } from '../../language/tools.ts';
import { dictOf } from '../message/dicts.ts';
import type { Conversion } from '../message/shape.ts';
import type { MethodCall, Takes } from '../call-rules.ts';
import { readRpc } from '../rpc/frame.ts';
import { textOutput } from './parts.ts';
import { readRequest } from './requests.ts';

/**
 * The methods that an agent may have besides its tools (AIO-MCP 1.2.1, section 5), with the names of their parameters in
 * the order in which AICF gives them, `?` after optional ones. The document names the parameters of `tools.call` and
 * `sampling.start`; the others are those of MCP, with the `id` by which the document lists resources.
 */
const METHODS: ReadonlyMap<string, { readonly parameters: readonly string[]; readonly summary: string }> =
  new Map([
    ['help', { parameters: [], summary: 'Describes the agent' }],
    ['input', { parameters: ['input'], summary: 'Takes any input' }],
    ['resources.list', { parameters: [], summary: 'Lists the resources' }],
    ['resources.get', { parameters: ['id'], summary: 'Returns a resource' }],
    ['prompts.list', { parameters: [], summary: 'Lists the templates of prompts' }],
    ['prompts.get', { parameters: ['name', 'arguments?'], summary: 'Fills in a template' }],
    ['tools.list', { parameters: [], summary: 'Lists the tools' }],
    ['tools.call', { parameters: ['tool', 'args?'], summary: 'Calls a tool with named arguments' }],
    ['sampling.start', { parameters: ['input'], summary: 'Starts a sampling' }],
    ['sampling.step', { parameters: ['id', 'input?'], summary: 'Continues a sampling' }],
  ]);

/** True for a method of the document, which may be spelled with an underscore and have the agent before it. */
export function isMethod(name: string): boolean {
  return METHODS.has(name.replace(/^.*::/, '').replace('_', '.'));
}

/** What help says besides methods: kinds, modules and modalities. */
const MODULES: readonly string[] = ['resources', 'prompts', 'tools', 'sampling'];
const OTHERS: ReadonlySet<string> = new Set([
  ...['stdio', 'http', 'mcp'],
  ...MODULES,
  ...['text', 'image', 'audio', 'video', 'file'],
]);

/**
 * What an agent takes, by its kind, its modules and the methods that its help lists. One that does not list them may take
 * everything that its kind allows.
 */
export function takes(capabilities: readonly string[]): Takes {
  const has = (name: string): boolean => capabilities.includes(name);
  const methods = capabilities.filter(name => !OTHERS.has(name)).map(name => name.replace('_', '.'));
  const samples = has('sampling') || methods.includes('sampling.start');
  if (has('mcp')) {
    const isUnknown = methods.length === 0 && !MODULES.some(has);
    return {
      tools: isUnknown || has('tools') || methods.includes('tools.call'),
      tasks: isUnknown || samples,
    };
  }
  return { tools: true, tasks: methods.length === 0 || methods.includes('input') || samples };
}

const NO_SPAN = { start: 0, end: 0 };

/** The methods that an agent with these capabilities has, declared like tools. */
export function listMethods(capabilities: readonly string[]): readonly ToolDeclaration[] {
  const has = (name: string): boolean =>
    name === 'input' ? !capabilities.includes('mcp') : capabilities.includes(name.split('.')[0] ?? '');
  const methods = [...METHODS].filter(([name]) => name === 'help' || has(name));
  return methods.map(([name, { parameters, summary }]) => ({
    name,
    description: summary,
    arguments: parameters.map(parameter => ({
      name: parameter.replace('?', ''),
      type: 'any',
      isOptional: parameter.endsWith('?'),
      typeSpan: undefined,
      span: NO_SPAN,
    })),
  }));
}

/** A call of one of these methods, `CALL|resources.get|doc-001`; undefined for a call of a tool. */
export function asMethod(
  { kind, fields }: Message,
  { tools: { tools, isComplete } }: Conversion,
): MethodCall | undefined {
  const name = textIn(fields.tool);
  const known = name === undefined ? undefined : METHODS.get(name.replace('_', '.'));
  if (kind !== 'call' || name === undefined || !known || tools.has(name)) return undefined;
  const parameters = known.parameters.map(parameter => parameter.replace('?', ''));
  const given = fields.arguments?.kind === 'list' ? fields.arguments.items : undefined;
  const params = given ? nameParameters(given, parameters) : fields.arguments;
  const frame = readRpc(dictOf({ method: textValue(`agent::${name}`), ...(params ? { params } : {}) }));
  if (!frame) return undefined;
  const read = readRequest(frame);
  const { id, agent, trace } = fields;
  const { length } = parameters;
  const takes = length === 0 ? 'no parameters' : parameters.join(', ');
  return {
    call: message(read.kind, { ...read.fields, id, agent, trace }),
    warnings:
      given && given.length > length
        ? [`the method '${name}' takes ${takes}, and the call has ${given.length}; remove the others`]
        : [],
    // An agent may have a tool of this name.
    isSettled: isComplete,
  };
}

/** AICF gives `input` as a text, which is a value of the type `text`. */
function nameParameters(given: readonly Value[], parameters: readonly string[]): Value {
  return dictValue(
    given.map((value, index) => {
      const key = parameters[index] ?? `arg${index + 1}`;
      return { key, value: key === 'input' && value.kind === 'text' ? textOutput(value) : value };
    }),
  );
}
