import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { MESSAGE_KINDS, type MessageField } from '../../../core/catalog/message-kinds.ts';
import { message } from '../../../core/message/message.ts';
import { dictValue, intValue, listValue, NULL, textValue, type Value } from '../../../core/values/value.ts';
import { alikeMessage, alikeValue, spoken, textPart } from '../../support/alike-messages.ts';
import { checkReport, NO_TOOLS, settleIn, travel } from '../../support/conversions.ts';
import { checkLaw, LAW_NAMES, normal } from '../../support/conversion-law.ts';
import { looseItem } from '../../support/item-arbitrary.ts';
import { Report } from '../../../core/message/report.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { convertText } from '../../../protocols/convert/convert.ts';
import { writeMessage } from '../../../protocols/convert/write-message.ts';
import { dictOf } from '../../../protocols/message/dicts.ts';
import { runs } from '../../support/size.ts';

function list(...items: readonly Value[]): Value {
  return listValue(items);
}

/** A text part with a mark of the form that it had in Responses. */
function marked(text: string): Value {
  const rest = dictOf({ responses: dictOf({ $type: textValue('text') }) });
  return dictOf({ type: textValue('text'), text: textValue(text), rest });
}

const TEXTS = [textValue(''), textValue('x'), list(), list(textPart('')), list(textPart('x'))];
const CONTENTS = [
  undefined,
  ...TEXTS,
  list(marked('x')),
  list(textPart(''), textPart('')),
  list(textPart(''), textPart('x')),
  list(textPart('x'), textPart('')),
];
const PLAIN = [undefined, textValue(''), textValue('x')];
const ITEMS = [
  undefined,
  ...['', 'x'].flatMap(text => [list(spoken('user', text)), list(spoken('assistant', text))]),
];
const CONSTRAINTS = [
  undefined,
  dictValue([]),
  ...[...TEXTS, list(marked('x')), intValue(1)].map(value => dictValue([{ key: 'inputs', value }])),
];

describe('the law for a conversation beside a content that is alike', () => {
  for (const name of LAW_NAMES)
    it(`holds for tasks in ${name}`, () => {
      for (const content of CONTENTS)
        for (const task of PLAIN)
          for (const items of ITEMS)
            for (const constraints of CONSTRAINTS)
              checkLaw(name, message('task', { content, task, items, constraints }));
    });

  for (const name of LAW_NAMES)
    it(`holds for results and chunks in ${name}`, () => {
      for (const kind of ['result', 'chunk'] as const)
        for (const content of CONTENTS)
          for (const data of PLAIN)
            for (const items of ITEMS) checkLaw(name, message(kind, { content, data, items }));
    });
});

describe('a task of one text that a protocol wrote in a form of its own', () => {
  it('is the task in AICL, not an input', () => {
    const content = [{ type: 'text', text: 'Find the bug' }];
    const { text, losses } = convertText(
      JSON.stringify({ input: [{ type: 'message', role: 'user', content }] }),
      { protocols: ALL_PROTOCOLS, from: 'responses', to: 'aicl', layout: 'compact' },
    );
    assert.equal(
      text,
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:session],[s:msg_type]:[s:task_request],[s:task]:[s:Find the bug],[s:constraints]:[d:]]\n',
    );
    assert.deepEqual(losses, []);
  });
});

describe('chunks of two replies', () => {
  it('are not joined in AICL, though A2A names their artifacts by their requests', () => {
    const chunks = [
      message('chunk', { data: textValue('') }),
      message('chunk', { id: textValue(''), data: textValue('x') }),
      message('end', {}),
    ];
    for (const [from, to] of [
      ['aicl', 'a2a'],
      ['a2a', 'aicl'],
    ] as const)
      checkReport(travel(settleIn(from, chunks, NO_TOOLS), from, to, NO_TOOLS));
  });
});

/** Fields that hold what a message says, of one kind or another: a file of plain typed JSON can have any of them. */
const SAYING: readonly MessageField[] = ['task', 'data', 'content', 'items', 'tools', 'query'];

describe('the law for messages whose fields are alike', () => {
  for (const name of LAW_NAMES)
    it(`holds for two fields of any kind in ${name}`, () => {
      const values = [textValue(''), textValue('x'), list(), list(textPart('x'))];
      for (const { name: kind } of MESSAGE_KINDS)
        for (const [place, field] of SAYING.entries())
          for (const other of SAYING.slice(place + 1))
            for (const one of values)
              for (const two of values) checkLaw(name, message(kind, { [field]: one, [other]: two }));
    });

  for (const name of LAW_NAMES)
    for (const { name: kind } of MESSAGE_KINDS)
      it(`holds for any ${kind} in ${name}`, () => {
        fc.assert(
          fc.property(alikeMessage(kind), given => checkLaw(name, normal(given))),
          { numRuns: runs(10_000) },
        );
      });
});

describe('the law for items of a conversation in any form', () => {
  const messageType = textValue('message');
  const empty = dictOf({});
  const spokenWith = (members: Readonly<Record<string, Value>>): Value =>
    dictOf({ type: messageType, role: textValue('assistant'), ...members });
  const items: readonly (readonly [title: string, item: Value])[] = [
    ['an empty message', spokenWith({ content: list() })],
    [
      'an empty message with an empty dictionary of a protocol',
      spokenWith({ content: list(), rest: dictOf({ mcp: empty }) }),
    ],
    ['a message without a role', dictOf({ type: messageType, content: list(textPart('')) })],
    [
      'a message whose role comes last',
      dictOf({ type: messageType, content: list(textPart('x')), role: textValue('user') }),
    ],
    [
      'a part with an empty dictionary of a protocol',
      spokenWith({
        content: list(dictOf({ type: textValue('text'), text: textValue(''), rest: dictOf({ mcp: empty }) })),
      }),
    ],
    [
      'a part with a text in the place of the members of a protocol',
      spokenWith({
        content: list(
          dictOf({ type: textValue('text'), text: textValue(''), rest: dictOf({ mcp: textValue('') }) }),
        ),
      }),
    ],
    [
      'a message with a text in the place of the members of a protocol',
      spokenWith({ content: list(textPart('')), rest: dictOf({ mcp: textValue('') }) }),
    ],
    ['a type alone', dictOf({ type: textValue('reasoning') })],
    ['a call without members', dictOf({ type: textValue('function_call') })],
  ];
  for (const [title, item] of items)
    it(`holds for ${title}`, () => {
      for (const name of LAW_NAMES)
        for (const kind of ['task', 'result', 'chunk'] as const)
          for (const beside of [[], [item], [dictOf({ type: textValue('function_call') })]])
            checkLaw(name, message(kind, { items: list(item, ...beside) }));
    });

  for (const name of LAW_NAMES)
    it(`holds for any items in ${name}`, () => {
      const kinds = fc.constantFrom('task', 'result', 'chunk');
      const items = fc.array(looseItem, { minLength: 1, maxLength: 3 }).map(listValue);
      const others = fc.record({ data: alikeValue, content: alikeValue }, { requiredKeys: [] });
      fc.assert(
        fc.property(kinds, items, others, (kind, given, { data, content }) =>
          checkLaw(name, message(kind, { items: given, [kind === 'task' ? 'task' : 'data']: data, content })),
        ),
        { numRuns: runs(20_000) },
      );
    });
});

describe('the law for tools in any form', () => {
  for (const name of LAW_NAMES)
    it(`holds in ${name}`, () => {
      for (const tool of [NULL, textValue(''), textValue('x'), dictOf({}), dictOf({ name: textValue('x') })])
        for (const tools of [list(tool), list(tool, textValue('x')), tool])
          for (const data of [undefined, textValue('x')]) checkLaw(name, message('result', { tools, data }));
    });

  it('names tools that the reader of JSON-RPC takes for data as moved, because they are there', () => {
    const tools = list(textValue('x'));
    const report = new Report();
    writeMessage('json-rpc', message('result', { tools }), {
      protocols: ALL_PROTOCOLS,
      report,
      tools: { isComplete: false, tools: new Map() },
      id: 1,
    });
    assert.deepEqual(report.losses, [
      { kind: 'moved', path: 'tools', message: 'JSON-RPC reads this as data', value: tools, index: 0 },
    ]);
  });
});
