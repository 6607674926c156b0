import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { hover } from '../../../language/aicl/features/hover.ts';
import { parseAicl } from '../../../language/aicl/parse.ts';
import { AICL_ERRORS, MESSAGE_TYPES, TYPE_TAGS } from '../../../core/catalog/aicl.ts';
import { DTYPES } from '../../../core/catalog/dtypes.ts';
import {
  describeAiclError,
  describeDtype,
  describeMessageType,
  describeTag,
} from '../../../core/catalog/describe.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { encodeBase85 } from '../../../tensor/base85.ts';
import { readOffset } from '../../support/cursor.ts';
import { sized } from '../../support/size.ts';

const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:';
const CALL = `${HEAD}[s:tool_call],[s:tool]:[s:sum],[s:params]:[d:[s:a]:[i:1]]]`;

/** What the hover covers, and what it says. */
function hoverAt(marked: string): readonly [string, string] | undefined {
  const { text, offset } = readOffset(marked);
  const found = hover(
    parseAicl(text, DEFAULT_SETTINGS, () => []),
    offset,
  );
  return found && [text.slice(found.span.start, found.span.end), found.markdown];
}

describe('AICL hover on names', () => {
  it('explains every message type, type letter, data type and error code', () => {
    for (const row of MESSAGE_TYPES)
      assert.deepEqual(hoverAt(`${HEAD}[s:$0${row.name}]]`), [`[s:${row.name}]`, describeMessageType(row)]);
    for (const row of TYPE_TAGS.filter(({ name }) => name !== 'list' && name !== 'dict'))
      assert.deepEqual(hoverAt(`$0${row.example}`), [`[${row.tag}:`, describeTag(row)]);
    for (const row of DTYPES)
      assert.ok(hoverAt(`[l:[t:$0${row.name}:0:]]`)?.[1].startsWith(describeDtype(row)));
    for (const row of AICL_ERRORS)
      assert.ok(
        hoverAt(`${HEAD}[s:error],[s:code]:[i:$0${row.code}]]`)?.[1].startsWith(describeAiclError(row)),
      );
  });

  const titles: readonly (readonly [string, string, string])[] = [
    [
      'a header key',
      CALL.replace('[s:protocol', '[s:pro$0tocol'),
      '**protocol** (field of every message, string, required)',
    ],
    [
      'a field of the type',
      CALL.replace('[s:params', '[s:par$0ams'),
      '**params** (field of tool_call, dictionary, required)',
    ],
    [
      'the reason of an error',
      `${HEAD}[s:error],[s:reason]:[s:TOOL_$0FAILED]]`,
      '**5000 to 5099 TOOL_FAILED** (LightAICL error code)',
    ],
    ['a directive', '# @age$0nt coder\n[d:]', '**# @agent NAME** (directive)'],
    ['a session', CALL.replace('s1', 's$01'), '**s1** (session)'],
    ['a tool', CALL.replace('sum', 'su$0m'), '**sum** (tool)'],
    [
      'a tool whose name would be a link',
      CALL.replace('sum', '[x$0\\u005D(command:evil)'),
      '**\\[x\\]\\(command:evil\\)** (tool)',
    ],
    ['a stream', CALL.replace('[s:tool]', '[s:stream_id]:[s:a_b$0_2/3],[s:tool]'), '**a\\_b** (stream)'],
  ];
  for (const [name, marked, expected] of titles)
    it(`on ${name}`, () => assert.equal(hoverAt(marked)?.[1].split('\n')[0], expected));

  it('an error code has the columns of the other protocols, also one within a range', () => {
    const [, markdown = ''] = hoverAt(`${HEAD}[s:error],[s:code]:[i:50$005]]`) ?? [];
    assert.equal(
      markdown,
      [
        '**5000 to 5099 TOOL_FAILED** (LightAICL error code)',
        'The tool ran and failed.',
        [
          '| meaning | AICL | AICF | AIO, MCP, A2A | AIP JSON-RPC | HTTP |',
          '| --- | --- | --- | --- | --- | --- |',
          '| recursion limit reached | 5005 | 500 | -33007 | 500 | 508 |',
        ].join('\n'),
        '**integer**, 64 bits with a sign.',
      ].join('\n\n'),
    );
  });

  it('a session, a tool and a stream say how often the file has them', () => {
    const chunk = (k: number): string => `${HEAD}[s:result],[s:stream_id]:[s:out_${k}/3]]`;
    const file = `${CALL}\n${chunk(1)}\n${CALL.replace('s1', 's2')}\n`;
    assert.equal(
      hoverAt(`${file}${chunk(2).replace('s1', 's$01')}`)?.[1],
      '**s1** (session)\n\nIn this file 3 messages: 1 `tool_call`, 2 `result`.',
    );
    assert.equal(
      hoverAt(`${file}${CALL.replace('sum', 'su$0m')}`)?.[1],
      '**sum** (tool)\n\nCalled 3 times in this file. Other calls near this one give:\n\n- a: integer',
    );
    assert.equal(
      hoverAt(`${file}${chunk(2).replace('out', 'o$0ut')}`)?.[1],
      '**out** (stream)\n\nChunk 2 of 3. In this file 2 chunks of it.',
    );
  });

  it('says nothing elsewhere', () => {
    const places = [
      `${CALL}\n$0\n${CALL}`,
      CALL.replace('[s:tool]', '[s:to$0ols]'),
      'wo$0rds',
      '# no$0te\n',
      '$0',
      '[i:x$0]',
    ];
    for (const marked of places) assert.equal(hoverAt(marked), undefined, marked);
  });

  it('text of the document is text in the Markdown', () => {
    assert.match(
      hoverAt(CALL.replace('sum', '$0*a* <b>'))?.[1] ?? '',
      /^\*\*\\\*a\\\* &lt;b\\>\*\* \(tool\)/,
    );
  });
});

describe('AICL hover on values', () => {
  const INT = '**integer**, 64 bits with a sign.';
  const FLOAT = '**float**, IEEE 754 double';
  const cases: readonly (readonly [string, string])[] = [
    ['[s:a$0é😀]', '**string**, 3 characters, 7 bytes in UTF-8.'],
    ['[s:$0]', '**string**, 0 characters, 0 bytes in UTF-8.'],
    [
      '[s:a$0\\u005Db]',
      '**string**, 3 characters, 3 bytes in UTF-8. Without its escapes it reads:\n\n```text\na]b\n```',
    ],
    [
      `${HEAD}[s:tool_call],[s:tool]:[s:x],[s:params]:[d:[s:a$0\\u005D]:[i:1]]]`,
      '**string**, 2 characters, 2 bytes in UTF-8. Without its escapes it reads:\n\n```text\na]\n```',
    ],
    ['[i:4$02]', INT],
    ['[i:-655$036]', `${INT} \`0xFFFFFFFFFFFF0000\`.`],
    ['[i:1732233$0600]', `${INT} \`0x673FC980\`. As a Unix time: 2024-11-22T00:00:00.000Z.`],
    ['[i:1732233600$0123]', `${INT} \`0x193512B1C7B\`. As a Unix time: 2024-11-22T00:00:00.123Z.`],
    [
      '[i:9007199254740$0993]',
      `${INT} \`0x20000000000001\`. A double cannot hold it: the nearest one is 9007199254740992.`,
    ],
    [
      '[i:+9223372036854$0775807]',
      `${INT} \`0x7FFFFFFFFFFFFFFF\`. The largest there is. A double cannot hold it: the nearest one is 9223372036854775808.`,
    ],
    [
      '[i:-9223372036854$0775800]',
      `${INT} \`0x8000000000000008\`. 8 above the smallest, -9223372036854775808. A double cannot hold it: the nearest one is -9223372036854775808.`,
    ],
    ['[i:9223372036854$0775810]', '**integer**, 3 above the largest of 64 bits, 9223372036854775807.'],
    ['[i:-9223372036854$0775809]', '**integer**, 1 below the smallest of 64 bits, -9223372036854775808.'],
    ['[f:0.$05]', `${FLOAT}: it holds this value exactly.`],
    ['[f:1$0e22]', `${FLOAT}: it holds this value exactly.`],
    [
      '[f:0$0.1]',
      `${FLOAT}. It holds\n\n\`\`\`text\n0.1000000000000000055511151231257827021181583404541015625\n\`\`\`\n\nthe nearest one to the literal.`,
    ],
    [
      '[f:5$0e-324]',
      `${FLOAT}. It holds\n\n\`\`\`text\n4.9406564584124654417656879286822137236505980261432476442558568250067550727020875…e-324\n\`\`\`\n\nthe nearest one to the literal.`,
    ],
    ['[f:1$0e-400]', '**float**: so small that the double is zero.'],
    ['[f:1$0e400]', '**float**: larger than a double can be.'],
    ['[f:-i$0nf]', `${FLOAT}: minus infinity.`],
    [
      '[l:[$0i:1],[i:2]]',
      '**integer** `[i:-42]`\n\n64-bit signed integer, from -9223372036854775808 to 9223372036854775807.',
    ],
    [
      '[t:uint8:2$0,2:009CJ]',
      '**tensor**\n\n- shape: 2 × 2, 4 elements\n- uint8: 1 byte an element, 4 bytes in all, 5 characters of Base85\n- min 0, max 16\n- mean 4.75, std 6.534\n- zeros 1\n- values: `0, 1, 2, 16`',
    ],
    [
      '[t:float32:2,3:9Yq<$0Q*]',
      '**tensor**\n\n- shape: 2 × 3, 6 elements\n- float32: 4 bytes an element, 24 bytes in all, 30 characters of Base85\n- data: 6 characters, of which the last one holds no byte',
    ],
    [
      '[t:uint8::00$0]',
      '**tensor**\n\n- shape: a single value, 1 element\n- uint8: 1 byte an element, 1 byte in all, 2 characters of Base85\n- value: `0`',
    ],
    ['[t:x:2:00$00]', '**tensor**\n\n- shape: 2, 2 elements\n- data: 3 characters, 2 bytes'],
    [
      '[t:int8:2:Y$0Hj...]',
      '**tensor**\n\n- shape: 2, 2 elements\n- int8: 1 byte an element, 2 bytes in all, 3 characters of Base85\n- data: left out',
    ],
    [
      '[t:int8:2:0$0"0]',
      '**tensor**\n\n- shape: 2, 2 elements\n- int8: 1 byte an element, 2 bytes in all, 3 characters of Base85\n- data: no Base85 from its character 2 on',
    ],
    ['[t:int8:a$0:00]', '**tensor**\n\n- shape: a is invalid\n- data: 2 characters, 1 byte'],
  ];
  for (const [marked, expected] of cases) it(marked, () => assert.equal(hoverAt(marked)?.[1], expected));

  const elements: readonly (readonly [string, readonly string[]])[] = [
    [
      // Not a number, minus infinity, infinity, -0 and the smallest half float, twice.
      '[t:float16:10:0Db`c0DJ&|0RRAg0Q>-a0Du7$0i]',
      [
        'min -0.0, max 6e-8',
        'mean 2.98e−8, std 2.98e−8',
        'NaN 2, Inf 4 (2 negative), zeros 2',
        'first values: `nan, -inf, inf, -0.0, 6e-8, nan, -inf, inf, …`',
      ],
    ],
    [
      '[t:int64:3:000000001h|NsC0|NsAg{{R2~|NsA$0g]',
      [
        'min -9223372036854775808, max 9223372036854775807',
        'mean 3.074e18, std 8.696e18',
        'zeros 0',
        'values: `-9223372036854775808, 9223372036854775807, 9223372036854775806`',
      ],
    ],
    ['[t:bool:4:0099$02]', ['true 2, false 2', 'values: `false, true, true, false`']],
    [
      '[t:complex64:2:002Nh004kM000000000$00]',
      [
        'of the magnitudes min 0 (0.0+0.0i), max 5 (3.0+4.0i)',
        'of the magnitudes mean 2.5, std 2.5',
        'NaN 0, Inf 0, zeros 1',
        'values: `3.0+4.0i, 0.0+0.0i`',
      ],
    ],
    ['[t:uint8:0,5:$0]', []],
  ];
  for (const [marked, expected] of elements) {
    it(`${marked} tells what is in it`, () => {
      const [, markdown = ''] = hoverAt(marked) ?? [];
      assert.deepEqual(markdown.split('\n- ').slice(3), expected);
    });
  }

  it('tells of a large tensor what a sample says', () => {
    const [, markdown = ''] = hoverAt(`[t:uint8:600,500:$0${'009C6'.repeat(75_000)}]`) ?? [];
    assert.deepEqual(markdown.split('\n- ').slice(1), [
      'shape: 600 × 500, 300,000 elements',
      'uint8: 1 byte an element, 300,000 bytes in all, 375,000 characters of Base85',
      'a sample of 65,536 of 300,000 elements, evenly spread, has',
      ...['min 0, max 3', 'mean 1.5, std 1.118', 'zeros 16,384'],
      'first values: `0, 1, 2, 3, 0, 1, 2, 3, …`',
    ]);
  });

  it('covers the part of a tensor that it is about', () => {
    const parts = ['[t:ui$0nt8:2,2:009CJ]', '[t:uint8:2,$02:009CJ]', '[t:uint8:2,2:00$09CJ]'];
    assert.deepEqual(
      parts.map(marked => hoverAt(marked)?.[0]),
      ['uint8', '2,2', '009CJ'],
    );
  });

  it('says how many values a list or a dictionary holds', () => {
    assert.match(hoverAt('[$0l:[i:1],[i:2]]')?.[1] ?? '', /This one holds 2 values\.$/);
    assert.match(hoverAt('[$0d:[s:a]:[i:2]]')?.[1] ?? '', /This one holds 1 pair\.$/);
  });
});

describe('AICL hover with a picture', () => {
  /** The picture of a tensor: its words, its size and its pixels as `#rrggbbaa`. */
  function drawn(marked: string): readonly [string, number, number, readonly string[]] | undefined {
    const { text, offset } = readOffset(marked);
    const picture = hover(
      parseAicl(text, DEFAULT_SETTINGS, () => []),
      offset,
    )?.draw?.();
    if (!picture) return undefined;
    const { alt, png } = picture;
    const file = Buffer.from(png);
    assert.equal(file.subarray(1, 4).toString(), 'PNG');
    const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
    const data = file.indexOf('IDAT');
    const rows = inflateSync(file.subarray(data + 4, data + 4 + file.readUInt32BE(data - 4)));
    const pixels = Array.from({ length: height }, (_, y) => {
      const row = rows.subarray(y * (width * 4 + 1), (y + 1) * (width * 4 + 1));
      // A row without a filter.
      assert.equal(row[0], 0);
      return Array.from({ length: width }, (_, x) => `#${row.toString('hex', 1 + x * 4, 5 + x * 4)}`);
    });
    return [alt, width, height, pixels.flat()];
  }

  it('shows an image as it is, in whole pixels', () => {
    const bytes = Uint8Array.from({ length: 32 * 48 * 3 }, (_, at) => (at * 7) % 256);
    const [alt, width, height, pixels = []] =
      drawn(`[d:[s:data]:[t:uint8:32,48,3:${encodeBase85(bytes)}$0]]`) ?? [];
    assert.deepEqual(
      [alt, width, height],
      ['Image of 48 × 32 pixels, RGB (HWC); black is 0, white is 255', 96, 64],
    );
    const pixel = (x: number, y: number): string => {
      const at = ((y >> 1) * 48 + (x >> 1)) * 3;
      return `#${Buffer.from(bytes.subarray(at, at + 3)).toString('hex')}ff`;
    };
    assert.deepEqual(
      pixels,
      Array.from({ length: 96 * 64 }, (_, index) => pixel(index % 96, Math.floor(index / 96))),
    );
  });

  it('shows other numbers as a heat map', () => {
    const [alt, width, height, pixels = []] = drawn('[t:float32:2,2:nwgou$0nweQZ00000004kL]') ?? [];
    assert.deepEqual(
      [alt, width, height, new Set(pixels).size],
      ['Heat map of 2 rows and 2 columns; −3.4 to 3.4, blue, white, red', 32, 32, 4],
    );
  });

  it('shows nothing where there is nothing to see', () => {
    for (const marked of ['[t:uint8:0,5:$0]', '[t:uint8:2,2:..$0.]', '[t:uint8:2,2:0$00]', '[s:$0a]'])
      assert.equal(drawn(marked), undefined, marked);
  });

  it('takes at most as many characters as an editor shows', () => {
    const side = sized(512, 160);
    const noise = Uint8Array.from(
      { length: side * side * 3 },
      (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 24,
    );
    const text = `[t:uint8:${side},${side},3:${encodeBase85(noise)}]`;
    const png = hover(
      parseAicl(text, DEFAULT_SETTINGS, () => []),
      50,
    )?.draw?.()?.png;
    assert.ok(png && png.length > 10_000 && (png.length / 3) * 4 < 90_000, String(png?.length));
  });
});

describe('AICL hover in a large file', () => {
  /** What hovers in the middle read, beside the work of opening the file. */
  function workAt(messages: number): number {
    const side = `${CALL}\n`.repeat(messages);
    const doc = parseAicl(`${side}${HEAD}[s:result],[s:data]:[i:1]]\n${side}`, DEFAULT_SETTINGS, () => []);
    const before = doc.work.count;
    for (const step of [5, 80, 95]) hover(doc, side.length + step);
    return doc.work.count - before;
  }

  it('reads as much as in one of a quarter of its size', () => {
    const [small, large] = [workAt(sized(5_000, 250)), workAt(sized(20_000, 1_000))];
    assert.ok(small > 0);
    assert.equal(large, small);
  });

  it('looks at each message once to count those of a session', () => {
    const doc = parseAicl(`${CALL}\n`.repeat(1_000), DEFAULT_SETTINGS, () => []);
    const before = doc.work.count;
    assert.match(hover(doc, CALL.indexOf('s1'))?.markdown ?? '', /1,000 messages/);
    assert.ok(doc.work.count - before < 1_000 + 2_000);
  });
});
