import { protocolOf } from '../support/protocol.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeNetworkError, describeTimeout } from '../../agents/http/failure.ts';
import { describeForeignReply } from '../../agents/http/foreign.ts';
import { Redactor } from '../../core/secrets/redact.ts';

const progress = {
  method: 'POST',
  url: new URL('http://tools.example:81/x?key=k'),
  isConnected: false,
  statusLine: undefined,
  received: 0,
};
const TRIED = 'Tried POST http://tools.example:81/x?key=[redacted]';

/** An error as Node makes it, with its code. */
function failed(code: string, message = ''): Error {
  return Object.assign(new Error(message), { code });
}

describe('what a test cannot bring about on loopback', () => {
  const errors: readonly (readonly [code: string, rest: string])[] = [
    ['ENOTFOUND', "there is no host 'tools.example'; correct the agent's url"],
    ['EAI_AGAIN', "the name 'tools.example' could not be looked up; check the network and the agent's url"],
    ['EHOSTUNREACH', "tools.example:81 cannot be reached; check the network and the agent's url"],
    ['CERT_HAS_EXPIRED', "the agent's certificate has expired; renew it"],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "the agent's certificate is not for 'tools.example'; correct its url"],
    ['EMFILE', 'that failed: too many'],
  ];
  for (const [code, rest] of errors) {
    it(`has one sentence for ${code}`, () => {
      assert.deepEqual(describeNetworkError(failed(code, 'too many'), progress), {
        kind: 'unreachable',
        code,
        message: `${TRIED}, but ${rest}`,
      });
    });
  }

  it('finds the code of a name with several addresses', () => {
    const error = new AggregateError([failed('ECONNREFUSED'), failed('ECONNREFUSED')]);
    assert.equal(describeNetworkError(error, progress).code, 'ECONNREFUSED');
  });

  it('finds the words of an HTML page, also in one that is made of half tags', () => {
    const head = { status: 200, line: '200 OK', headers: [] };
    const came = (body: string): string => {
      const sentence = describeForeignReply({
        protocol: protocolOf('aicl'),
        url: progress.url,
        head,
        body,
        redactor: new Redactor([]),
      });
      return sentence.replace(`${TRIED}: 200 OK came with `, '').replace(/ and no LightAICL .*/, '');
    };
    assert.deepEqual(
      [
        '<html><title>a</title><pre class="x">b</pre>',
        `<html>${'<pre'.repeat(200_000)}`,
        `<html>${'<title '.repeat(200_000)}`,
      ].map(came),
      ["an HTML page ('b')", 'an HTML page', 'an HTML page'],
    );
  });

  it('has one sentence for a connection that does not come about', () => {
    assert.deepEqual(describeTimeout('connect', 2500, progress), {
      kind: 'timeout',
      code: 'TIMEOUT',
      message: `${TRIED}, but no connection was established within 2.5 s; wait for the agent or raise its 'timeout'`,
    });
  });
});
