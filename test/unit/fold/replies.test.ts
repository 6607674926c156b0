import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { AiclFramer } from '../../../language/aicl/replies/frames.ts';
import { AiclReplyFold, foldAiclReply } from '../../../language/aicl/replies/reply.ts';
import { AicfReplyFold, foldAicfReply, type AicfReply } from '../../../language/aicf/reply-stream.ts';
import { runs, sized } from '../../support/size.ts';

const NONE: AicfReply = {
  command: undefined,
  data: undefined,
  value: undefined,
  hasEnded: false,
  error: undefined,
  notes: [],
};
const OK: AicfReply = { ...NONE, command: 'OK', hasEnded: true };
const STREAM: AicfReply = { ...NONE, command: 'STREAM', hasEnded: true };
const BELONGS = 'A line that no command begins was read as part of the data before it';

describe('foldAicfReply', () => {
  const replies: readonly (readonly [body: string, reply: AicfReply])[] = [
    ['OK', OK],
    [
      'OK|',
      { ...OK, data: '', value: '', notes: ['The data is the empty text; some servers write null so, too'] },
    ],
    ['OK|{"a":"x\\|y"}\r\n', { ...OK, data: '{"a":"x|y"}', value: { a: 'x|y' } }],
    ['OK|{"a":"b|c"}', { ...OK, data: '{"a":"b|c"}', value: { a: 'b|c' } }],
    [
      'OK|Screenshot saved to a\\\\b',
      { ...OK, data: 'Screenshot saved to a\\b', value: 'Screenshot saved to a\\b' },
    ],
    [
      'OK|{"a":"b\\nc"}',
      {
        ...OK,
        data: '{"a":"b\\nc"}',
        value: { a: 'b\nc' },
        notes: ['This server does not escape its data; it was read as it came'],
      },
    ],
    ['OK|a\n\nb\n\n', { ...OK, data: 'a\n\nb', value: 'a\n\nb', notes: [BELONGS] }],
    [
      'Response: OK|1',
      {
        ...OK,
        data: '1',
        value: 1,
        notes: ["The reply begins with 'Response:', which belongs in documents only"],
      },
    ],
    ['\u{feff}\n OK|1', NONE],
    ['\u{feff}OK|1', { ...OK, data: '1', value: 1 }],
    ['OK|1\nOK|2', { ...OK, data: '1', value: 1, notes: ['Text came after the end of the reply'] }],
    [
      'ERR|500|kaput \\| pipe\\nline2',
      { ...OK, command: 'ERR', error: { code: '500', message: 'kaput | pipe\nline2' } },
    ],
    ['ERR|404|a|b', { ...OK, command: 'ERR', error: { code: '404', message: 'a|b' } }],
    ['ERR|404', { ...OK, command: 'ERR', error: { code: '404', message: '' } }],
    ['ERR', { ...OK, command: 'ERR', error: { code: '', message: '' } }],
    ['ERR|500|a\nb', { ...OK, command: 'ERR', error: { code: '500', message: 'a\nb' }, notes: [BELONGS] }],
    ['TOOLS', { ...OK, command: 'TOOLS' }],
    [
      'TOOL|a|b\nwhat',
      { ...OK, command: 'TOOL', notes: ['A line that no command begins has no data before it'] },
    ],
    ['STREAM|a\nSTREAM| b\nEND', { ...STREAM, data: 'a b', value: 'a b' }],
    ['STREAM|[1,\r\nSTREAM|2]\r\nEND\r\n', { ...STREAM, data: '[1,2]', value: [1, 2] }],
    ['OK|a\\tb\\rc', { ...OK, data: 'a\tb\\rc', value: 'a\tb\\rc' }],
    ['OK|a\rb\r\n', { ...OK, data: 'a\rb', value: 'a\rb' }],
    ['STREAM|a\nx\nEND', { ...STREAM, data: 'a\nx', value: 'a\nx', notes: [BELONGS] }],
    ['END', STREAM],
    [
      'STREAM|a',
      {
        ...STREAM,
        data: 'a',
        value: 'a',
        hasEnded: false,
        notes: ['The stream came to no END; its data may be cut'],
      },
    ],
    ['STREAM|a\nERR|500|x', { ...STREAM, data: 'a', value: 'a', error: { code: '500', message: 'x' } }],
    ['END\nmore', { ...STREAM, notes: ['Text came after the end of the reply'] }],
    ['', NONE],
    ['<html>\nOK|1', NONE],
    ['ok|1', NONE],
    ['OKAY|1', NONE],
    ['constructor|1', NONE],
  ];
  for (const [body, reply] of replies) {
    it(JSON.stringify(body), () => assert.deepEqual(foldAicfReply(body), reply));
  }

  const pieces = fc.array(
    fc.constantFrom(
      'OK|',
      'ERR|',
      'STREAM|',
      'END',
      'TOOL|',
      'x',
      '|',
      '\\',
      'n',
      '{"a":',
      '1}',
      '\r',
      '\n',
      '\r\n',
      ' ',
      '\u{feff}',
      '\u{d800}',
    ),
  );

  it('gives the same however the body is cut, and never throws', () => {
    fc.assert(
      fc.property(pieces, parts => {
        const fold = new AicfReplyFold();
        for (const part of parts) fold.push(part);
        assert.deepEqual(fold.end(), foldAicfReply(parts.join('')));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('says each thing once, however often it happens', () => {
    assert.deepEqual(foldAicfReply(Array.from({ length: 1000 }, (_, line) => `OK|${line}`).join('\n')), {
      ...OK,
      data: '0',
      value: 0,
      notes: ['Text came after the end of the reply'],
    });
    const { notes } = foldAicfReply(Array.from({ length: 1000 }, (_, line) => `TOOL|a\n${line}`).join('\n'));
    assert.deepEqual(notes, [
      'A line that no command begins has no data before it',
      'Text came after the end of the reply',
    ]);
  });

  it('takes 20 MB on one line and 200,000 lines', () => {
    const [bytes, lines] = [sized(20_000_000), sized(200_000)];
    assert.equal(foldAicfReply(`OK|${'x'.repeat(bytes)}`).data?.length, bytes);
    assert.equal(foldAicfReply(`${'STREAM|ab\n'.repeat(lines)}END`).data?.length, 2 * lines);
    assert.equal(foldAicfReply(`ERR|${'x'.repeat(bytes)}`).error?.code.length, bytes);
  });
});

/** The frames of a text that comes in pieces, and what is left. */
function frame(...pieces: readonly string[]): unknown {
  const framer = new AiclFramer();
  const frames = pieces.flatMap(piece => [...framer.push(piece)]);
  const text = pieces.join('');
  for (const each of frames) assert.equal(each.text, text.slice(each.start, each.end));
  return { frames: frames.map(each => each.text), ...framer.end() };
}

describe('AiclFramer', () => {
  const CLEAN = { openText: undefined, hasForeignText: false };
  const texts: readonly (readonly [text: string, frames: readonly string[], left?: object])[] = [
    ['', []],
    ['[d:[s:a]:[i:1]] \r\n\t[d:]', ['[d:[s:a]:[i:1]]', '[d:]']],
    ['[s:[d:]', ['[s:[d:]']],
    ['[s:a\\u005Db]', ['[s:a\\u005Db]']],
    ['[s:a\\][s:b]', ['[s:a\\]', '[s:b]']],
    ['[s:a\\b\\u005D]', ['[s:a\\b\\u005D]']],
    ['[s][ss:]', ['[s]', '[ss:]']],
    ['[s[s:]]]', ['[s[s:]]]'], { hasForeignText: true }],
    ['hi [l:] there', ['[l:]'], { hasForeignText: true }],
    ['[d:[s:a]:[l:', [], { openText: '[d:[s:a]:[l:' }],
    ['[d:[s:a', [], { openText: '[d:[s:a' }],
    ['[d:[s:a[d:b]:[t:u8:3:a\\b],[s:c]]x', ['[d:[s:a[d:b]:[t:u8:3:a\\b],[s:c]]'], { hasForeignText: true }],
    ['[==[s:a\n[d:[s:b\\u005D\\]]', ['[==[s:a\n', '[d:[s:b\\u005D\\]]']],
  ];
  for (const [text, frames, left] of texts) {
    // `[s[s:]]]` closes with its second bracket; the third is foreign.
    const expected = {
      frames: frames.map(each => (each === '[s[s:]]]' ? '[s[s:]]' : each)),
      ...CLEAN,
      ...left,
    };
    it(JSON.stringify(text), () => {
      assert.deepEqual(frame(text), expected);
      assert.deepEqual(frame(...text), expected);
    });
  }
});

describe('AiclFramer, on long texts', () => {
  for (const [name, start, part, end] of [
    ['texts', '[d:', '[s:a],', ']'],
    ['escaped brackets', '[d:[s:', '\\u005D', ']]'],
    ['payloads', '[d:[t:u8:', 'abc:', ']]'],
    ['open brackets', '[d:', '[l:', ''],
  ] as const)
    it(`takes 20 MB of ${name} in one piece`, () => {
      const body = start + part.repeat(Math.floor(sized(20 * 2 ** 20) / part.length)) + end;
      const [frames, openText] = end === '' ? [[], body] : [[body], undefined];
      assert.deepEqual(frame(body), { frames, openText, hasForeignText: false });
    });
});

describe('foldAiclReply', () => {
  const header = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1]';
  const EMPTY = { messageType: '', code: undefined, reason: undefined, detail: undefined };
  const RESULT = { ...EMPTY, messageType: 'result' };

  it('reads the head of each message', () => {
    const error = { messageType: 'error', code: '2001', reason: 'MISSING_FIELD', detail: 'a]b' };
    const body = `[d:${header},[s:msg_type]:[s:result],[s:data]:[s:[s:msg_type\\u005D]]\n[d:${header},[s:msg_type]:[s:error],[s:code]:[i:2001],[s:reason]:[s:MISSING_FIELD],[s:detail]:[s:a\\u005Db]]`;
    assert.deepEqual(foldAiclReply(body), {
      messages: [RESULT, error],
      isAicl: true,
      error,
      unknownType: undefined,
      isCut: false,
      notes: [],
    });
  });

  it('notes what is not AICL and goes on', () => {
    const body = `[1,2] [d:[s:a]] [d:[s:msg_type]:[s:result]] [d:[s:`;
    assert.deepEqual(foldAiclReply(body), {
      messages: [EMPTY, RESULT],
      isAicl: true,
      error: undefined,
      unknownType: undefined,
      isCut: true,
      notes: ['The reply holds a value that is not a message', 'Message 1 of the reply is not valid AICL'],
    });
    assert.equal(foldAiclReply('{"a":[1]}').isAicl, false);
  });

  it('reads an error that the grammar refuses', () => {
    const head = { messageType: 'error', code: '5000', reason: 'no', detail: undefined };
    assert.deepEqual(foldAiclReply('[d:[s:msg_type]:[s:error],[s:code]:[i:5000],[s:reason]:[s:no],[s:x]]'), {
      messages: [head],
      isAicl: true,
      error: head,
      unknownType: undefined,
      isCut: false,
      notes: ['Message 1 of the reply is not valid AICL'],
    });
  });

  it('has the type of the first message where AICL has none of the types', () => {
    const message = (type: string): string => `[d:[s:msg_type]:[s:${type}]]`;
    const typeOf = (...types: readonly string[]): unknown =>
      foldAiclReply(types.map(message).join('')).unknownType;
    assert.deepEqual([typeOf('Result'), typeOf('progress', 'x')], ['Result', 'progress']);
    assert.deepEqual(
      [typeOf('progress', 'result'), typeOf('data_query'), typeOf()],
      [undefined, undefined, undefined],
    );
    assert.equal(foldAiclReply('[d:[s:answer]:[s:yes]]').unknownType, undefined);
  });

  it('names 20 messages that are not valid and counts the others', () => {
    const { notes } = foldAiclReply('[d:[s:a]]'.repeat(1000));
    assert.deepEqual(notes, [
      ...Array.from({ length: 20 }, (_, index) => `Message ${index + 1} of the reply is not valid AICL`),
      '980 more messages of the reply are not valid AICL',
    ]);
  });

  it('gives the same however the body is cut, and never throws', () => {
    const parts = fc.constantFrom(
      '[d:',
      '[s:',
      '[l:',
      ']',
      '\\',
      ':',
      ',',
      'msg_type',
      'error',
      '[s:msg_type]:[s:error]',
      ' ',
      '\n',
      'x',
      '\u{d800}',
    );
    fc.assert(
      fc.property(fc.array(parts), pieces => {
        const fold = new AiclReplyFold();
        for (const piece of pieces) fold.push(piece);
        assert.deepEqual(fold.end(), foldAiclReply(pieces.join('')));
      }),
      { numRuns: runs(1000) },
    );
  });
});
