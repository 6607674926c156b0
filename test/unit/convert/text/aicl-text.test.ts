import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../../core/catalog/settings.ts';
import { MAX_DEPTH } from '../../../../language/aicl/scanner.ts';
import { printAicl } from '../../../../language/values/aicl-printer.ts';
import { readAiclPieces } from '../../../../language/values/aicl-reader.ts';
import { Report } from '../../../../core/message/report.ts';
import { TextSink, type Layout, type Places } from '../../../../language/values/text-layer.ts';
import { LANGUAGE_SUPPORT } from '../../../../language/languages.ts';
import {
  findEntry,
  textIn,
  boolValue,
  dictValue,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type Value,
} from '../../../../core/values/value.ts';
import { isSameValue } from '../../../../protocols/message/same-value.ts';
import { encodeBase85 } from '../../../../tensor/base85.ts';
import { anySource } from '../../../support/aicl-arbitrary.ts';
import { itAtFullSize, runs, sized } from '../../../support/size.ts';

const ESCAPED =
  'A text holds a bracket or a carriage return, written \\u005D or \\u000D; a receiver that knows the whitepaper alone shows these letters';

const LAYOUTS: readonly Layout[] = ['pretty', 'compact'];

/** A value as AICL, with what it cost. */
function print(
  value: Value,
  layout: Layout = 'compact',
): { text: string; losses: string[]; notes: string[] } {
  const report = new Report();
  const sink = new TextSink();
  printAicl(value, sink, layout, report);
  return {
    text: String(sink),
    losses: report.losses.map(({ kind, path, message }) => `${kind} ${path}: ${message}`),
    notes: report.notes.map(note => note.message),
  };
}

/** A text as values, with each fault and the text that it is about. */
function read(text: string): { values: readonly Value[]; faults: string[] } {
  const { pieces, faults } = readAiclPieces(text);
  return {
    values: pieces.map(piece => piece.value),
    faults: faults.map(
      ({ kind, span, message }) => `${kind} «${text.slice(span.start, span.end)}»: ${message}`,
    ),
  };
}

const tensor = (source: string): Value => ({ kind: 'tensor', source });
const dict = (members: Readonly<Record<string, Value>>): Value =>
  dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));

describe('values of AICL', () => {
  it('reads every type, and each piece with its place', () => {
    const text = [
      '# a container line',
      '[d:[s:name]:[s:a \\u005D b],[s:n]:[i:-42],[s:big]:[i:9007199254740993],[s:x]:[f:2.50]]',
      '[l:[b:true],[b:false],[l:],[d:],[t:uint8:2,2:009\n  CJ]]',
      '[s:stream_id]:[s:chunk_3/5],',
      '[s:is_final]:[b:false]',
      '[s:alone]',
    ].join('\n');
    const { pieces, faults } = readAiclPieces(text);
    assert.deepEqual(
      pieces.map(({ span, value }) => [text.slice(span.start, span.end).slice(0, 12), value]),
      [
        [
          '[d:[s:name]:',
          dict({
            name: textValue('a ] b'),
            n: intValue(-42),
            big: intValue(9007199254740993n),
            x: floatValue(2.5),
          }),
        ],
        [
          '[l:[b:true],',
          listValue([boolValue(true), boolValue(false), listValue([]), dict({}), tensor('uint8:2,2:009CJ')]),
        ],
        ['[s:stream_id', dict({ stream_id: textValue('chunk_3/5'), is_final: boolValue(false) })],
        ['[s:alone]', textValue('alone')],
      ],
    );
    assert.deepEqual(faults, []);
  });

  it('reads numbers exactly, and says where a literal is another number', () => {
    assert.deepEqual(
      read(
        '[l:[i:+7],[i:-0],[i:007],[i:99999999999999999999],[f:.5],[f:3.],[f:INF],[f:-inf],[f:nan],[f:-0.0]]',
      ),
      {
        values: [
          listValue([
            intValue(7),
            intValue(0),
            intValue(7),
            intValue(99999999999999999999n),
            floatValue(0.5),
            floatValue(3),
            floatValue(Infinity),
            floatValue(-Infinity),
            floatValue(NaN),
            floatValue(-0),
          ]),
        ],
        faults: [],
      },
    );
    assert.deepEqual(
      read('[l:[f:0.1],[f:0.10000000000000000001],[f:9007199254740993.0],[f:-1e999],[f:1e-999]]'),
      {
        values: [
          listValue([
            floatValue(0.1),
            { kind: 'float', float: 0.1, literal: '0.10000000000000000001' },
            { kind: 'float', float: 9007199254740992, literal: '9007199254740993.0' },
            { kind: 'float', float: -Infinity, literal: '-1e999' },
            { kind: 'float', float: 0, literal: '1e-999' },
          ]),
        ],
        faults: [
          "rounded «[f:0.10000000000000000001]»: '0.10000000000000000001' is read as 0.1, the nearest double",
          "rounded «[f:9007199254740993.0]»: '9007199254740993.0' is read as 9007199254740992.0, the nearest double",
          "rounded «[f:-1e999]»: '-1e999' is read as -inf, no double is so large",
          "rounded «[f:1e-999]»: '1e-999' is read as 0.0, the nearest double",
        ],
      },
    );
    // All digits of the double of 0.1, which is unusual and exact.
    const exact = '0.1000000000000000055511151231257827021181583404541015625';
    assert.deepEqual(read(`[f:${exact}]`), { values: [floatValue(0.1)], faults: [] });
  });

  it('keeps literals that are none of their type as texts', () => {
    assert.deepEqual(read('[l:[i:abc],[i:4.2],[f:1,5],[b:yes],[b:],[i:' + '9'.repeat(10_001) + ']]').values, [
      listValue(['abc', '4.2', '1,5', 'yes', '', '9'.repeat(10_001)].map(textValue)),
    ]);
    assert.deepEqual(read('[l:[i:abc],[f:1,5],[b:yes]]').faults, [
      "moved «[i:abc]»: 'abc' is not an integer; it is read as a text",
      "moved «[f:1,5]»: '1,5' is not a float; it is read as a text",
      "moved «[b:yes]»: 'yes' is not a boolean; it is read as a text",
    ]);
  });

  it('reads CRLF in a text as the LF that is sent, and keeps a lone CR', () => {
    assert.deepEqual(read('[d:[s:a\r\nb]:[s:c\r\nd\re]]\r\n'), {
      values: [dict({ 'a\nb': textValue('c\nd\re') })],
      faults: [],
    });
  });

  it('lets the later of two keys count, in the place of the first', () => {
    const reported = "'a' occurs twice in this dictionary; the later value counts";
    assert.deepEqual(read('[d:[s:a]:[i:1],[s:b]:[i:2],[s:a]:[i:3]]'), {
      values: [dict({ a: intValue(3), b: intValue(2) })],
      faults: [`dropped «[s:a]»: The key ${reported}`],
    });
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    const many = [...keys, 'a', 'a', 'k3'].map(key => `[s:${key}]:[i:1]`).join(',');
    assert.deepEqual(read(`[d:${many}]`), {
      values: [dict(Object.fromEntries([...keys, 'a'].map(key => [key, intValue(1)])))],
      faults: [
        `dropped «[s:a]»: The key ${reported}`,
        "dropped «[s:k3]»: The key 'k3' occurs twice in this dictionary; the later value counts",
      ],
    });
  });

  it('undoes the notation, at the top as well', () => {
    assert.deepEqual(
      read(
        '[d:[s:$int]:[s:9223372036854775808]][l:[d:[s:$null]:[b:true]],[d:[s:$$null]:[b:true]],[d:[s:$int]:[s:x]]]',
      ),
      {
        values: [
          intValue(9223372036854775808n),
          listValue([NULL, dict({ $null: boolValue(true) }), dict({ $int: textValue('x') })]),
        ],
        faults: [],
      },
    );
  });

  it('reads of broken messages what can be read, and tells of each thing that is lost', () => {
    const cases: readonly [string, ReturnType<typeof read>][] = [
      [
        '[d:[s:a]:[i:1],[s:b],[s:c]:[i:3]]',
        {
          values: [dict({ a: intValue(1), c: intValue(3) })],
          faults: ["dropped «[s:b]»: The key 'b' has no value; it is left out"],
        },
      ],
      [
        '[d:[s:a]:[i:1],[i:2],[s:c]:[x:3]]',
        {
          values: [dict({ a: intValue(1) })],
          faults: [
            'dropped «[i:2]»: A dictionary holds pairs: this value has no key',
            "dropped «[s:c]:»: The key 'c' has no value; it is left out",
            "dropped «[x:3]»: '[x:3]' has no known type: write s, i, f, b, l, d or t after the bracket",
          ],
        },
      ],
      [
        // What is meant is sure: nothing is lost.
        '[d:[s:a]:[i:1] [s:b]：[I:2]；[s:c]=[l:[i:3],,]]'.replace('；', ','),
        { values: [dict({ a: intValue(1), b: intValue(2), c: listValue([intValue(3)]) })], faults: [] },
      ],
      [
        'hello [d:[s:a]:[i:1]] bye\n[l:[i:2]]',
        {
          values: [dict({ a: intValue(1) }), listValue([intValue(2)])],
          faults: [
            "dropped «hello»: 'hello' is not part of a message: remove it",
            "dropped «bye»: 'bye' is not part of a message: remove it",
          ],
        },
      ],
      [
        '[d:[s:a]:[i:1],[s:b]:[l:[s:cut off',
        {
          values: [dict({ a: intValue(1), b: listValue([textValue('cut off')]) })],
          faults: ['dropped «f»: 3 closing brackets are missing before the message ends here'],
        },
      ],
    ];
    for (const [text, expected] of cases) assert.deepEqual(read(text), expected, text);
  });

  it('reads what nests deeper than 200 levels as far as that, and says so', () => {
    const deep = read('[l:'.repeat(sized(100_000)) + ']'.repeat(sized(100_000)));
    let depth = 0;
    for (let value = deep.values[0]; value?.kind === 'list'; value = value.items[0]) depth++;
    assert.deepEqual(
      [depth, deep.faults.map(fault => fault.slice(0, 60))],
      [200, ['dropped «[l:»: Values nest deeper than 200 levels: what lies']],
    );
  });

  it('is total, and tells of text of which nothing was read', () => {
    fc.assert(
      fc.property(anySource, text => {
        const { pieces, faults } = readAiclPieces(text);
        for (const { span } of [...pieces, ...faults])
          assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length);
        const isContainer = text.split(/[\r\n]+/).every(line => /^[\ufeff \t]*(#.*)?$/s.test(line));
        assert.ok(pieces.length + faults.length > 0 || isContainer, 'something vanished');
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('reads broken pieces, each of them a fault', () => {
    const { pieces, faults } = readAiclPieces('[x]\n'.repeat(1_000));
    assert.deepEqual([pieces, faults.length], [[], 1_000]);
  });

  itAtFullSize('reads 100,000 broken pieces in linear work, and says where it gave up', () => {
    const { pieces, faults } = readAiclPieces('[x]\n'.repeat(100_000));
    assert.deepEqual(
      [pieces, faults.length, faults.at(-1)],
      [
        [],
        20_001,
        {
          span: { start: 80_000, end: 400_000 },
          kind: 'dropped',
          message: 'More than 20000 parts of the text are not messages: the rest from here on is not read',
        },
      ],
    );
  });
});

describe('printing AICL', () => {
  it('prints by the rules of the protocol', () => {
    const value = listValue([
      textValue('a]b\\'),
      textValue('C:\\dir\\file'),
      intValue(-(2n ** 63n)),
      ...[3, -0, NaN, Infinity, -Infinity, 0.1, 1e21, 5e-324].map(floatValue),
      boolValue(true),
      tensor('uint8:2,2:009CJ'),
    ]);
    assert.deepEqual(print(value), {
      text: '[l:[s:a\\u005Db\\],[s:C:\\dir\\file],[i:-9223372036854775808],[f:3.0],[f:-0.0],[f:nan],[f:inf],[f:-inf],[f:0.1],[f:1e+21],[f:5e-324],[b:true],[t:uint8:2,2:009CJ]]',
      losses: [],
      notes: [ESCAPED],
    });
  });

  it('writes what AICL has no type for in the notation', () => {
    assert.deepEqual(
      print(
        listValue([
          NULL,
          intValue(2n ** 63n),
          dict({ $int: textValue('1') }),
          tensor('a]b'),
          tensor('u\u00a0v'),
        ]),
      ),
      {
        text: '[l:[d:[s:$null]:[b:true]],[d:[s:$int]:[s:9223372036854775808]],[d:[s:$$int]:[s:1]],[d:[s:$tensor]:[d:[s:source]:[s:a\\u005Db]]],[d:[s:$tensor]:[d:[s:source]:[s:u\u00a0v]]]]',
        losses: [],
        notes: [ESCAPED],
      },
    );
  });

  it('spells carriage returns, and reports lone surrogates with their paths', () => {
    const value = dict({
      a: listValue([textValue('x'), textValue('1\r\n2\r3')]),
      'k\ud800': textValue('😀\udc00'),
    });
    assert.deepEqual(print(value, 'pretty'), {
      text: '[d:\n  [s:a]:[l:\n    [s:x],\n    [s:1\\u000D\n2\\u000D3]\n  ],\n  [s:k\ufffd]:[s:😀\ufffd]\n]',
      losses: [
        'rounded ["k\\ud800"]: In the key: half of a surrogate pair is not a character; it is replaced by U+FFFD',
        'rounded ["k\\ud800"]: Half of a surrogate pair is not a character; it is replaced by U+FFFD',
      ],
      notes: [ESCAPED],
    });
  });

  it('reads the brackets of an old message as such', () => {
    const { pieces } = readAiclPieces('[d:[s:a]:[s:x\\]y\\\\],[s:b]:[s:C:\\dir]]');
    assert.deepEqual(
      pieces.map(({ value }) => [textIn(findEntry(value, 'a')), textIn(findEntry(value, 'b'))]),
      [['x]y\\', 'C:\\dir']],
    );
  });

  it('keeps what nests too deep as a text, and tells so', () => {
    let value: Value = textValue(']');
    for (let level = 0; level < 450; level++) value = listValue([value]);
    for (const layout of LAYOUTS) {
      const { text, losses } = print(value, layout);
      const { values, faults } = read(text);
      let [found, depth]: [Value | undefined, number] = [values[0], 0];
      for (; found?.kind === 'list'; found = found.items[0]) depth++;
      // 199 lists, in the last of them a text, in that 199 more, and the rest in a text again.
      const inner = found?.kind === 'text' ? read(found.text) : undefined;
      let innerDepth = 0;
      let at = inner?.values[0];
      for (; at?.kind === 'list'; at = at.items[0]) innerDepth++;
      const rest = at?.kind === 'text' ? at.text : '';
      assert.deepEqual(
        [depth, innerDepth, rest, faults, losses.map(loss => loss.split(' ')[0])],
        [199, 199, `${'[l:'.repeat(52)}[s:\\u005D]${']'.repeat(52)}`, [], ['moved', 'moved']],
      );
    }
  });

  it('keeps the places of values on both sides', () => {
    const source = '[d:[s:a]:[l:[i:1],[d:[s:$null]:[b:true]]]]';
    const places: Places = new Map();
    const [piece] = readAiclPieces(source, places).pieces;
    assert.ok(piece);
    const sink = new TextSink(new Map());
    printAicl(piece.value, sink, 'pretty', new Report());
    const printed = String(sink);
    const both = [...(sink.places ?? [])].map(([value, to]) => {
      const from = places.get(value);
      return [value.kind, from && source.slice(from.start, from.end), printed.slice(to.start, to.end)];
    });
    assert.deepEqual(both, [
      ['int', '[i:1]', '[i:1]'],
      ['null', '[d:[s:$null]:[b:true]]', '[d:[s:$null]:[b:true]]'],
      ['list', '[s:a]:[l:[i:1],[d:[s:$null]:[b:true]]]', '[s:a]:[l:[i:1],[d:[s:$null]:[b:true]]]'],
      ['dict', source, '[d:\n  [s:a]:[l:[i:1],[d:[s:$null]:[b:true]]]\n]'],
    ]);
  });
});

const NASTY = [']', '[', '|', '\\', '\n', '\u0000', '\ufeff', '[s:', '\n[d:', ',', ':', '界', '😀', '# x'];
const KEYS = [
  '__proto__',
  'constructor',
  '$int',
  '$float',
  '$null',
  '$tensor',
  '$$tensor',
  '0',
  '17',
  'dtype',
  '',
];

const text = fc.oneof(
  fc.array(fc.constantFrom(...NASTY), { maxLength: 4 }).map(parts => parts.join('')),
  fc.string({ maxLength: 60, unit: 'grapheme' }).map(all => all.replace(/\r/g, '')),
);
const key = fc.oneof(fc.constantFrom(...KEYS), text);

/** Any value that AICL can say: without carriage returns and lone surrogates. */
const anyValue = fc.letrec<{ value: Value; atom: Value; group: Value }>(tie => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('atom'), tie('group')),
  atom: fc.oneof(
    text.map(textValue),
    fc.bigInt().map(intValue),
    fc.integer().map(intValue),
    fc.double().map(floatValue),
    fc.boolean().map(boolValue),
    fc.constant(undefined).map((): Value => ({ kind: 'null' })),
    text.map(tensor),
    fc.uint8Array({ maxLength: 300 }).map(bytes => tensor(`uint8:${bytes.length}:${encodeBase85(bytes)}`)),
  ),
  group: fc.oneof(
    fc.array(tie('value'), { maxLength: 6 }).map(listValue),
    fc
      .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 6, selector: ([name]) => name })
      .map(entries => dictValue(entries.map(([name, value]) => ({ key: name, value })))),
  ),
})).value;

/** A value in lists, one within another. */
function nest(value: Value, levels: number): Value {
  let outer = value;
  for (let level = 0; level < levels; level++) outer = listValue([outer]);
  return outer;
}

/** Where a value and all values in it stand, in their order. */
function listSpans(value: Value, places: Places | undefined): readonly unknown[] {
  const children =
    value.kind === 'list'
      ? value.items
      : value.kind === 'dict'
        ? value.entries.map(entry => entry.value)
        : [];
  return [places?.get(value), ...children.flatMap(child => listSpans(child, places))];
}

describe('AICL there and back', () => {
  it('reads every value that it printed, at the recorded places', () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(...LAYOUTS), (value, layout) => {
        const sink = new TextSink(new Map());
        const report = new Report();
        printAicl(value, sink, layout, report);
        const printed = String(sink);
        const places: Places = new Map();
        const { pieces, faults } = readAiclPieces(printed, places);
        assert.deepEqual([faults, report.losses, pieces.length], [[], [], 1]);
        assert.ok(pieces[0] && isSameValue(pieces[0].value, value), printed);
        assert.deepEqual(listSpans(value, sink.places), listSpans(pieces[0].value, places));
      }),
      { numRuns: runs(1_500) },
    );
  });

  it('prints the same whether it records places or not, with the same losses and notes', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 60 });
    const part = fc.oneof(fc.constantFrom(']', '\r', '\ud800', '\udc00', '\\u005D', '\\', '😀'), anyText);
    const hostile = fc.array(part, { maxLength: 4 }).map(parts => textValue(parts.join('')));
    const check = (value: Value): void => {
      const [plain, placed] = [new TextSink(), new TextSink(new Map())].map(sink => {
        const report = new Report();
        printAicl(value, sink, 'compact', report);
        const losses = report.losses.map(({ kind, path, message }) => `${kind} ${path}: ${message}`);
        return [String(sink), losses, report.notes];
      });
      assert.deepEqual(plain, placed);
    };
    fc.assert(
      fc.property(fc.array(fc.oneof(anyValue, hostile), { maxLength: 4 }), values =>
        check(
          dictValue(values.map((each, index) => ({ key: `${textIn(each) ?? ''}${index}`, value: each }))),
        ),
      ),
      { numRuns: runs(500) },
    );
    for (const value of [listValue([]), NULL, intValue(2n ** 70n), dict({ a: dict({}) })])
      for (let levels = MAX_DEPTH - 3; levels <= MAX_DEPTH; levels++) check(nest(value, levels));
  });

  it('prints as the formatter lays it out', () => {
    fc.assert(
      fc.property(anyValue, value => {
        const printed = `${print(value, 'pretty').text}\n`;
        const edits = [...LANGUAGE_SUPPORT.aicl.open(printed, DEFAULT_SETTINGS).format()];
        assert.deepEqual(edits, [], printed);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
