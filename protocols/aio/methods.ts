import { message, type Message } from '../../core/message/message.ts';
import { dictValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import type { Conversion } from '../message/shape.ts';
import type { MethodCall } from '../protocol.ts';
import { readRpc } from '../rpc/frame.ts';
import { textOutput } from './parts.ts';
import { readRequest } from './requests.ts';

/**
 * The methods that an agent may have besides its tools (AIO-MCP 1.2.1, section 5), with the names of their parameters in the order in which
 * AICF gives them. The document names the parameters of `tools.call` and `sampling.start`; the others are those of MCP,
 * with the `id` by which the document lists resources.
 */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  ['help', []],
  ['input', ['input']],
  ['resources.list', []],
  ['resources.get', ['id']],
  ['prompts.list', []],
  ['prompts.get', ['name', 'arguments']],
  ['tools.list', []],
  ['tools.call', ['tool', 'args']],
  ['sampling.start', ['input']],
  ['sampling.step', ['id', 'input']],
]);

/** A call of one of these methods, `CALL|resources.get|doc-001`; undefined for a call of a tool. */
export function asMethod(
  { kind, fields }: Message,
  { tools: { tools, isComplete } }: Conversion,
): MethodCall | undefined {
  const name = textIn(fields.tool);
  const parameters = name === undefined ? undefined : METHODS.get(name.replace('_', '.'));
  if (kind !== 'call' || name === undefined || !parameters || tools.has(name)) return undefined;
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
