import { sized } from '../../support/size.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { buildPayloadDocument } from '../../../client/src/features/traces/timeline/payload-document.ts';
import { layOutJson } from '../../../client/src/base/lay-out-json.ts';
import type { HeadEvent, StoredBytes, WireEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { PayloadLimiter, fitPayload } from '../../../trace/payload-limiter.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import { holdsText, partsHold } from '../../../trace/search.ts';

function wire(...bytes: readonly (string | StoredBytes)[]): readonly WireEvent[] {
  return bytes.map(each => ({
    ...{ type: 'wire', call: 'a', at: 1, direction: 'in' },
    bytes: typeof each === 'string' ? { text: each } : each,
  }));
}

const HEAD = { type: 'head', call: 'a', at: 1, direction: 'in', line: '200 OK', headers: [] } as const;

describe('the document of a payload', () => {
  const cases: readonly (readonly [name: string, pieces: readonly (string | StoredBytes)[], made: object])[] =
    [
      ['AICL as it is', ['[d:[s:a]', ':[i:1]]'], { text: '[d:[s:a]:[i:1]]', language: 'aicl' }],
      ['AICF as it is', ['OK|{"a":1}\n'], { text: 'OK|{"a":1}\n', language: 'aicf' }],
      [
        'JSON laid out',
        ['{"a":[1,', '2]}'],
        { text: '{\n  "a": [\n    1,\n    2\n  ]\n}', language: 'json' },
      ],
      ['JSON on lines as it is', ['{\n"a":1}'], { text: '{\n"a":1}', language: 'json' }],
      ['values on lines', ['{"a":1}\n{"b":2}\n'], { text: '{"a":1}\n{"b":2}\n', language: 'jsonl' }],
      ['events as they are', ['data: {"a":1}\n\n'], { text: 'data: {"a":1}\n\n', language: 'parley-sse' }],
      ['other text', ['hello'], { text: 'hello', language: 'plaintext' }],
      [
        'a character of two pieces',
        ['"', { base64: '4oI=' }, { base64: 'rCI=' }],
        { text: '"€"', language: 'json' },
      ],
      [
        'bytes dumped',
        [{ base64: '/wA=' }],
        { text: `00000000  ff 00${' '.repeat(43)} ..`.replace(/ {2}\.\.$/, '  ..'), language: 'plaintext' },
      ],
    ];
  for (const [name, pieces, made] of cases)
    it(`is ${name}`, () => assert.deepEqual(buildPayloadDocument(wire(...pieces), 'in'), made));

  it('is the last message: those before it were questions of the connection', () => {
    const head = { type: 'head', call: 'a', at: 1, direction: 'in', line: '200 OK', headers: [] } as const;
    const out = { ...head, direction: 'out' } as const;
    const payload = [out, head, ...wire('ERR|404|no'), head, ...wire('OK|', '1'), head];
    assert.deepEqual(buildPayloadDocument(payload, 'in'), { text: 'OK|1', language: 'aicf' });
  });

  it('is the beginning of a long message, and says how much there is', () => {
    const cut = (bytes: readonly (string | StoredBytes)[], characters: number): object | undefined => {
      const room = new PayloadLimiter({ characters, events: Infinity, of: 'message' });
      const payload = fitPayload([...wire('before it'), HEAD, ...wire(...bytes)], room);
      return buildPayloadDocument(payload, 'in', room.leftOutOf('in'));
    };
    const says = (shown: string, all: string): string =>
      `The first ${shown} of ${all} are shown. Export the trace as a trace file to have all of it.`;
    assert.deepEqual(cut(['OK|12', '34', '5'], 10), { text: 'OK|12345', language: 'aicf' });
    assert.deepEqual(cut(['OK|12', '34', '5'], 6), {
      text: `OK|123\n… ${says('6 bytes', '8 bytes')}\n`,
      language: 'aicf',
      cut: says('6 bytes', '8 bytes'),
    });
    // JSON without its end is not laid out, and no character is cut.
    assert.deepEqual(cut(['{"a":"€', { base64: '4oKs' }, '"}'], 9), {
      text: `{"a":"€\n… ${says('9 bytes', '14 bytes')}\n`,
      language: 'json',
      cut: says('9 bytes', '14 bytes'),
    });
    assert.deepEqual(cut([{ base64: '/wAA' }, { base64: '/wAA' }], 4), {
      text:
        `00000000  ff 00 00${' '.repeat(40)} ..`.replace(/ {2}\.\.$/, '  ...') +
        `\n# ${says('3 bytes', '6 bytes')}`,
      language: 'plaintext',
      cut: says('3 bytes', '6 bytes'),
    });
  });

  it('is none where nothing went that way', () => {
    assert.equal(buildPayloadDocument(wire('x'), 'out'), undefined);
  });

  it('lays JSON out by white space alone', () => {
    fc.assert(
      fc.property(fc.json(), json => {
        const laidOut = layOutJson(json);
        assert.deepEqual(JSON.parse(laidOut), JSON.parse(json));
        assert.equal(layOutJson(laidOut), laidOut);
      }),
    );
    fc.assert(
      fc.property(fc.string(), text => {
        const bare = (each: string): string => each.replaceAll(/\s/g, '');
        assert.equal(bare(layOutJson(text)), bare(text));
      }),
    );
  });

  it('lays out a text however long it is', () => {
    const text = 'a\\"'.repeat(sized(7_000_000));
    assert.equal(layOutJson(`{"a":"${text}"}`), `{\n  "a": "${text}"\n}`);
  });

  it('lays out as people write it', () => {
    assert.equal(
      layOutJson('{"a":{},"b":[],"c":[{"d":1.50e3}],"a":"x, {y}"}'),
      '{\n  "a": {},\n  "b": [],\n  "c": [\n    {\n      "d": 1.50e3\n    }\n  ],\n  "a": "x, {y}"\n}',
    );
  });
});

describe('the search in payloads', () => {
  const fold = new TraceFold();
  fold.add({
    type: 'call',
    call: 'a',
    trace: 't1',
    at: 0,
    agent: 'x',
    protocol: 'mcp',
    title: 'y',
    session: 's-9',
  });
  fold.add({ type: 'attributes', call: 'a', at: 1, attributes: [{ name: 'gen_ai.system', json: '"Open"' }] });
  const node = fold.find('a');
  const head: HeadEvent = {
    ...{ type: 'head', call: 'a', at: 1, direction: 'in', line: '200 OK' },
    headers: [{ name: 'Content-Type', value: 'text/plain' }],
  };
  const payload = [head, ...wire('one two thr', 'ee', { base64: '4oI=' }, { base64: 'rCI=' })];

  const searches: readonly (readonly [text: string, isFound: boolean])[] = [
    ['two three', true],
    ['ee€', true],
    ['content-type', true],
    ['text/plain', true],
    ['200 ok', true],
    ['gen_ai', true],
    ['open', true],
    ['s-9', true],
    ['t1', true],
    ['four', false],
  ];
  for (const [text, isFound] of searches)
    it(`${isFound ? 'finds' : 'does not find'} ${text}`, () => {
      assert.ok(node);
      assert.equal(holdsText(node, payload, text), isFound);
    });

  it('finds what came in many pieces as it reads, and what each piece of it is', () => {
    const events = ['Hello ', '"wor', 'ld"'].map(
      delta =>
        `event: response.output_text.delta\ndata: ${JSON.stringify({
          type: 'response.output_text.delta',
          ...{ item_id: 'i', output_index: 0, content_index: 0, delta },
        })}\n\n`,
    );
    const reply = wire(...events);
    const parts = readParts(ALL_PROTOCOLS.find('responses'), reply, 'ended');
    assert.ok(node);
    for (const [text, onWire, inParts] of [
      ['hello "world"', false, true],
      ['\\"wor', true, false],
      ['message', false, true],
      ['worlds', false, false],
    ] as const)
      assert.deepEqual([holdsText(node, reply, text), partsHold(parts, text)], [onWire, inParts], text);
  });
});
