import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { ReplyWriter } from '../../../../protocols/convert/calls/reply-writer.ts';
import { NO_TOOLS } from '../../../../language/tools.ts';
import { message } from '../../../../core/message/message.ts';
import { Report } from '../../../../core/message/report.ts';
import { textValue } from '../../../../core/values/value.ts';
import { encodeBase85 } from '../../../../tensor/base85.ts';
import { protocolOf } from '../../../support/protocol.ts';

const CALL = message('call', { tool: textValue('read') });

/** An AICL chunk `k` of `n` with a value. */
const chunk = (k: number, n: number, data: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:${data},[s:stream_id]:[s:s_${k}/${n}],[s:is_final]:[b:${k === n}]]\n`;

const chunks = (...values: readonly string[]): string =>
  values.map((value, index) => chunk(index + 1, values.length, value)).join('');

const tensor = (rows: number, ...bytes: readonly number[]): string =>
  `[t:uint8:${rows},2:${encodeBase85(Uint8Array.from(bytes))}]`;

/** A reply in AICL, as AICF shows it; it arrives in these pieces. */
function show(...pieces: readonly string[]): { readonly text: string; readonly notes: readonly string[] } {
  const report = new Report();
  const context = { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report };
  const reader = new ReplyReader(protocolOf('aicl'), context);
  const writer = new ReplyWriter('aicf', CALL, context);
  const [last = '', ...before] = pieces.toReversed();
  const first = before.toReversed().flatMap(piece => writer.write(reader.push(piece)));
  const text = [...first, ...writer.write([...reader.push(last), ...reader.end()])].join('') + writer.end();
  return {
    text,
    notes: report.notes.map(note => note.message).filter(note => !note.includes('chunks and their')),
  };
}

const FOLLOW =
  'Only texts, lists, and tensors that differ in their first axis alone are joined; the other values of the stream follow each other in order';

describe('chunks of AICL, asked in AICF', () => {
  const cases: readonly (readonly [name: string, reply: string, text: string, notes: readonly string[]])[] = [
    ['texts', chunks('[s:Hello ]', '[s:world]'), 'OK|Hello world\n', []],
    ['lists', chunks('[l:[i:1],[i:2]]', '[l:]', '[l:[i:3]]'), 'OK|[1,2,3]\n', []],
    [
      'tensors',
      chunks(tensor(1, 1, 2), tensor(2, 3, 4, 5, 6)),
      'OK|{"$tensor":{"dtype":"uint8","shape":[3,2],"base64":"AQIDBAUG"}}\n',
      [],
    ],
    [
      'integers',
      chunks('[i:1]', '[i:2]'),
      'OK|[{"type":"data","data":1},{"type":"data","data":2}]\n',
      [FOLLOW],
    ],
    [
      'dictionaries',
      chunks('[d:[s:a]:[i:1]]', '[d:[s:a]:[i:2]]'),
      'OK|[{"type":"data","data":{"a":1}},{"type":"data","data":{"a":2}}]\n',
      [FOLLOW],
    ],
    [
      'values of several kinds',
      chunks('[s:Hi]', '[s: you]', '[i:2]', '[l:[i:3]]'),
      'OK|[{"type":"text","text":"Hi you"},{"type":"data","data":2},{"type":"data","data":[3]}]\n',
      [FOLLOW],
    ],
    [
      'tensors of other shapes',
      chunks(tensor(1, 1, 2), '[t:uint8:1,1:0R]'),
      'OK|[{"type":"data","data":{"$tensor":{"dtype":"uint8","shape":[1,2],"base64":"AQI="}}},{"type":"data","data":{"$tensor":{"dtype":"uint8","shape":[1,1],"base64":"AQ=="}}}]\n',
      [FOLLOW],
    ],
    ['a missing chunk', chunk(1, 3, '[s:a]') + chunk(3, 3, '[s:c]'), 'OK|ac\n', ['There is no chunk 2']],
    [
      'several missing chunks',
      chunk(1, 5, '[l:[i:1]]') + chunk(5, 5, '[l:[i:5]]'),
      'OK|[1,5]\n',
      ['There are no chunks 2 to 4'],
    ],
    [
      'a repeated chunk',
      chunk(1, 2, '[s:a]') + chunk(1, 2, '[s:a]') + chunk(2, 2, '[s:b]'),
      'OK|aab\n',
      ['Chunk 1 of the stream came more than once'],
    ],
    [
      'chunks out of order',
      chunk(2, 3, '[s:b]') + chunk(1, 3, '[s:a]') + chunk(3, 3, '[s:c]'),
      'OK|abc\n',
      ['Chunk 1 of the stream came after chunk 2'],
    ],
    [
      'the last chunk before the first one',
      chunk(2, 2, '[s:b]') + chunk(1, 2, '[s:a]'),
      'OK|ab\n',
      ['Chunk 1 of the stream came after chunk 2'],
    ],
    ['no last chunk', chunk(1, 2, '[s:a]'), 'OK|a\n', ['The stream ended after chunk 1 of 2']],
  ];
  for (const [name, reply, text, notes] of cases)
    it(`${name} are all in the reply`, () => assert.deepEqual(show(reply), { text, notes }));

  it('values of several types that arrive one after another stay in their order', () => {
    const apart =
      'The values of the stream have several types: those that follow the first ones are a message of their own, in their order';
    assert.deepEqual(
      show(chunk(1, 4, '[s:a]'), chunk(2, 4, '[i:2]'), chunk(3, 4, '[s:c]'), chunk(4, 4, '[s:d]')),
      {
        text: 'OK|a\nOK|[{"type":"data","data":2},{"type":"text","text":"cd"}]\n',
        notes: [apart, FOLLOW],
      },
    );
    assert.deepEqual(show(chunk(1, 2, '[l:[i:1]]'), chunk(2, 2, '[s:x]')), {
      text: 'OK|[1]\nOK|x\n',
      notes: [apart],
    });
  });

  it('a stream of several types in a file is one reply, in order; one of texts is a stream', () => {
    const convert = (text: string): string =>
      convertText(text, { protocols: ALL_PROTOCOLS, to: 'aicf', layout: 'compact' }).text;
    assert.equal(
      convert(chunks('[s:a]', '[i:2]', '[s:c]')),
      'OK|[{"type":"text","text":"a"},{"type":"data","data":2},{"type":"text","text":"c"}]\n',
    );
    assert.equal(convert(chunks('[s:a]', '[s:b]')), 'STREAM|a\nSTREAM|b\nEND\n');
  });

  it('lists few of very many irregular numbers, and counts the others', () => {
    const reply = Array.from({ length: 100 }, (_, at) => chunk(100 - at, 100, '[s:x]')).join('');
    const { text, notes } = show(reply);
    assert.equal(text, `OK|${'x'.repeat(100)}\n`);
    assert.equal(notes.length, 21);
    assert.equal(notes.at(-1), '79 more chunks of the stream came out of order or more than once');
  });

  it('joins very many of them with linear work', () => {
    const reply = chunks(...Array.from({ length: 20_000 }, (_, at) => `[l:[i:${at}]]`));
    const { text } = show(reply);
    assert.equal(text, `OK|[${Array.from({ length: 20_000 }, (_, at) => at).join(',')}]\n`);
  });
});
