import fc from 'fast-check';
import { describe, it } from 'mocha';
import { MESSAGE_KINDS, type MessageField } from '../../../core/catalog/message-kinds.ts';
import { message } from '../../../core/message/message.ts';
import { dictValue, intValue, listValue, textValue, type Value } from '../../../core/values/value.ts';
import { alikeMessage, spoken, textPart } from '../../support/alike-messages.ts';
import { checkLaw, LAW_NAMES, normal } from '../../support/conversion-law.ts';
import { runs } from '../../support/size.ts';

function list(...items: readonly Value[]): Value {
  return listValue(items);
}

const TEXTS = [textValue(''), textValue('x'), list(), list(textPart('')), list(textPart('x'))];
const CONTENTS = [
  undefined,
  ...TEXTS,
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
  ...[...TEXTS, intValue(1)].map(value => dictValue([{ key: 'inputs', value }])),
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
