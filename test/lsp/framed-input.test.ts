import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'mocha';
import { StreamMessageReader } from 'vscode-languageserver/node';
import { FramedInput, makeDecoder } from '../../server/src/framed-input.ts';

/** What passes of an input that comes in chunks of a length, and what is wrong with the input. */
async function pass(
  text: string,
  length: number,
): Promise<readonly [passed: string, faults: readonly string[]]> {
  const faults: string[] = [];
  const input = new FramedInput(fault => faults.push(fault));
  const chunks: Buffer[] = [];
  input.on('data', (chunk: Buffer) => chunks.push(chunk));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) input.write(bytes.subarray(at, at + length));
  input.end();
  await once(input, 'end');
  return [Buffer.concat(chunks).toString(), faults];
}

const GOOD =
  'Content-Length: 4\r\n\r\n"ä"content-length : 0\r\nContent-Type: x; charset=utf-8\r\n\r\nContent-Length: 1\r\n\r\n7';

const PASSED = 'Content-Length: 4\r\n\r\n"ä"Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n7';

const HINT = "; a message begins with 'Content-Length: ' and its length in bytes";

describe('the input of the language server', () => {
  it('passes messages, however they are cut into chunks', async () => {
    for (const length of [1, 2, 3, 7, 1000]) assert.deepEqual(await pass(GOOD, length), [PASSED, []]);
  });

  it('reports a message that is no JSON, however it is cut into chunks, and goes on', async () => {
    const bytes = Buffer.from(`Content-Length: 5\r\n\r\n{"a":${GOOD}`);
    for (const length of [1, 3, 1000]) {
      const input = new FramedInput(assert.fail);
      const [foreign, errors, messages]: [string[], Error[], unknown[]] = [[], [], []];
      const decoder = makeDecoder(message => foreign.push(message));
      const reader = new StreamMessageReader(input, { contentTypeDecoder: decoder });
      reader.onError(error => errors.push(error));
      const read = new Promise(resolve => {
        reader.listen(message => {
          messages.push(message);
          if (messages.length === 2) resolve(undefined);
        });
      });
      for (let at = 0; at < bytes.length; at += length) input.write(bytes.subarray(at, at + length));
      await read;
      input.destroy();
      assert.deepEqual(messages, ['ä', 7]);
      assert.deepEqual(foreign, [
        `A message is not JSON and is passed over: '{"a":'`,
        `A message is not JSON and is passed over: ''`,
      ]);
      assert.equal(errors.length, 2);
    }
  });

  for (const [head, fault] of [
    ['Content-Length: -5', "The Content-Length '-5' is not a length"],
    ['Content-Length: +5', "The Content-Length '+5' is not a length"],
    ['Content-Length: 0x10', "The Content-Length '0x10' is not a length"],
    ['Content-Length: 1.5', "The Content-Length '1.5' is not a length"],
    ['Content-Length: NaN', "The Content-Length 'NaN' is not a length"],
    ['Content-Length:', "The Content-Length '' is not a length"],
    ['Content-Length: 4, 4', "The Content-Length '4, 4' is not a length"],
    [
      'Content-Length: 268435457',
      "The Content-Length '268435457' is more than the 268435456 bytes that are read",
    ],
    [
      'Content-Length: 99999999999999999999',
      "The Content-Length '99999999999999999999' is more than the 268435456 bytes that are read",
    ],
    ['Content-Length: 4\r\ncontent-length: 4', 'A message has 2 headers Content-Length'],
    ['Content-Type: x', 'A message has no Content-Length'],
    ['', "The line '' in the head of a message is not a header"],
    ['{"jsonrpc":"2.0"}', `The line '{"jsonrpc":"2.0"}' in the head of a message is not a header`],
    [
      'GET / HTTP/1.1\r\nContent-Length: 4',
      "The line 'GET / HTTP/1.1' in the head of a message is not a header",
    ],
    [`X: ${'x'.repeat(9000)}`, 'A head of a message has more than 8192 bytes'],
  ] as const)
    it(`refuses ${JSON.stringify(head.slice(0, 50))}, and passes what came before`, async () => {
      for (const length of [7, 1000])
        assert.deepEqual(await pass(`${GOOD}${head}\r\n\r\nnullContent-Length: 1\r\n\r\n7`, length), [
          PASSED,
          [`${fault}${HINT}`],
        ]);
    });
});
