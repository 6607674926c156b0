import fc from 'fast-check';
import { CONVERSIONS } from '../../core/catalog/conversions.ts';
import {
  boolValue,
  dictValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type Value,
} from '../../core/values/value.ts';

/** Few values, so that the same one is often at two places. */
const small = fc.constantFrom<Value>(
  ...[textValue(''), textValue('x'), listValue([]), dictValue([]), intValue(1), NULL, boolValue(true)],
  listValue([textValue('x')]),
);
const text = fc.constantFrom<Value>(textValue(''), textValue('x'), textValue('y'));

type Members = Readonly<Record<string, fc.Arbitrary<Value>>>;

/** A dictionary with half of the optional members, in their order or, now and then, in another one. */
function someOf(required: Members, optional: Members = {}): fc.Arbitrary<Value> {
  const maybe = (one: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
    fc.option(one, { nil: undefined, freq: 1 });
  const members = {
    ...required,
    ...Object.fromEntries(Object.entries(optional).map(([name, one]) => [name, maybe(one)])),
  };
  const dict = fc
    .record(members)
    .map(found => dictValue(Object.entries(found).map(([key, value]) => ({ key, value }))));
  const shuffled = dict.chain(({ entries }) =>
    fc.shuffledSubarray([...entries], { minLength: entries.length }).map(dictValue),
  );
  return fc.oneof({ weight: 4, arbitrary: dict }, { weight: 1, arbitrary: shuffled });
}

/** Members that only one protocol has, of no protocol too, also with marks and in another form. */
function anyRest(): fc.Arbitrary<Value> {
  const names = ['x', '$x', 'id', 'status', 'type', 'metadata', 'annotations', 'detail', 'object'];
  const own = fc.dictionary(fc.constantFrom(...names), small, { maxKeys: 2 }).map(toDict);
  const protocols = [...CONVERSIONS.map(({ name }) => name), 'x'];
  const one = fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: small });
  const all = fc.dictionary(fc.constantFrom(...protocols), one, { minKeys: 1, maxKeys: 2 }).map(toDict);
  return fc.oneof({ weight: 4, arbitrary: all }, { weight: 1, arbitrary: small });
}

function toDict(members: Readonly<Record<string, Value>>): Value {
  return dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));
}

function word(...words: readonly string[]): fc.Arbitrary<Value> {
  return fc.constantFrom(...words.map(textValue));
}

const rest = anyRest();
const part = fc.oneof(
  { weight: 3, arbitrary: someOf({ type: word('text'), text }, { rest }) },
  {
    weight: 2,
    arbitrary: someOf(
      { type: word('image', 'audio', 'file', 'refusal', 'data') },
      { url: word('https://example.org/a.png', 'x'), data: word('AAAA', ''), text, name: text, rest },
    ),
  },
  { weight: 1, arbitrary: small },
);
const content = fc.oneof(
  { weight: 5, arbitrary: fc.array(part, { maxLength: 3 }).map(listValue) },
  { weight: 1, arbitrary: small },
);
const source = word('{}', '{"x":1}', '{ "x": 1.0 }', '');
const more = { id: small, status: small, metadata: small, rest };

/** An item of a conversation, of a known type or not, with members of any form and in any order, or any value. */
export const looseItem: fc.Arbitrary<Value> = fc.oneof(
  {
    weight: 5,
    arbitrary: someOf(
      { type: word('message'), role: word('user', 'assistant', 'system', 'tool', ''), content },
      more,
    ),
  },
  { weight: 2, arbitrary: someOf({ type: word('message') }, { ...more, role: text, content }) },
  {
    weight: 2,
    arbitrary: someOf(
      { type: word('function_call') },
      { ...more, call_id: text, name: text, arguments: fc.oneof(source, small) },
    ),
  },
  {
    weight: 2,
    arbitrary: someOf(
      { type: word('function_call_output') },
      { ...more, call_id: text, output: fc.oneof(text, content) },
    ),
  },
  {
    weight: 2,
    arbitrary: someOf(
      { type: word('reasoning', 'x', 'mcp_call', 'image_generation_call') },
      { ...more, summary: content, content, result: text },
    ),
  },
  { weight: 1, arbitrary: small },
);
