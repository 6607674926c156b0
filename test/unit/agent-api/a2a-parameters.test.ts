import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { convertText } from '../../../protocols/convert/convert.ts';

function convert(
  text: string,
  from: ConversionName,
  to: ConversionName,
): { text: string; losses: readonly string[] } {
  const result = convertText(text, { protocols: ALL_PROTOCOLS, from, to, layout: 'compact' });
  return {
    text: result.text.trim(),
    losses: result.losses.map(({ path, message }) => `${path}: ${message}`),
  };
}

const task = (constraints: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_request],[s:task]:[s:Hi],[s:constraints]:[d:${constraints}]]`;

const configurationOf = (text: string): unknown =>
  (JSON.parse(text) as { params: { configuration?: unknown } }).params.configuration;

describe('the parameters of an A2A message', () => {
  it('are the constraints of a task, where name, type and range are theirs', () => {
    const { text, losses } = convert(
      task('[s:acceptedOutputModes]:[l:[s:text/plain]],[s:historyLength]:[i:3],[s:blocking]:[b:false]'),
      'aicl',
      'a2a',
    );
    assert.deepEqual(configurationOf(text), {
      acceptedOutputModes: ['text/plain'],
      historyLength: 3,
      returnImmediately: true,
    });
    assert.deepEqual(losses, []);
    assert.match(convert(text, 'a2a', 'aicl').text, /\[s:historyLength\]:\[i:3\],\[s:blocking\]:\[b:false\]/);
  });

  for (const [what, constraints, reason] of [
    ['of a wrong type', '[s:historyLength]:[s:many]', 'historyLength only as a whole number'],
    ['out of range', '[s:historyLength]:[i:-1]', 'historyLength only as a whole number'],
    ['of another name', '[s:temperature]:[f:0.5]', 'no parameter temperature'],
  ] as const)
    it(`are no constraints ${what}: these are data after the task`, () => {
      const { text, losses } = convert(task(constraints), 'aicl', 'a2a');
      assert.equal(configurationOf(text), undefined);
      assert.match(text, /"data":\{/);
      assert.ok(losses.join().includes(reason), losses.join());
    });

  it('stay as they are in a message that calls a tool', () => {
    const call =
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"role":"ROLE_USER","parts":[{"data":{"tool":"t","arguments":{}}}],"messageId":"m"},"configuration":{"historyLength":2}}}';
    assert.deepEqual(configurationOf(convert(call, 'a2a', 'a2a').text), { historyLength: 2 });
  });
});
