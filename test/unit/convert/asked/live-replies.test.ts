import { NO_TOOLS } from '../../../../language/tools.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Message } from '../../../../core/message/message.ts';
import { Report } from '../../../../core/message/report.ts';
import { textIn } from '../../../../core/values/value.ts';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { readMessages } from '../../../../protocols/convert/read-text.ts';
import { anySource } from '../../../support/aicl-arbitrary.ts';
import { protocolOf } from '../../../support/protocol.ts';
import { runs } from '../../../support/size.ts';

type Name = 'aicl' | 'aicf';

function open(protocol: Name): { readonly reader: ReplyReader; readonly report: Report } {
  const report = new Report();
  const context = { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report };
  return { reader: new ReplyReader(protocolOf(protocol), context), report };
}

/** The messages of each piece, and those of the end. */
function readPieces(protocol: Name, pieces: readonly string[]): readonly (readonly Message[])[] {
  const { reader } = open(protocol);
  return [...pieces.map(piece => reader.push(piece)), reader.end()];
}

const show = ({ kind, fields }: Message): string => `${kind} ${textIn(fields.data ?? fields.text) ?? ''}`;

const said = (protocol: Name, pieces: readonly string[]): readonly string[] =>
  readPieces(protocol, pieces).map(messages => messages.map(show).join(', '));

const result = (data: string, more = ''): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[s:${data}]${more}]`;
const chunk = (data: string, id: string, place: 'more' | 'last'): string =>
  result(data, `,[s:stream_id]:[s:s_${id}],[s:is_final]:[b:${place === 'last'}]`);

/** A text cut into pieces of these lengths. */
function cut(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return [...pieces, text.slice(at)];
}

const anyLine = fc.oneof(
  fc.constantFrom('OK|1', 'OK', 'OK|', 'END', 'ERR|500|no', 'TOOLS|a|b', 'TOOL|a|b|x:string', 'STREAM|', ''),
  fc.string().map(text => `STREAM|${text}`),
  fc.string().map(text => `OK|${text}`),
  fc.string(),
);

describe('the reply of an AICF agent, while it arrives', () => {
  it('gives the chunks of a stream line by line', () => {
    assert.deepEqual(said('aicf', ['STREAM|So ', 'far\nST', 'REAM|a\\nb\n', 'END\n', '']), [
      '',
      'chunk So far',
      'chunk a\nb',
      'end ',
      '',
      '',
    ]);
  });

  it('joins lines without a command with the data before them, in streams at once', () => {
    assert.deepEqual(said('aicf', ['STREAM|a\nb\n', '\n\nc\n', 'END']), [
      'chunk a, chunk \nb',
      'chunk \n\n\nc',
      '',
      'end ',
    ]);
    assert.deepEqual(said('aicf', ['OK|a\n', '\nb\n']), ['', '', 'result a\n\nb']);
    assert.deepEqual(said('aicf', ['ERR|500|a\n', 'b']), ['', '', 'error a\nb']);
  });

  it('ends a stream with the error that comes in it', () => {
    assert.deepEqual(said('aicf', ['STREAM|a\n', 'ERR|500|no\n']), ['chunk a', '', 'error no']);
  });

  it('is none of AICF where its first line has no command', () => {
    for (const body of ['{"jsonrpc":"2.0","id":1,"result":3}', '<html>\nOK|1', '']) {
      const { reader } = open('aicf');
      assert.deepEqual([...reader.push(body), ...reader.end(), reader.isProtocol], [false]);
    }
  });

  it('has the same messages in any pieces, with the same outcome', () => {
    fc.assert(
      fc.property(fc.array(anyLine), fc.array(fc.nat(9)), (lines, lengths) => {
        const body = lines.join('\n');
        const whole = open('aicf').reader;
        const expected = [...whole.push(body), ...whole.end()];
        const pieces = open('aicf').reader;
        const read = [...cut(body, lengths).flatMap(piece => pieces.push(piece)), ...pieces.end()];
        assert.deepEqual([read, pieces.outcome], [expected, whole.outcome]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('takes work in proportion to its length', () => {
    const works = [1_000, 10_000].map(count => {
      const { reader } = open('aicf');
      for (let at = 0; at < count; at++)
        for (const piece of ['STREAM|to', 'ken\n', 'more\n']) reader.push(piece);
      reader.end();
      return reader.work;
    });
    assert.ok((works[1] ?? 0) <= 10 * (works[0] ?? 0) + 100, works.join(' '));
  });
});

describe('the reply of an AICL agent, while it arrives', () => {
  it('gives each message when its outer bracket closes', () => {
    const [one, other] = [result('a'), result('b')];
    assert.deepEqual(said('aicl', [one.slice(0, -1), `]\n${other.slice(0, 20)}`, other.slice(20)]), [
      '',
      'result a',
      'result b',
      '',
    ]);
  });

  it('gives the chunks of a stream one by one, also where their total grows', () => {
    for (const totals of [
      [3, 3, 3],
      [2, 3, 3],
    ])
      assert.deepEqual(
        said(
          'aicl',
          ['a', 'b', 'c'].map((data, at) =>
            chunk(data, `${at + 1}/${totals[at] ?? 0}`, at === 2 ? 'last' : 'more'),
          ),
        ),
        ['chunk a', 'chunk b', 'chunk c, end ', ''],
      );
  });

  it('holds chunks from the first one that is not in order', () => {
    const pieces = [chunk('a', '1/4', 'more'), chunk('c', '3/4', 'more'), chunk('b', '2/4', 'more')];
    assert.deepEqual(said('aicl', [...pieces, chunk('d', '4/4', 'last')]), [
      'chunk a',
      '',
      '',
      '',
      'chunk c, chunk b, chunk d',
    ]);
  });

  it('gives a held chunk before the message that follows it', () => {
    assert.deepEqual(said('aicl', [chunk('b', '2/2', 'last'), result('next')]), [
      '',
      'chunk b, result next',
      '',
    ]);
  });

  it('gives no message of a type that LightAICL does not have', () => {
    assert.deepEqual(said('aicl', [result('a').replace('result', 'banana'), result('b')]), [
      '',
      'result b',
      '',
    ]);
  });

  it('gives what arrived of a message that is cut off, and says so', () => {
    const { reader } = open('aicl');
    const read = [...reader.push(result('a') + result('b').slice(0, -2)), ...reader.end()];
    assert.deepEqual(read.map(show), ['result a', 'result b']);
    assert.match(reader.body?.cut ?? '', /ended before the last of its messages was closed/);
  });

  it('has the same messages as the file with the same valid text', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.nat(40)), (texts, lengths) => {
        const body = texts.map(text => result(text.replace(/[\]\\\r]/g, ''))).join('\n');
        const read = readPieces('aicl', cut(body, lengths)).flat();
        const file = readMessages(body, { protocols: ALL_PROTOCOLS, from: 'aicl', report: new Report() });
        assert.deepEqual(
          read,
          file.messages.map(each => each.message),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it('is read in any pieces alike, whatever it is', () => {
    fc.assert(
      fc.property(anySource, fc.array(fc.nat(9)), (body, lengths) => {
        const whole = open('aicl').reader;
        const expected = [...whole.push(body), ...whole.end()];
        const pieces = open('aicl').reader;
        const read = [...cut(body, lengths).flatMap(piece => pieces.push(piece)), ...pieces.end()];
        assert.deepEqual([read, pieces.outcome], [expected, whole.outcome]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('takes work in proportion to its length', () => {
    const works = [100, 1_000].map(count => {
      const { reader } = open('aicl');
      for (let at = 0; at < count; at++)
        reader.push(chunk('a', `${at + 1}/${count}`, at + 1 === count ? 'last' : 'more'));
      reader.end();
      return reader.work;
    });
    assert.ok((works[1] ?? 0) <= 11 * (works[0] ?? 0), works.join(' '));
  });
});
