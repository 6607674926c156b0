import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeField } from '../../../language/aicf/codec.ts';
import { encodeJsonPart } from '../../../language/aicf/json-field.ts';
import { findAicfCredential } from '../../../language/aicf/parse.ts';
import { escapeText } from '../../../language/aicl/escapes.ts';
import { describe, it } from 'mocha';
import { fromByteText, toByteText } from '../../../agents/stored-bytes.ts';
import { Redactor, findCredentials, redactRequestLine, redactUrl } from '../../../core/secrets/redact.ts';
import { runs, sized } from '../../support/size.ts';

describe('redactUrl', () => {
  const urls: readonly (readonly [string, string])[] = [
    [
      'http://x/?key=a&b=c&token=d&api_key=e&access_token=f',
      'http://x/?key=[redacted]&b=c&token=[redacted]&api_key=[redacted]&access_token=[redacted]',
    ],
    ['http://x/?KEY=a#z', 'http://x/?KEY=[redacted]#z'],
    ['http://x/?monkey=a&keys=b', 'http://x/?monkey=a&keys=b'],
    ['http://me:pw@x/', 'http://[redacted]@x/'],
    ['http://x/a@b?key=', 'http://x/a@b?key='],
  ];
  for (const [url, shown] of urls) {
    it(url, () => {
      assert.equal(redactUrl(url), shown);
      assert.equal(redactUrl(shown), shown);
      assert.equal(redactRequestLine(`POST ${url}`), `POST ${shown}`);
    });
  }
});

describe('findAicfCredential', () => {
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['CALL|t|a|AUTH:tok', 'tok'],
    ['CALL|t|AUTH:a\\|b\\\\\r\n', 'a\\|b\\\\'],
    ['CALL|t|AUTH:tok|a', undefined],
    ['CALL|t|xAUTH:tok', undefined],
    ['CALL|t|AUTH: ', undefined],
    ['CALL|t|a\\|AUTH:tok', undefined],
    ['AUTH:tok', undefined],
    ['LIST|AUTH:tok', 'tok'],
    ['Request: CALL|t|AUTH:tok', 'tok'],
    // A tool's name, as validation reads it.
    ['INFO|AUTH:tok', undefined],
    ['', undefined],
  ];
  for (const [line, credential] of lines) {
    it(JSON.stringify(line), () => assert.equal(findAicfCredential(line), credential));
  }
});

it('findCredentials finds a token as a body in UTF-8 repeats it, and none of one character', () => {
  const sent = Buffer.from('ключ+100%').toString('latin1');
  assert.deepEqual(findCredentials('/', [['X-API-Key', sent]]), [sent, sent, 'ключ+100%']);
  assert.deepEqual(findCredentials('/', [['Authorization', 'Bearer x']]), ['Bearer x']);
  assert.deepEqual(findCredentials('http://me:p@x/', [['X-API-Key', 'x']]), []);
});

it('findCredentials finds what an address and headers carry', () => {
  const headers = new Map([
    ['Authorization', 'Bearer abc'],
    ['X-Other', 'x'],
  ]);
  assert.deepEqual(findCredentials('http://me:p%40w@x/?token=a%20b', headers), [
    'a%20b',
    'a b',
    'p%40w',
    'p@w',
    'Bearer abc',
    'abc',
  ]);
  // A head may have a header twice.
  const twice = [
    ['Cookie', 'a=1'],
    ['cookie', 'b=2'],
    ['X-API-Key', 'one'],
    ['X-API-Key', 'two'],
  ] as const;
  assert.deepEqual([...new Set(findCredentials('/', twice))], ['a=1', 'b=2', 'one', 'two']);
  for (const [url, ...found] of [
    ['http://ghp_x@host/', 'ghp_x', 'ghp_x'],
    ['http://ghp%5Fx:@host/', 'ghp%5Fx', 'ghp_x'],
    ['http://me@host/'],
    ['http://host/a:b@c'],
  ])
    assert.deepEqual(findCredentials(url ?? '', new Map()), found, url);
});

describe('Redactor', () => {
  it('finds a secret as a field, a text of AICL and JSON in a field write it', () => {
    const secret = 'a]b"c|d\\e\\';
    const inField = JSON.stringify(secret).slice(1, -1);
    const forms = [
      encodeField(secret),
      encodeField(inField),
      encodeJsonPart(secret),
      escapeText(secret),
      escapeText(`${secret}]`).slice(0, -'\\u005D'.length),
    ];
    assert.equal(new Set(forms).size, forms.length);
    const redactor = new Redactor([secret]);
    assert.deepEqual(
      forms.map(form => redactor.redactText(`<${form}>`)),
      forms.map(() => '<[redacted]>'),
    );
  });

  it('finds a secret whose carriage returns were sent as line feeds', () => {
    const redactor = new Redactor(['one\r\ntwo\rthree', { value: 'a\rb\rc', template: '{{secret x}}' }]);
    assert.equal(
      redactor.redactText(`CALL|t|${encodeField('one\r\ntwo\rthree')}|${encodeField('a\rb\rc')}`),
      'CALL|t|[redacted]|[redacted]',
    );
  });

  it('replaces headers by name, by where they come from and by what they hold', () => {
    const redactor = new Redactor(['s3c'], ['X-Own']);
    const names = [
      'Authorization',
      'proxy-authorization',
      'Cookie',
      'SET-COOKIE',
      'X-API-Key',
      'X-AIP-API-Key',
      'api-key',
      'x-own',
    ];
    assert.deepEqual(
      redactor.redactHeaders(names.map(name => ({ name, value: 'value' }))),
      names.map(name => ({ name, value: '[redacted]', redacted: 5 })),
    );
    assert.deepEqual(
      redactor.redactHeaders([
        { name: 'x', value: 'y' },
        { name: 'l', value: '/?a=s3c&key=k' },
      ]),
      [
        { name: 'x', value: 'y' },
        { name: 'l', value: '/?a=[redacted]&key=[redacted]', redacted: 13 },
      ],
    );
  });

  it('replaces each form of a secret', () => {
    const secret = 'a/b "c"\\d|ü 1';
    const redactor = new Redactor([secret, '']);
    const forms = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
      JSON.stringify(secret).slice(1, -1).replace('ü', '\\u00fc'),
      'a/b "c"\\\\d\\|ü 1',
      encodeURIComponent(secret),
      new URLSearchParams({ k: secret }).toString().slice(2),
    ];
    assert.deepEqual(
      forms.map(form => redactor.redactText(`<${form}>`)),
      forms.map(() => '<[redacted]>'),
    );
    for (const around of ['', 'x', 'xy', 'xyz']) {
      const base64 = Buffer.from(`${around}${secret}${around}`).toString('base64');
      const shown = redactor.redactText(base64);
      assert.ok(shown.includes('[redacted]'), base64);
      // What is left of the digits tells less than a byte of the secret at either end.
      assert.ok(
        !Buffer.from(shown.replace(/.*\[redacted\]/, ''), 'base64')
          .toString('latin1')
          .includes('1'),
        shown,
      );
    }
  });

  it('cuts a text without a part of a secret at its end', () => {
    const redactor = new Redactor(['secret']);
    assert.deepEqual(
      [4, 8, 9, 14, 15, 99].map(length => redactor.redactStart('a se secret 😀', length)),
      ['a ', 'a se ', 'a se ', 'a se [redacted] 😀', 'a se [redacted] 😀', 'a se [redacted] 😀'],
    );
    assert.equal(redactor.redactStart('a se secret 😀', 13), 'a se [redacted] ');
  });

  it('takes the longest of secrets that begin alike', () => {
    const stream = new Redactor(['abc', 'abcdef']).openText();
    assert.deepEqual(
      [stream.push('xabc'), stream.push('defabc'), stream.push('x'), stream.push('ab'), stream.end()],
      [
        { text: 'x', redacted: [] },
        { text: '[redacted]', redacted: [{ at: 0, length: 6 }] },
        { text: '[redacted]x', redacted: [{ at: 0, length: 3 }] },
        { text: '', redacted: [] },
        { text: 'ab', redacted: [] },
      ],
    );
  });

  const alphabet = fc.constantFrom(
    'a',
    'b',
    'ü',
    '/',
    '"',
    '\\',
    '|',
    ' ',
    '.',
    '*',
    '(',
    '\u{d800}',
    '\u{1f600}',
  );
  const texts = fc.array(alphabet).map(parts => parts.join(''));
  const secrets = fc.array(texts, { maxLength: 3 });

  it('gives the same however a stream is cut', () => {
    fc.assert(
      fc.property(secrets, fc.array(texts), (hidden, pieces) => {
        const redactor = new Redactor(hidden);
        const stream = redactor.openText();
        const shown = [...pieces.map(piece => stream.push(piece).text), stream.end().text].join('');
        assert.equal(shown, redactor.redactText(pieces.join('')));
        for (const secret of hidden.filter(each => each.length > 0 && !'[redacted]'.includes(each))) {
          assert.ok(!shown.replaceAll('[redacted]', '\n').includes(secret));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('marks the place and the length of what it replaced in bytes', () => {
    fc.assert(
      fc.property(secrets, fc.array(fc.uint8Array({ maxLength: 8 })), (hidden, pieces) => {
        const words = hidden.map(each => Buffer.from(each.replaceAll('\u{d800}', 'x')));
        const all = [...words, ...pieces.map(piece => Buffer.from(piece)), ...words];
        const stream = new Redactor(words.map(each => each.toString())).openBytes();
        const shown = [...all.map(each => stream.push(toByteText(each))), stream.end()];
        let replaced = 0;
        for (const { text, redacted } of shown) {
          for (const { at, length } of redacted) {
            assert.equal(text.slice(at, at + 10), '[redacted]');
            replaced += length - 10;
          }
        }
        const length = shown.reduce((sum, each) => sum + fromByteText(each.text).length, 0);
        assert.equal(length + replaced, Buffer.concat(all).length);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('a text of megabytes', () => {
  it('is redacted in slices, to the same text', () => {
    const redactor = new Redactor(['a-secret-value']);
    // In the gate there is more between the secrets.
    const text = `lorem a-secret-value ipsum ${'-'.repeat(sized(0, 1_000))}`.repeat(sized(80_000, 300));
    const steps = redactor.redactSteps(text);
    let slices = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) slices++;
    assert.ok(step.value === redactor.redactText(text));
    assert.ok(slices >= text.length / 2 ** 18, `${slices} slices`);
    assert.ok(!step.value.includes('a-secret'));
  });
});
