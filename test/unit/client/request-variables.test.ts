import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EnvironmentService } from '../../../client/src/services/agent-service.ts';
import { resolveTask } from '../../../client/src/agents/request-variables.ts';

const ENVIRONMENTS = {
  list: () =>
    Promise.resolve({
      names: [],
      chosen: '',
      problems: [],
      variables: [{ name: 'token', value: '{{$env PARLEY_TEST_TOKEN}}' }],
    }),
} as unknown as EnvironmentService;

const SCOPE = { variables: [], requests: [], below: [] };

describe('the variables of a request that is sent from the editor', () => {
  it('contain those of the process only with consent, which names each that has a value', async () => {
    process.env['PARLEY_TEST_TOKEN'] = 'tok-en';
    const asked: (readonly string[])[] = [];
    const resolve = (wireText: string, answer: 'allow' | 'refuse'): ReturnType<typeof resolveTask> =>
      resolveTask(
        {
          agent: 'a',
          language: 'aicf',
          wireText,
          scope: SCOPE,
          reply: () => undefined,
          uri: 'file:///x.aicf',
        },
        ENVIRONMENTS,
        () => Promise.resolve(undefined),
        names => {
          asked.push(names);
          return Promise.resolve(answer === 'allow');
        },
        { folder: '/', workspace: undefined },
      );
    try {
      for (const text of ['CALL|x|{{$env PARLEY_TEST_TOKEN}}', 'CALL|x|{{token}}']) {
        assert.equal(await resolve(text, 'refuse'), undefined);
        const sent = await resolve(text, 'allow');
        assert.equal(sent?.ok && sent.wireText, 'CALL|x|tok-en');
      }
      assert.deepEqual(asked, Array(4).fill(['PARLEY_TEST_TOKEN']));
      assert.equal((await resolve('CALL|x|{{$env PARLEY_NOT_THERE}}', 'refuse'))?.ok, false);
      assert.equal((await resolve('CALL|x|{{$uuid}}', 'refuse'))?.ok, true);
      assert.equal(asked.length, 4);
      assert.deepEqual(await resolve('CALL|x|{{file a.png}}', 'refuse'), {
        ok: false,
        problems: [
          "The file 'a.png' is not sent: open the folder of this request, because only files of a workspace are",
        ],
      });
    } finally {
      delete process.env['PARLEY_TEST_TOKEN'];
    }
  });
});
