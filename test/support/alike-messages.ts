import fc from 'fast-check';
import {
  findMessageKind,
  MESSAGE_FIELDS,
  type MessageField,
  type MessageKind,
} from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  boolValue,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type Value,
} from '../../core/values/value.ts';
import { dictOf } from '../../protocols/message/dicts.ts';

/** A text part, as messages carry it. */
export function textPart(text: string): Value {
  return dictOf({ type: textValue('text'), text: textValue(text) });
}

/** A part with any value. */
export function dataPart(data: Value): Value {
  return dictOf({ type: textValue('data'), data });
}

/** An item of a conversation with texts. */
export function spoken(role: string, ...texts: readonly string[]): Value {
  return dictOf({
    type: textValue('message'),
    role: textValue(role),
    content: listValue(texts.map(textPart)),
  });
}

function functionCall(name: string, source: string): Value {
  return dictOf({
    type: textValue('function_call'),
    call_id: textValue('c1'),
    name: textValue(name),
    arguments: textValue(source),
  });
}

function functionOutput(output: string): Value {
  return dictOf({
    type: textValue('function_call_output'),
    call_id: textValue('c1'),
    output: textValue(output),
  });
}

const x = textValue('x');
const none = textValue('');

/** Values without structure, the empty ones, and one that looks like the member of another protocol. */
const SMALL: readonly Value[] = [
  ...[none, x, textValue('tools'), textValue('session'), intValue(0), intValue(1), floatValue(1), NULL],
  ...[boolValue(false), boolValue(true), listValue([]), dictOf({})],
  ...[dictOf({ x }), dictOf({ x: none }), dictOf({ '': none }), dictOf({ name: x })],
  ...[dictOf({ type: textValue('text') }), dictOf({ type: textValue('text'), value: x }), textPart('x')],
  ...['mcp', 'aio', 'json-rpc', 'a2a', 'agent-api', 'responses', 'aicl', 'aicf', 'json'].map(textValue),
];

/** Contents in parts, and lists that are none. */
const CONTENTS: readonly Value[] = [
  ...[[none], [x], [NULL], [dictOf({})]].map(listValue),
  ...[[''], ['x'], ['', ''], ['', 'x'], ['x', ''], ['x', 'x']].map(texts => listValue(texts.map(textPart))),
  ...[x, none, dictOf({}), dictOf({ x }), listValue([textPart('x')])].map(data =>
    listValue([dataPart(data)]),
  ),
  listValue([textPart('x'), dataPart(dictOf({}))]),
];

/** Parameters of requests, of which some have values of another type. */
const CONSTRAINTS: readonly Value[] = [
  ...[listValue([textPart('')]), listValue([textPart('x')]), listValue([]), none].map(inputs =>
    dictOf({ inputs }),
  ),
  ...[dictOf({ model: x }), dictOf({ model: none }), dictOf({ model: x, x }), dictOf({ n: intValue(1) })],
  ...[dictOf({ stream: boolValue(true) }), dictOf({ tools: listValue([]) })],
];

/** Conversations and lists of tools. */
const ITEMS: readonly Value[] = [
  ...['user', 'assistant', 'system'].flatMap(role => [[spoken(role, '')], [spoken(role, 'x')]]),
  [spoken('user')],
  [spoken('user', 'x', 'x')],
  [spoken('user', 'x'), spoken('user', 'x')],
  [spoken('user', 'x'), spoken('assistant', 'x')],
  [spoken('assistant', 'x'), spoken('assistant', '')],
  [functionCall('x', '{}')],
  [functionCall('', '')],
  [functionCall('x', '{"x":"x"}'), functionOutput('x')],
  [functionOutput('')],
  [spoken('assistant', 'x'), functionCall('x', '{}')],
  [dictOf({ name: none })],
  [dictOf({ name: x, inputSchema: dictOf({}) })],
].map(listValue);

/** One of few values. */
export const alikeValue = fc.constantFrom(...SMALL, ...CONTENTS, ...CONSTRAINTS, ...ITEMS);

/**
 * A message whose fields have few different values, so that the same text, list or part is often at two places, empty values
 * and fields of other kinds included. What belongs to one protocol alone (`rest`) is missing.
 */
export function alikeMessage(kind: MessageKind): fc.Arbitrary<Message> {
  const own: readonly MessageField[] = findMessageKind(kind)?.fields ?? [];
  const others = MESSAGE_FIELDS.filter(name => name !== 'rest' && !own.includes(name));
  const some = (
    names: readonly MessageField[],
    weight: number,
  ): fc.Arbitrary<Partial<Record<MessageField, Value | undefined>>> => {
    const one = fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight, arbitrary: alikeValue });
    return fc.record(Object.fromEntries(names.map(name => [name, one])));
  };
  return fc
    .tuple(some(own, 12), fc.oneof(fc.constant({}), some(others, 1)))
    .map(([fields, more]) => message(kind, { ...more, ...fields }));
}
