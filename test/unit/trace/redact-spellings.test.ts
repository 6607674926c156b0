import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { escapeField } from '../../../language/aicf/codec.ts';
import { escapeText } from '../../../language/aicl/escapes.ts';
import { listPatterns } from '../../../core/secrets/redact-patterns.ts';
import { SecretAutomaton } from '../../../core/secrets/redact-automaton.ts';
import { SecretStream } from '../../../core/secrets/redact-stream.ts';
import { SecretSearch } from '../../../core/secrets/secret-search.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { share } from '../../support/share.ts';
import { itAtFullSize, runs, sized } from '../../support/size.ts';

/** What secrets are made of: what the encoders leave alone, and what each of them changes. */
const CHARACTER = fc.constantFrom(
  ...'abcxyzABC0159-_.~"\\/|][+% &=\n\t\r\b\f\'{}',
  'ü',
  '中',
  '\u2028',
  '\u{1f600}',
);
const SECRET = fc.array(CHARACTER, { minLength: 4, maxLength: 12 }).map(parts => parts.join(''));

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Ways to write a character, by the encoders of the platform and the protocols; digits in hexadecimal in either case. */
const WAYS: readonly ((character: string) => string)[] = [
  character => character,
  inJson,
  character => inJson(inJson(character)),
  character => inJson(inJson(inJson(character))),
  character => character.replaceAll('/', '\\/'),
  character => inJson(character).replaceAll('/', '\\/'),
  unicode,
  character => unicode(character).toUpperCase().replaceAll('\\U', '\\u'),
  character => inJson(unicode(character)),
  escapeField,
  character => escapeField(inJson(character)),
  character => inJson(escapeField(character)),
  character => escapeText(character),
  character => encodeURIComponent(character),
  character =>
    encodeURIComponent(character)
      .toLowerCase()
      .replace(/^[a-z]$/, () => character),
  character => encodeURI(character),
  character => encodeURIComponent(encodeURIComponent(character)),
  character => encodeURIComponent(inJson(character)),
  character => new URLSearchParams({ k: character }).toString().slice(2),
  percent,
];

function unicode(text: string): string {
  return text.replace(/[^]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function percent(text: string): string {
  return [...Buffer.from(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The text around a secret: no character of it is in a secret or in a spelling of one. */
const AROUND = fc
  .array(fc.constantFrom(':', '<', '>', ';', '#', 'é'), { maxLength: 5 })
  .map(parts => parts.join(''));

/** What comes out of a text in pieces cut at these shares of its length: with marks for what was replaced. */
function redact(
  stream: SecretStream,
  text: string,
  cuts: readonly number[],
): { text: string; lengths: number[] } {
  const places = [...cuts.map(cut => Math.floor(cut * text.length)), text.length].sort((a, b) => a - b);
  const pieces = places.map((end, index) => text.slice(places[index - 1] ?? 0, end));
  const shown = [...pieces.map(piece => stream.push(piece)), stream.end()];
  return {
    text: shown.map(piece => piece.text).join(''),
    lengths: shown.flatMap(piece => piece.redacted.map(({ length }) => length)),
  };
}

const CUTS = fc.array(share, { maxLength: 6 });

describe('Spellings of a secret', () => {
  it('finds a secret of which each character is written in any way, in texts and in bytes', () => {
    const ways = fc.array(fc.constantFrom(...WAYS), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(SECRET, ways, AROUND, AROUND, CUTS, (secret, chosen, before, after, cuts) => {
        const written = [...secret].map((character, at) => chosen[at]?.(character) ?? '').join('');
        const redactor = new Redactor([secret]);
        assert.deepEqual(redact(redactor.openText(), `${before}${written}${after}`, cuts), {
          text: `${before}[redacted]${after}`,
          lengths: [written.length],
        });
        const toBytes = (text: string): string => Buffer.from(text).toString('latin1');
        assert.deepEqual(redact(redactor.openBytes(), toBytes(`${before}${written}${after}`), cuts), {
          text: toBytes(`${before}[redacted]${after}`),
          lengths: [Buffer.byteLength(written)],
        });
      }),
      { numRuns: runs(400) },
    );
  });

  it('finds its Base64 anywhere in other Base64, in both alphabets, padded or not, in lines', () => {
    // A backslash beside a secret may be what JSON makes of it, and so may a byte that has as many bits of one as a digit shows.
    const isLikeBackslash = (byte: number): boolean => (byte & 0x0f) === 0x0c || (byte & 0xfc) === 0x5c;
    const bytes = fc
      .uint8Array({ maxLength: 7 })
      .map(each => each.map(byte => (isLikeBackslash(byte) ? 0 : byte)));
    const forms = fc.record({
      isUrl: fc.boolean(),
      isPadded: fc.boolean(),
      width: fc.constantFrom(0, 4, 5, 7),
      line: fc.constantFrom('\n', '\r\n', '\\n', '\\r\\n', '\\\\n', '%0D%0a', '%0A'),
      isJson: fc.boolean(),
    });
    fc.assert(
      fc.property(SECRET, bytes, bytes, forms, CUTS, (secret, before, after, form, cuts) => {
        const own = Buffer.from(form.isJson ? inJson(secret) : secret);
        const all = Buffer.concat([before, own, after]).toString('base64');
        const start = Math.ceil((before.length * 8) / 6);
        const end = after.length === 0 ? all.length : Math.ceil(((before.length + own.length) * 8) / 6);
        const write = (from: number, to: number): string => {
          const digits = [...all.slice(from, to)].filter(digit => form.isPadded || digit !== '=');
          const broken = digits.map((digit, at) => {
            const isBreak = form.width > 0 && from + at > 0 && (from + at) % form.width === 0;
            const written = form.isUrl ? digit.replace('+', '-').replace('/', '_') : digit;
            return `${isBreak ? form.line : ''}${written}`;
          });
          return broken.join('');
        };
        const [head, middle, tail] = [write(0, start), write(start, end), write(end, all.length)];
        // A break before the first digit of the secret is not of it.
        const [lead = ''] = form.width > 0 && start > 0 && start % form.width === 0 ? [form.line] : [];
        assert.deepEqual(redact(new Redactor([secret]).openText(), `<${head}${middle}${tail}>`, cuts), {
          text: `<${head}${lead}[redacted]${tail}>`,
          lengths: [middle.length - lead.length],
        });
      }),
      { numRuns: runs(400) },
    );
  });

  it('finds a short secret where it is all that was encoded', () => {
    const encoded = ['a', 'ab', 'abc'].map(secret => Buffer.from(secret).toString('base64'));
    assert.deepEqual(
      ['a', 'ab', 'abc'].map((secret, at) => new Redactor([secret]).redactText(`<${encoded[at] ?? ''}>`)),
      ['<[redacted]>', '<[redacted]>', '<[redacted]>'],
    );
  });

  it('replaces nothing else', () => {
    const redactor = new Redactor(['s3cr3t/"+', 'päss word']);
    const others = [
      's3cr3t/ "+',
      's3cr3t/\\u0022',
      's3cr3t%2f%22',
      'p\\u00e5ss word',
      'p%C3%A5ss+word',
      'p%C3 ss+word',
      'S3cr3t/"+',
      'czNjcjN1Lz',
      '\\'.repeat(50),
      '%25'.repeat(50),
    ];
    assert.deepEqual(
      others.map(other => redactor.redactText(other)),
      others,
    );
  });

  it('replaces secrets that overlap as one, and leaves no end of either', () => {
    const redactor = new Redactor(['abcabc', 'bcdef']);
    assert.deepEqual(
      ['abcabcabc', 'abcabcdef', 'abcabcabcabcdefx', 'abcabbcdef'].map(text =>
        redactor.redactText(`-${text}-`),
      ),
      ['-[redacted]-', '-[redacted]-', '-[redacted]x-', '-abcab[redacted]-'],
    );
  });

  it('holds back little of a run of backslashes, and begins a secret late in it', () => {
    const stream = new Redactor(['"quoted"']).openText();
    const held = [1_000, 1_000].map(length => stream.push('\\'.repeat(length)).text.length);
    const rest = [stream.push('"quoted\\"'), stream.end()].map(({ text, redacted }) => [
      text.length,
      redacted.map(({ length }) => length),
    ]);
    // The last quote may be the first of another secret, which would overlap with this one.
    assert.deepEqual(
      [held, rest],
      [
        [992, 1_000],
        [
          [0, []],
          [10, [17]],
        ],
      ],
    );
  });

  it('finds the whole of a run of backslashes that two characters of a secret share', () => {
    const redactor = new Redactor(['\\"quoted']);
    const written = [2, 3, 4, 11, 16].map(length => `<${'\\'.repeat(length)}"quoted>`);
    assert.deepEqual(
      written.map(text => redactor.redactText(text)),
      written.map(() => '<[redacted]>'),
    );
  });

  it('follows no more than the places of a secret of backslashes, whatever it may continue', () => {
    const set = new SecretAutomaton(listPatterns([`${'\\'.repeat(8)}x`], 'text'));
    const stream = new SecretStream(new SecretSearch(() => set, 'any'));
    const length = sized(10_000, 1_000);
    stream.push('\\'.repeat(length));
    assert.ok(stream.work / length < 8 * 9 + 2, String(stream.work / length));
  });

  it('compares each character a bounded number of times, whatever comes', () => {
    const secret = 'tokentoken\\"\\"token';
    const encoded = Buffer.from(secret).toString('base64');
    const texts = [
      '\\',
      '%',
      '%25',
      '\\u',
      '\\u0074',
      '%74',
      'token',
      'token\\',
      'toke',
      secret.slice(0, -1),
      encoded.slice(0, -4),
      `${encoded.slice(0, -4)}\n`,
      secret,
    ];
    for (const units of ['text', 'bytes'] as const) {
      const set = new SecretAutomaton(listPatterns([secret], units));
      const perCharacter = texts.map(text => {
        const stream = new SecretStream(new SecretSearch(() => set, 'any'));
        const all = text.repeat(Math.ceil(sized(20_000, 4_000) / text.length));
        for (let at = 0; at < all.length; at += 777) stream.push(all.slice(at, at + 777));
        return [text, stream.work / all.length] as const;
      });
      assert.deepEqual(
        perCharacter.filter(([, work]) => work > 12),
        [],
      );
    }
  });

  it('follows something at less than half of the characters of a text without a secret, though it has the beginning of one', () => {
    const set = new SecretAutomaton(listPatterns(['hunter2-and-more'], 'text'));
    const stream = new SecretStream(new SecretSearch(() => set, 'any'));
    const text = JSON.stringify({ text: 'Where the hunter hides, "he" hopes; \\n is 100% of it.' }).repeat(
      1_000,
    );
    assert.equal(stream.push(text).text.length + stream.end().text.length, text.length);
    assert.ok(stream.work < text.length / 2, String(stream.work / text.length));
  });

  it('follows no more in a text for many secrets than for one', () => {
    const secrets = Array.from({ length: 20 }, (_, index) => `xq${index}-zj_${index * 7919}"#`);
    const set = new SecretAutomaton(listPatterns(secrets, 'bytes'));
    const stream = new SecretStream(new SecretSearch(() => set, 'any'));
    const text = JSON.stringify({ text: 'He said "yes" to 12 of\n them, 100% of it.' }).repeat(1_000);
    assert.equal(stream.push(text).text.length + stream.end().text.length, text.length);
    assert.ok(stream.work < text.length / 2, String(stream.work / text.length));
  });

  const SHORT_AND_LONG = [
    'x',
    'xy',
    'x"',
    '\\',
    '\\x',
    'xyz',
    'xyzw',
    'xyzwv',
    '中',
    'xyzwv-abc-123',
  ] as const;

  it('finds short secrets beside long ones at every place of a text', () => {
    const long = 'a-much-longer-secret';
    for (const short of SHORT_AND_LONG) {
      const redactor = new Redactor([long, short]);
      const ways = [short, inJson(short), inJson(inJson(short)), percent(short), unicode(short), long];
      const texts = ways.flatMap(way =>
        Array.from({ length: sized(144, 29) }, (_, nth) => {
          const index = nth * sized(1, 5);
          const [before, after] = [':'.repeat(index % 12), ';'.repeat(Math.floor(index / 12))];
          return [before, way, after] as const;
        }),
      );
      assert.deepEqual(
        texts.map(parts => redactor.redactText(parts.join(''))),
        texts.map(([before, , after]) => `${before}[redacted]${after}`),
        short,
      );
    }
  });

  /** Asserts that each is found behind what came before, and something is followed at most at some share of that. */
  function assertFound(before: string, most: number): void {
    const long = 'a-much-longer-secret';
    for (const short of SHORT_AND_LONG) {
      const set = new SecretAutomaton(listPatterns([long, short], 'text'));
      const stream = new SecretStream(new SecretSearch(() => set, 'any'));
      assert.equal(stream.push(before).text, before);
      if (short.length > 5)
        assert.ok(stream.work < before.length * most, String(stream.work / before.length));
      const ways = [short, inJson(short), inJson(inJson(short)), percent(short), unicode(short), long];
      const texts = ways.flatMap(way => Array.from({ length: 12 }, (_, index) => [':'.repeat(index), way]));
      const pieces = texts.flatMap(parts => [...parts, '\n']).map(piece => stream.push(piece).text);
      assert.equal(
        [...pieces, stream.end().text].join(''),
        texts.map(([start = '']) => `${start}[redacted]\n`).join(''),
        short,
      );
    }
  }

  it('finds them as well where something came before, and follows something at half of that at most', () => {
    assertFound(': no secret ;'.repeat(6_000), 1 / 2);
  });

  // In a long text it skips most characters.
  itAtFullSize(
    'finds them as well where much came before, and follows something at a fifth of that at most',
    () => {
      assertFound(': no secret ;'.repeat(200_000), 1 / 5);
    },
  );
});
