import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TraceEvent } from '../../../core/events/events.ts';
import { printTraceEvent, printTraceHeader } from '../../../trace/file.ts';
import { parseTraceFile } from '../../support/at-once.ts';
import { sized } from '../../support/size.ts';

const HEADER = '{"format":"agenttrace","version":1,"producer":"parley 0"}\n';

const EVENTS: readonly TraceEvent[] = [
  {
    type: 'call',
    call: 'a',
    trace: 't',
    parent: 'p',
    at: 1.5,
    agent: 'toolbox',
    protocol: 'aicf',
    title: 'math.add ü',
    source: { uri: 'file:///a', line: 3 },
  },
  {
    type: 'head',
    call: 'a',
    at: 2,
    direction: 'out',
    line: 'POST http://x/',
    headers: [
      { name: 'authorization', value: '[redacted]', redacted: 9 },
      { name: 'x', value: 'y' },
    ],
  },
  {
    type: 'wire',
    call: 'a',
    at: 3,
    direction: 'out',
    bytes: { text: 'CALL|x\n' },
    redacted: [{ at: 1, length: 2 }],
  },
  { type: 'wire', call: 'a', at: 3, direction: 'in', bytes: { base64: '/w==' } },
  { type: 'note', call: 'a', at: 4, text: 'odd' },
  { type: 'end', call: 'a', at: 5, status: 'error', code: '404', message: 'no such tool' },
  { type: 'end', call: 'b', at: 5, status: 'ok' },
  {
    type: 'call',
    call: 'c',
    trace: 't',
    at: 6,
    agent: 'span',
    from: 'planner',
    protocol: 'other',
    title: 'x',
    names: [{ scheme: 'aio', trace: 'AIO-TR-20300101-0001', id: '1', parent: '0', depth: 3 }],
    session: 's',
    seen: 'between',
    reported: true,
    back: true,
  },
  {
    type: 'identity',
    call: 'c',
    at: 7,
    seq: 1,
    agent: 'a',
    protocol: 'mcp',
    title: 'y',
    from: 'b',
    session: 'u',
    names: [{ scheme: 'openstarry', trace: 'o' }],
  },
  { type: 'attributes', call: 'c', at: 7, seq: 2, attributes: [{ name: '__proto__', json: '{"a":1}' }] },
  { type: 'end', call: 'c', at: 8, seq: 3, status: 'ok', usage: { input: 3, output: 0 } },
];

const LINES = EVENTS.map(printTraceEvent);
const TORN = 'The last line is incomplete, because writing it was interrupted; it is left out';

describe('a trace file', () => {
  it('reads back what was printed', () => {
    assert.equal(printTraceHeader('parley 0'), HEADER);
    assert.deepEqual(parseTraceFile(HEADER + LINES.join('')), { events: EVENTS, notes: [] });
  });

  it('torn at every byte, gives all events that are whole', () => {
    const bytes = Buffer.from(HEADER + LINES.join(''));
    const ends = LINES.map((_, index) => Buffer.byteLength(HEADER + LINES.slice(0, index + 1).join('')));
    for (let cut = HEADER.length; cut <= bytes.length; cut += sized(1, 7)) {
      // An event is whole with its last brace; the line end after it adds nothing.
      const whole = ends.filter(end => end - 1 <= cut).length;
      const isTorn = !ends.includes(cut) && !ends.includes(cut + 1) && cut > HEADER.length;
      assert.deepEqual(parseTraceFile(bytes.toString('utf8', 0, cut)), {
        events: EVENTS.slice(0, whole),
        notes: isTorn ? [TORN] : [],
      });
    }
  });

  const errors: readonly (readonly [text: string, error: RegExp])[] = [
    ['', /^This is not a trace file: its first line should be .* but is ''$/],
    ['dear diary\n', /^This is not a trace file: .* but is 'dear diary'$/],
    ['{"format":"har"}\n', /^This is not a trace file/],
    ['[]\n', /^This is not a trace file/],
    [
      '{"format":"agenttrace"}\n',
      /^The trace file's version should be a number from 1 on; correct its first line$/,
    ],
    ['{"format":"agenttrace","version":0.5}\n', /^The trace file's version should be a number/],
    [
      '{"format":"agenttrace","version":2}\n',
      /^The trace file has version 2 and this program reads up to version 1; update it to open the file$/,
    ],
    ['['.repeat(200_000), /^This is not a trace file/],
  ];
  for (const [text, error] of errors) {
    it(`says why it cannot read ${JSON.stringify(text.slice(0, 40))}`, () => {
      const { events, notes, error: said } = parseTraceFile(text === '' ? text : text + LINES.join(''));
      assert.deepEqual([events, notes], [[], []]);
      assert.match(said ?? '', error);
    });
  }

  it('leaves out lines that are no events, with a note each', () => {
    const strange = [
      '{"type":"call","call":"a"}',
      '{"type":"__proto__","call":"a","at":1}',
      '{"type":"note","call":"a","at":"1","text":"x"}',
      '{"type":"note","call":"a","at":1e999,"text":"x"}',
      '{"type":"wire","call":"a","at":1,"direction":"up","bytes":{"text":"x"}}',
      '{"type":"head","call":"a","at":1,"direction":"in","line":"x","headers":[{"name":"x"}]}',
      ...['%%%', 'QQ==QUJD', 'QUJDQ', 'QU=?', 'QUI===', '_w==', 'QU JD'].map(
        base64 => `{"type":"wire","call":"a","at":1,"direction":"in","bytes":{"base64":"${base64}"}}`,
      ),
      '{"type":"wire","call":"a","at":1,"direction":"in","bytes":{"text":"x"},"unpacked":{"base64":"%"}}',
      '{"type":"end","call":"a","at":1,"status":"open"}',
      'null',
    ];
    const file = parseTraceFile(`${HEADER}${strange.join('\r\n')}\r\n\r\n${LINES.join('')}`);
    assert.deepEqual(file.events, EVENTS);
    assert.deepEqual(
      file.notes.map(note => note.slice(0, 60)),
      strange.map((line, index) =>
        `Line ${index + 2} is not an event of this format; it is left out: '${line}`.slice(0, 60),
      ),
    );
    const many = parseTraceFile(HEADER + 'x\n'.repeat(1000));
    assert.deepEqual([many.notes.length, many.notes.at(-1)], [21, '980 more lines are left out']);
  });

  it('takes Base64 with padding and without', () => {
    const wires = ['', 'QUJD', 'QUI=', 'QUI', 'QQ==', 'QQ'].map((base64): TraceEvent => {
      return { type: 'wire', call: 'a', at: 1, direction: 'in', bytes: { base64 }, unpacked: { base64 } };
    });
    assert.deepEqual(parseTraceFile(HEADER + wires.map(printTraceEvent).join('')), {
      events: wires,
      notes: [],
    });
  });

  it('takes nothing from a line but what an event has', () => {
    const line =
      '{"type":"note","call":"a","at":1,"text":"x","__proto__":{"at":2},"constructor":1,"extra":[]}\n';
    const [event] = parseTraceFile(HEADER + line).events;
    assert.deepEqual(event, { type: 'note', call: 'a', at: 1, text: 'x' });
    assert.equal(Object.getPrototypeOf(event), Object.prototype);
  });

  it('passes over numbers that count nothing and names of schemes that are not known', () => {
    const common = { type: 'identity', call: 'a', at: 1 } as const;
    const names = [
      { scheme: 'x', trace: 't' },
      { scheme: 'w3c', trace: 't', depth: -1 },
      { scheme: 'w3c', trace: 1 },
      { scheme: 'aio', trace: 't', depth: 1.5, id: 7 },
    ];
    const lines = [0, -1, 1.5, '1'].map(seq => `${JSON.stringify({ ...common, seq, names })}\n`);
    const read = {
      ...common,
      names: [
        { scheme: 'w3c', trace: 't' },
        { scheme: 'aio', trace: 't' },
      ],
    };
    assert.deepEqual(parseTraceFile(HEADER + lines.join('')), { events: lines.map(() => read), notes: [] });
  });

  it('never throws', () => {
    const alphabet = fc.constantFrom(
      '{',
      '}',
      '"',
      ':',
      ',',
      '[',
      ']',
      '\n',
      '\r',
      '\\',
      'type',
      'call',
      '__proto__',
      '1',
      '\u{d800}',
      '\u{feff}',
    );
    fc.assert(
      fc.property(fc.array(alphabet), fc.jsonValue(), (parts, value) => {
        parseTraceFile(parts.join(''));
        parseTraceFile(HEADER + parts.join(''));
        parseTraceFile(`${HEADER}${JSON.stringify(value)}\n`);
      }),
    );
  });
});
