import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BodyKind } from '../../../core/secrets/credential-scanner.ts';
import { NO_SECRETS } from '../../../core/secrets/redact.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';
const inJson = (text: string): string => JSON.stringify(text);

/** Texts with a credential between `«` and `»`. */
const TEXTS: readonly (readonly [kind: BodyKind, text: string])[] = [
  [
    'any',
    '{"access_token":"«a\\"b\\\\»","token":"c","next_page_token":"d","password" : "«e»","password":["f"],"password":1}',
  ],
  ['any', '{"accessToken":"«a»","privateKey":"«b»","apiKey":"","api_key":"«c»"}'],
  ['json', '{"token":"«a»","code":"«b»","token_type":"bearer","client_secret":"«c»","secret":"«d»"}'],
  ['json', '{"token":"a","code":"b","n":{"page":"c"}}'],
  ['sign-in', '{"device_code":"«a»","user_code":"b","interval":5}'],
  ['form', "token=«a»&b=c&client_assertion=«d»&client_assertion_type=e&code=«f%20g»&password=«h(i)'j»"],
  ['any', 'token=a&b=c'],
  ['any', 'GET /a?b=c&sig=«d»&se=e#access_token=«f»&state=g; or /x?apikey=«h».'],
  [
    'any',
    'https://«me:pw»@host/?x=1 ssh://«git»@host http://host/@x http:\\/\\/«me:p%40w»\\/a@b'.replace(
      '«me:p%40w»\\/a',
      '«me:p%40w»@h\\/a',
    ),
  ],
  ['any', '"/cb?to=%2Fa%3Ftoken%3D«abc»%26page%3D2&b\\u0026key=«d»\\u0026e=f"'],
  ['any', '<a href="/?a=1&amp;token=«b»&amp;c=d">'],
  ['any', '/?user%5Bpassword%5D=«a»&user[token]=«b»&api%5Fkey=«c»'],
  ['any', 'Bearer «abc.def-123» and "Basic «dXNlcjpwYXNz»", bearer+«x1y2z3w4»'],
  ['any', 'Basic usage; Bearer token; Bearer realm="x", error="y"; Basic Authentication; unbearer abc12345'],
  ['any', `(«${JWT}»), "«sk-proj-abcdefghij0123456789»" «ghp_${'a1'.repeat(18)}».`],
  ['any', 'sk-learn-is-a-library-of-python task-sk-1 eyJhIjoxfQ== desk-abcdefghij0123456789 AKIA'],
  [
    'any',
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n«hunter2»\r\n--x\r\nContent-Disposition: form-data; name="page_token"\r\n\r\nabc\r\n--x',
  ],
  [
    'any',
    '--x\r\ncontent-disposition: form-data; filename="a;b.pem"; NAME=private_key\r\nA: b\r\nC: d\r\nE: f\r\nG: h\r\n\r\n«-----BEGIN KEY-----\r\nQUJD\r\n-----END KEY-----\r\n-----BEGIN KEY-----»\r\n--x--\r\nfollows',
  ],
  ['any', '--x\nContent-Disposition: form-data; name="token"\n\n«a\nb»\n--x\nsecret: a\n\nb\n--x--\n'],
  ['form', 'pass%77ord=«a b;c]d|e<f"g#h\\i»&api+key=«j=k.»&a=b=token=c&page_token=d'],
  ['form', 'to=https://h/?token=«a»&b=c'],
  ['any', `/?${'a_'.repeat(90)}token=«b»&%74oken=«c»&x:token=«d»&max%5Ftokens=5`],
  [
    'any',
    '/?to=https%3A%2F%2F«me%3Apw»%40h%2F%3Fa%40b&at=http%253a%252f%252f«me»%2540h and http%3A%2F%2Fh%2F%40x',
  ],
  ['any', 'x?a\\u003d1\\u0026sig\\u003D«b»\\u0026page_token\\u003dc'],
  ['any', 'BeaRer «  abcdef12345», Bearer   realm="x"'],
  ['unknown', 'basic\t«dXNlcjpwYXNz»'],
  ['any', 'CALL|get|AUTH: is a prefix|x\nLIST|AUTH:«a b»\nCALL|x|AUTH:\nCALL|y|AUTH:«c\\|d»\r\nAUTH:e'],
  ['any', `{"password":${' '.repeat(150)}"«a»"}`],
  ['unknown', ' {"token":"«a»","grant_type":"b"}'],
  ['unknown', 'OK|{"token":"a","grant_type":"b"}'],
  ['any', 'CALL|get|http://x/?token=«abc»|{"api_key":"«d»"}'],
  ['any', '[s:http://x/?token=«abc»]'],
];

const TWICE: readonly (readonly [BodyKind, string])[] = TEXTS.flatMap(([kind, text]) => {
  // What kind of body a text is shows in its head, and lines of a form are lines of the body.
  if (kind !== 'any' || text.startsWith('--x')) return [];
  return [
    [kind, inJson(text)],
    [kind, inJson(inJson(text))],
  ] as const;
});

const hide = (text: string): string => text.replace(/«[^»]*»/g, '[redacted]');
const plain = (text: string): string => text.replace(/[«»]/g, '');

describe('credentials that show themselves', () => {
  it('are found by the text before them, and nothing else is', () => {
    assert.deepEqual(
      TEXTS.map(([kind, text]) => NO_SECRETS.redactText(plain(text), kind)),
      TEXTS.map(([, text]) => hide(text)),
    );
  });

  it('are found in JSON within JSON', () => {
    assert.deepEqual(
      TWICE.map(([kind, text]) => NO_SECRETS.redactText(plain(text), kind)),
      TWICE.map(([, text]) => hide(text)),
    );
  });

  it('are found however a text is cut, but for the prefix of a token that came before', () => {
    for (const [kind, marked] of TEXTS) {
      const text = plain(marked);
      const lengths = [...marked.matchAll(/«([^»]*)»/g)].map(([, secret = '']) => secret.length);
      for (const size of [1, 2, 3, 7, 16]) {
        const stream = NO_SECRETS.openText(kind);
        const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
          stream.push(text.slice(index * size, (index + 1) * size)),
        );
        const all = [...pieces, stream.end()];
        const shown = all.map(piece => piece.text).join('');
        const expected = hide(marked);
        const hidden = all.flatMap(piece => piece.redacted.map(({ length }) => length));
        assert.equal(
          shown.replace(/(?:eyJ|eY|ey|e|sk-|sk|s|ghp_|ghp|gh|g)(?=\[redacted\])/g, ''),
          expected,
          `${size}`,
        );
        const stored = shown.length - expected.length;
        assert.equal(
          hidden.reduce((sum, length) => sum + length, stored),
          lengths.reduce((sum, length) => sum + length, 0),
        );
      }
    }
  });

  it('are replaced whole where they are long, in several parts', () => {
    const secret = 'a\\\\b'.repeat(5_000);
    const text = `{"access_token":"${secret}","page":"visible"}`;
    for (const size of [700, 9_000, text.length]) {
      const stream = NO_SECRETS.openText();
      let shown = '';
      let hidden = 0;
      for (let at = 0; at < text.length; at += size) {
        const piece = stream.push(text.slice(at, at + size));
        shown += piece.text;
        for (const { length } of piece.redacted) hidden += length;
      }
      shown += stream.end().text;
      assert.match(shown, /^\{"access_token":"(?:\[redacted\])+","page":"visible"\}$/);
      assert.equal(hidden, secret.length);
    }
  });

  it('hold back little of a text that only looks like one', () => {
    const stream = NO_SECRETS.openText();
    let passed = 0;
    for (let at = 0; at < 40; at++) passed += stream.push(`eyJ${'a'.repeat(1_000)}`).text.length;
    assert.ok(passed > 30_000, String(passed));
  });
});
