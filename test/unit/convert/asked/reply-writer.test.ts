import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ReplyWriter } from '../../../../protocols/convert/calls/reply-writer.ts';
import { NO_TOOLS } from '../../../../language/tools.ts';
import { Report } from '../../../../core/message/report.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import { textValue } from '../../../../core/values/value.ts';
import { dictOf } from '../../../../protocols/message/dicts.ts';

const TASK = message('task', { task: textValue('x'), session: textValue('s') });

interface Written {
  readonly text: string;
  readonly losses: readonly string[];
  readonly notes: readonly string[];
}

function write(messages: readonly Message[]): Written {
  const report = new Report();
  const writer = new ReplyWriter('aicl', TASK, { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report: report });
  const text = messages.flatMap(each => writer.write([each])).join('') + writer.end();
  return {
    text,
    losses: report.losses.map(({ path, message: said }) => `${path}: ${said}`),
    notes: report.notes.map(({ message: said }) => said),
  };
}

const chunk = (text: string, more: Message['fields'] = {}): Message =>
  message('chunk', { data: textValue(text), ...more });
const END = message('end', {});

describe('a reply in AICL that comes in pieces', () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    'a plain text': ['one ', 'two\n', '', 'three'],
    'a text with a bracket': ['a [list', '] of', ' two'],
    'a text with backslashes before what ends it': ['a\\', '\\', '] b'],
    'a text that ends with a backslash': ['C:', '\\'],
    'carriage returns': ['one\r', '\ntwo', '\rthree'],
    'a carriage return at the end': ['one', '\r'],
    'half of a character': ['one \ud83d', ' two'],
    'half of a character at the end': ['one', ' \ud83d'],
    'a character that two pieces share': ['one \ud83d', '\ude00 two'],
  };
  for (const [name, pieces] of Object.entries(texts))
    it(`says and loses the same as in one piece: ${name}`, () => {
      const whole = write([message('result', { data: textValue(pieces.join('')) })]);
      assert.deepEqual(write([...pieces.map(piece => chunk(piece)), END]), whole);
    });

  it('tells what its thoughts lose, too', () => {
    const event = textValue('reasoning');
    const { losses } = write([chunk('a\ud800b', { event }), chunk('plain'), END]);
    assert.deepEqual(losses, [
      'reasoning: Half of a surrogate pair is not a character; it is replaced by U+FFFD',
    ]);
  });
});

it('a reply in AICL tells which members of the agent it has no place for', () => {
  const own = dictOf({ $version: textValue('0.3'), task: dictOf({ id: textValue('t') }) });
  const { losses } = write([message('result', { data: textValue('x') }, dictOf({ a2a: own }))]);
  assert.deepEqual(losses, ['task.id: AICL has no place for fields that only A2A has']);
});
