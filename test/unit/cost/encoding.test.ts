import assert from 'node:assert/strict';
import fc from 'fast-check';
import cl100kTokens from 'gpt-tokenizer/bpeRanks/cl100k_base';
import o200kTokens from 'gpt-tokenizer/bpeRanks/o200k_base';
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { before, describe, it } from 'mocha';
import { ENCODINGS, type EncodingName } from '../../../core/catalog/costs.ts';
import { LONGEST_PART, type Encoding } from '../../../protocols/cost/encoding.ts';
import { PairMerge } from '../../../protocols/cost/pair-merge.ts';
import { packTokens, unpackTokens, type TokenList } from '../../../protocols/cost/token-list.ts';
import { NO_RANK, TokenRanks } from '../../../protocols/cost/token-ranks.ts';
import { loadEncoding } from '../../../tokenizers/load.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { itAtFullSize, sized } from '../../support/size.ts';

/** The library's own tokens, with the marks of special ones as text. */
const PEERS: Readonly<Record<EncodingName, (text: string) => number>> = {
  o200k_base: text => encodeO200k(text, { disallowedSpecial: new Set() }).length,
  cl100k_base: text => encodeCl100k(text, { disallowedSpecial: new Set() }).length,
};

/** The example of the AICF document. */
const RPC = {
  jsonrpc: '2.0',
  method: 'aip.tool.invoke',
  params: { tool: 'figma.getFile', arguments: { fileKey: 'abc123', version: '1.0' } },
  id: 1,
};

/** What messages are made of, and what is easily counted wrongly. */
const PARTS = [
  ...[
    'a',
    'Z',
    'e',
    '7',
    '42',
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    '.',
    "'s",
    "'",
    "'LL",
    'don’t',
    '!',
    '"',
    '{"',
    '":',
  ],
  ...[
    '[s:',
    ']:[',
    '],',
    '|',
    '\\',
    'CALL|',
    'the ',
    ' tool',
    'é',
    'ß',
    '一',
    '数据',
    'ا',
    '\u0301',
    '\u200d',
    '😀',
    '𠀀',
  ],
  ...[
    '\ud800',
    '\udc00',
    '\u0000',
    '\u2028',
    '\u00a0',
    '<|endoftext|>',
    '<|im_start|>',
    '__proto__',
    'constructor',
  ],
];

const TEXT = fc.array(fc.constantFrom(...PARTS), { maxLength: 60 }).map(parts => parts.join(''));

describe('a list of tokens', () => {
  /** The rank of each text, as its place among those that are found. */
  function ranksOf(ranks: TokenRanks, texts: readonly string[]): readonly number[] {
    const found = texts.map(text => {
      const bytes = new TextEncoder().encode(`x${text}x`);
      return ranks.find(bytes, 1, bytes.length - 1);
    });
    const sorted = found.filter(rank => rank !== NO_RANK).sort((one, other) => one - other);
    return found.map(rank => sorted.indexOf(rank));
  }

  it('is found by its bytes, in its order', () => {
    const ranks = new TokenRanks(packTokens(['b', undefined, 'a', [0xff], [0xc3], [0xa9], 'é', 'ab', 'éab']));
    assert.deepEqual(
      ranksOf(ranks, ['a', 'b', 'ab', 'éab', 'é', 'ba', 'éa', '']),
      [1, 0, 3, 4, 2, -1, -1, -1],
    );
    assert.notEqual(ranks.find(Uint8Array.of(0xff), 0, 1), NO_RANK);
    assert.equal(ranks.find(new Uint8Array(1_000), 0, 1_000), NO_RANK);
  });

  it('of tokens that are longer than fits is refused', () => {
    assert.throws(() => packTokens(['a'.repeat(256)]), /256 bytes does not fit/);
  });

  it('with a token that no two earlier ones make is refused', () => {
    assert.throws(() => packTokens(['a', 'ab', 'b']), /No two earlier tokens make the token at position 1/);
    assert.throws(() => packTokens(['a', '']), /No two earlier tokens make the token at position 1/);
  });

  it('that is cut off, or names a token that comes later, is refused', () => {
    const packed = packTokens(['a', 'b', 'ab']);
    assert.throws(() => new TokenRanks(packed.slice(1)), /is cut off/);
    assert.throws(() => unpackTokens('A'.repeat(5) + 'C'), /wrong at position 0/);
  });

  const LISTS: Readonly<Record<EncodingName, TokenList>> = {
    o200k_base: o200kTokens,
    cl100k_base: cl100kTokens,
  };
  for (const { name } of ENCODINGS)
    it(`of ${name} is unpacked byte by byte, and each of its tokens is found in its order`, () => {
      const tokens = LISTS[name]
        .filter(token => token !== undefined)
        .map(token => (typeof token === 'string' ? new TextEncoder().encode(token) : Uint8Array.from(token)));
      assert.ok(tokens.length > 100_000);
      const packed = packTokens(LISTS[name]);
      const expected = Buffer.concat(tokens.flatMap(token => [Uint8Array.of(token.length), token]));
      assert.ok(expected.equals(unpackTokens(packed)));
      const ranks = new TokenRanks(packed);
      let last = NO_RANK;
      for (const token of tokens) {
        const rank = ranks.find(token, 0, token.length);
        assert.ok(rank > last, `${token.join(' ')} has rank ${rank}, the one before it ${last}`);
        last = rank;
      }
    });

  it('of none finds none', () => {
    assert.equal(new TokenRanks(packTokens([])).find(Uint8Array.of(1), 0, 1), NO_RANK);
  });
});

describe('the tokens of a text', () => {
  const encodings = new Map<EncodingName, Encoding>();
  before(async () => {
    for (const { name } of ENCODINGS) encodings.set(name, await loadEncoding(name));
  });

  function count(name: EncodingName, text: string): object | undefined {
    return encodings.get(name)?.count(text);
  }

  it('of the documents’ examples are those that tokenizers of both encodings count', () => {
    const aicl =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:x]]';
    const texts = [
      '',
      JSON.stringify(RPC, null, 2),
      JSON.stringify(RPC),
      'CALL|figma.getFile|abc123|1.0',
      aicl,
    ];
    const tokens = ENCODINGS.map(({ name }) => texts.map(text => count(name, text)));
    const exact = (numbers: readonly number[]): readonly object[] =>
      numbers.map(number => ({ tokens: number, isExact: true }));
    assert.deepEqual(tokens, [exact([0, 71, 43, 13, 43]), exact([0, 70, 42, 12, 43])]);
  });

  for (const { name } of ENCODINGS) {
    const same = (text: string): void => {
      assert.deepEqual(count(name, text), { tokens: PEERS[name](text), isExact: true });
    };

    it(`${name}: any text has as many as the library finds`, () => {
      fc.assert(fc.property(TEXT, same));
      fc.assert(
        fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), text =>
          same(text.replaceAll('\ufeff', '')),
        ),
      );
    });

    it(`${name}: a long text has as many as the library finds, wherever it is cut into parts`, () => {
      // Long enough for several parts; its pieces are short, so that the library is done in time.
      const long = fc
        .tuple(TEXT, TEXT, fc.integer({ min: 1, max: sized(3, 1) }))
        .map(([one, other, times]) => {
          const unit = `${one}${other} `;
          return `${one}${unit.repeat(Math.ceil((times * 40_000) / unit.length))}`;
        });
      fc.assert(fc.property(long, same), { numRuns: sized(8, 2) });
      const units = ['[i:12345678]', '😀 ', 'deadbeef01', '你好世界，', '\r\n\r\n  x', "it's "];
      for (const unit of units.slice(0, sized(units.length, 2)))
        same(unit.repeat(Math.ceil(sized(70_000, 35_000) / unit.length)));
    });

    it(`${name}: long runs without a break have as many as the library finds`, () => {
      for (const unit of ['a', 'ab', 'Xy', '!', ' ', '\n', '一', '😀', '\u0301', 'é'])
        same(unit.repeat(Math.ceil(sized(2_500, 1_000) / unit.length)));
    });
  }

  it('a byte order mark is three bytes like any other', () => {
    assert.deepEqual(count('o200k_base', '\ufeff'), { tokens: 1, isExact: true });
    assert.deepEqual(count('cl100k_base', '\ufeff'), { tokens: 1, isExact: true });
  });

  itAtFullSize(
    'a run that is longer than a part can be is an estimate, and a little shorter one is not',
    () => {
      assert.deepEqual(count('o200k_base', 'a'.repeat(LONGEST_PART)), {
        tokens: LONGEST_PART / 8,
        isExact: true,
      });
      assert.deepEqual(count('o200k_base', 'a'.repeat(2 * LONGEST_PART)), {
        tokens: LONGEST_PART / 4,
        isExact: false,
      });
      assert.deepEqual(count('o200k_base', `x${'😀'.repeat(LONGEST_PART / 2)}`), {
        tokens: LONGEST_PART / 2 + 1,
        isExact: false,
      });
    },
  );

  it('are counted in slices, two texts at once where need be', () => {
    const encoding = encodings.get('o200k_base');
    assert.ok(encoding);
    const texts = ['a', 'bc'].map(unit => unit.repeat(sized(100_000, 40_000) / unit.length));
    const slices = texts.map(() => 0);
    const counts = texts.map((): unknown => undefined);
    const works = texts.map(text => encoding.counting(text));
    while (counts.includes(undefined))
      for (const [index, work] of works.entries()) {
        const step = work.next();
        if (!step.done) slices[index] = (slices[index] ?? 0) + 1;
        else counts[index] ??= step.value;
      }
    assert.deepEqual(
      counts,
      texts.map(text => encoding.count(text)),
    );
    assert.ok(
      slices.every(number => number > sized(5, 1)),
      String(slices),
    );
  });

  it('are the same where the text comes in pieces, wherever it is cut', () => {
    const encoding = encodings.get('o200k_base') ?? assert.fail();
    const text = [
      '[i:12345678]'.repeat(sized(3_000, 1_500)),
      'a'.repeat(sized(40_000, 10_000)),
      'é一😀 '.repeat(sized(8_000, 3_000)),
    ].join('');
    const whole = encoding.count(text);
    for (const length of [997, 16_384, 33_333, text.length]) {
      const counting = encoding.begin();
      for (let at = 0; at < text.length; at += length)
        runAtOnce(counting.addSteps(text.slice(at, at + length)));
      assert.deepEqual(runAtOnce(counting.endSteps()), whole, String(length));
    }
  });

  it('take a number of steps that grows with the text and not with its square', () => {
    const ranks = new TokenRanks(packTokens(['a', 'aa', 'aaaa', 'aaaaaaaa']));
    const merge = new PairMerge(ranks);
    const steps = [1_000, 8_000, 64_000].map(length => {
      merge.begin(new Uint8Array(length).fill('a'.charCodeAt(0)), length);
      let done = 0;
      while (!merge.run(1)) done++;
      assert.equal(merge.count, length / 8);
      return done / length;
    });
    assert.ok(
      steps.every(each => each < 3),
      String(steps),
    );
  });
});
