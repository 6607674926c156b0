import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { t, URI } from '../../../scripts/build/json-service-parts.ts';

describe('what bundles contain instead of packages of the JSON language service', () => {
  it('reads the addresses that the service uses', () => {
    for (const [text, scheme, bare] of [
      ['parley:/argument', 'parley', 'parley:/argument'],
      ['https://a.example/x?y=1#z', 'https', 'https://a.example/x'],
    ] as const) {
      const uri = URI.parse(text);
      assert.deepEqual([uri.scheme, uri.toString(), uri.with().toString()], [scheme, text, bare]);
    }
    assert.throws(() => URI.parse('no address'), TypeError);
  });

  it('fills values into messages', () => {
    assert.deepEqual(
      [t('Value is not accepted.'), t('{1} before {0}, {2} and {name}', 'one', 2), t('Expected {0}.', 0)],
      ['Value is not accepted.', '2 before one, {2} and {name}', 'Expected 0.'],
    );
  });
});
