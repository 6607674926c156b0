import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseAicl } from '../../../language/aicl/parse.ts';
import { Scanner } from '../../../language/aicl/scanner.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { AiclFramer, type AiclFrame } from '../../../language/aicl/replies/frames.ts';
import { AiclReplyFold } from '../../../language/aicl/replies/reply.ts';
import { foldAiclReply } from '../../support/aicl-reply.ts';
import { AicfReplyFold, foldAicfReply, type AicfReply } from '../../../language/aicf/reply-stream.ts';
import { anySource, validValue } from '../../support/aicl-arbitrary.ts';
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
const BELONGS = 'A line without a command was read as part of the data before it';

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
        notes: ['This server does not escape its data; it was read unchanged'],
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
    ['TOOL|a|b\nwhat', { ...OK, command: 'TOOL', notes: ['A line without a command has no data before it'] }],
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
        notes: ['The stream has no END; its data may be incomplete'],
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
      'A line without a command has no data before it',
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

/** The frames of a text that comes in pieces, those that only its end ends, and whether more than frames stood in it. */
function frame(...pieces: readonly string[]): unknown {
  const framer = new AiclFramer();
  const text = pieces.join('');
  const show = (frames: readonly AiclFrame[]): readonly string[] =>
    frames.map(each => {
      assert.equal(each.text, text.slice(each.start, each.end));
      return each.isForeign ? `foreign: ${each.text}` : each.text;
    });
  const frames = pieces.flatMap(piece => show(framer.push(piece)));
  return { frames, rest: show(framer.end()), hasForeignText: framer.hasForeignText };
}

describe('AiclFramer', () => {
  const CLEAN = { frames: [], rest: [], hasForeignText: false };
  const texts: readonly (readonly [text: string, expected: object])[] = [
    ['', {}],
    ['[d:[s:a]:[i:1]] \r\n\t[d:]', { frames: ['[d:[s:a]:[i:1]]', '[d:]'] }],
    ['[s:[d:]', { frames: ['[s:[d:]'] }],
    ['[s:a\\u005Db]', { frames: ['[s:a\\u005Db]'] }],
    ['[s:a\\][s:b]', { frames: ['[s:a\\]', '[s:b]'] }],
    ['[s][ss:]', { frames: ['[s]', '[ss:]'] }],
    ['[s[s:]]]', { frames: ['[s[s:]]'], hasForeignText: true }],
    ['hi [l:] there', { frames: ['[l:]'], hasForeignText: true }],
    ['[d:[s:a]:[l:', { rest: ['[d:[s:a]:[l:'] }],
    ['[d:[s:a', { rest: ['[d:[s:a'] }],
    [
      '[l:[s:a[d:b],[t:u8:3:a\\b],[s:c]]x',
      { frames: ['[l:[s:a[d:b],[t:u8:3:a\\b],[s:c]]'], hasForeignText: true },
    ],
    ['[==[s:a\n[l:[s:b\\u005D\\]]', { frames: ['[==[s:a\n', '[l:[s:b\\u005D\\]]'] }],
    // What the grammar refuses ends before the next line that begins with a message, or with the text.
    ['[d:[s:a]:[s:see [1] there]] \n\n[d:]', { frames: ['[d:[s:a]:[s:see [1] there]]', '[d:]'] }],
    ['[d:[s:a]:[s:see [1] there]]\n', { rest: ['[d:[s:a]:[s:see [1] there]]'] }],
    ['[d:[s:a]:[s:b]\n[d:]\n', { frames: ['[d:[s:a]:[s:b]', '[d:]'] }],
    ['[d:[s:a]:[s:b\n[d:[s:c]:[s:d]]\n[d:]', { frames: ['[d:[s:a]:[s:b', '[d:[s:c]:[s:d]]', '[d:]'] }],
    ['[d:[s:a]:[s:b] [d:]\n,\n[d:]\n', { rest: ['[d:[s:a]:[s:b] [d:]\n,\n[d:]'] }],
    ['[d:[s:a] x]\n[d:', { frames: ['[d:[s:a] x]'], rest: ['[d:'] }],
    ['[d:[s:a]]]\nlog\n[d:]', { frames: ['[d:[s:a]]', 'foreign: ]\nlog', '[d:]'], hasForeignText: true }],
    // An inner value may stand at the start of a line.
    ['[d:[s:a]:[l:\n[d:],\n[d:]]]', { frames: ['[d:[s:a]:[l:\n[d:],\n[d:]]]'] }],
    ['[d:[s:a]:\n[d:[s:b]:[s:x [1] y]]]\n', { rest: ['[d:[s:a]:\n[d:[s:b]:[s:x [1] y]]]'] }],
  ];
  for (const [text, expected] of texts)
    it(JSON.stringify(text), () => {
      assert.deepEqual(frame(text), { ...CLEAN, ...expected });
      assert.deepEqual(frame(...text), { ...CLEAN, ...expected });
    });

  it('ends what the grammar accepts where it does, and what it does not accept as a file does, in whatever pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(validValue, anySource)), fc.nat(20), (values, size) => {
        const text = values
          .map((value, index) => `[d:[s:k${index}]:${value}]`)
          .join('\n')
          // Bytes are framed, in which nothing is full-width.
          .replace(/[，：［］]/g, '');
        const pieces = text.match(new RegExp(`[^]{1,${size + 1}}`, 'g')) ?? [];
        assert.deepEqual(frame(...pieces), frame(text));
        const framer = new AiclFramer();
        const [first] = [...framer.push(text), ...framer.end()];
        const accepted = text === '' ? undefined : new Scanner(text, { count: 0 }).accept(0);
        if (accepted) assert.equal(first?.text, text.slice(0, accepted.end));
        // A line end that shows that a literal's bracket is missing is looked at by the file alone.
        else if (!/\[[ifb]:[^\][]*[\r\n]/.test(text))
          assert.equal(first?.end, parseAicl(text, DEFAULT_SETTINGS, () => []).units.at(0)?.end);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('AiclFramer, on long texts', () => {
  for (const [name, start, part, end] of [
    ['texts', '[l:', '[s:a],', ']'],
    ['escaped brackets', '[l:[s:', '\\u005D', ']]'],
    ['payloads', '[l:[t:u8:', 'abc:', ']]'],
    ['open brackets', '[d:', '[l:', ''],
    ['bare brackets', '[l:[s:', '[a] ', ']]'],
  ] as const)
    it(`takes 20 MB of ${name} in one piece`, () => {
      const body = start + part.repeat(Math.floor(sized(20 * 2 ** 20, 2 ** 15) / part.length)) + end;
      const isAccepted = end !== '' && name !== 'bare brackets';
      const [frames, rest] = isAccepted ? [[body], []] : [[], [body]];
      assert.deepEqual(frame(body), { frames, rest, hasForeignText: false });
    });
});

const noValue = (key: string): string => `The key '${key}' has no value: write ':' and a value after it`;

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
      session: '1',
      question: undefined,
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
      session: undefined,
      question: undefined,
      unknownType: undefined,
      isCut: true,
      notes: [
        'The reply holds a value that is not a message',
        `Message 1 of the reply is not valid AICL: ${noValue('a')}`,
      ],
    });
    assert.equal(foldAiclReply('{"a":[1]}').isAicl, false);
  });

  it('reads an error that the grammar refuses', () => {
    const head = { messageType: 'error', code: '5000', reason: 'no', detail: undefined };
    assert.deepEqual(foldAiclReply('[d:[s:msg_type]:[s:error],[s:code]:[i:5000],[s:reason]:[s:no],[s:x]]'), {
      messages: [head],
      isAicl: true,
      error: head,
      session: undefined,
      question: undefined,
      unknownType: undefined,
      isCut: false,
      notes: [`Message 1 of the reply is not valid AICL: ${noValue('x')}`],
    });
  });

  it('reads a message with brackets in its texts as a file reads it, with what is wrong as a note', () => {
    const body = `[d:${header},[s:msg_type]:[s:error],[s:code]:[i:5000],[s:reason]:[s:see [1] there]]\n[d:${header},[s:msg_type]:[s:result],[s:data]:[i:1]`;
    const error = { messageType: 'error', code: '5000', reason: 'see [1] there', detail: undefined };
    assert.deepEqual(foldAiclReply(body), {
      messages: [error, RESULT],
      isAicl: true,
      error,
      session: '1',
      question: undefined,
      unknownType: undefined,
      isCut: false,
      notes: [
        "Message 1 of the reply is not valid AICL: A bracket in a text is written '\\u005D': a receiver ends the text at this ']'",
        "Message 2 of the reply is not valid AICL: A closing ']' is missing before the message ends here",
      ],
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
    const count = sized(1000, 50);
    const { notes } = foldAiclReply('[d:[s:a]]'.repeat(count));
    assert.deepEqual(notes, [
      ...Array.from(
        { length: 20 },
        (_, index) => `Message ${index + 1} of the reply is not valid AICL: ${noValue('a')}`,
      ),
      `${count - 20} more messages of the reply are not valid AICL`,
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
