import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Memento, SecretStorage } from 'vscode';
import { describeReceiver, Secrets } from '../../../client/src/agents/secrets.ts';

/** Secrets in memory, with a user who answers as configured; `asked` says what the user was asked. */
function openSecrets(answers: { value?: string; grant: boolean }): { secrets: Secrets; asked: string[] } {
  const stored = new Map<string, string>();
  const state = new Map<string, unknown>();
  const asked: string[] = [];
  const storage = {
    get: (key: string) => Promise.resolve(stored.get(key)),
    store: (key: string, value: string) => Promise.resolve(stored.set(key, value)),
    delete: (key: string) => Promise.resolve(stored.delete(key)),
  } as unknown as SecretStorage;
  const memento = {
    get: (key: string) => state.get(key),
    update: (key: string, value: unknown) => Promise.resolve(state.set(key, value)),
  } as unknown as Memento;
  const secrets = new Secrets(storage, memento, {
    askValue: (name, receiver, user) => {
      asked.push(`value of ${name} for ${receiver}`);
      assert.equal(user, 'the request');
      return Promise.resolve(answers.value);
    },
    askGrant: (name, receiver) => {
      asked.push(`${name} to ${receiver}`);
      return Promise.resolve(answers.grant);
    },
  });
  return { secrets, asked };
}

describe('secrets', () => {
  it('go nowhere new without leave, which is asked for once', async () => {
    const { secrets, asked } = openSecrets({ value: 's3cret', grant: true });
    const got = [];
    for (const receiver of [
      'https://a.example',
      'https://a.example',
      'https://b.example',
      'https://b.example',
    ])
      got.push(await secrets.get('figma', receiver, 'the request'));
    assert.deepEqual(
      [got, asked],
      [Array(4).fill('s3cret'), ['value of figma for https://a.example', 'figma to https://b.example']],
    );
  });

  it('stay here where the user says no, and are asked for again', async () => {
    const { secrets, asked } = openSecrets({ value: 's3cret', grant: false });
    await secrets.get('figma', 'https://a.example', 'the request');
    const got = [
      await secrets.get('figma', 'https://b.example', 'the request'),
      await secrets.get('figma', 'https://b.example', 'the request'),
    ];
    assert.deepEqual(
      [got, asked.slice(1)],
      [[undefined, undefined], Array(2).fill('figma to https://b.example')],
    );
  });

  it('are forgotten with the leave that was given', async () => {
    const { secrets, asked } = openSecrets({ value: 's3cret', grant: true });
    await secrets.get('figma', 'https://a.example', 'the request');
    await secrets.get('figma', 'https://b.example', 'the request');
    await secrets.get('other', 'https://a.example', 'the request');
    await secrets.forget('figma');
    await secrets.get('figma', 'https://a.example', 'the request');
    await secrets.get('figma', 'https://b.example', 'the request');
    await secrets.get('other', 'https://a.example', 'the request');
    assert.deepEqual(
      [secrets.names(), asked.slice(3)],
      [
        ['figma', 'other'],
        ['value of figma for https://a.example', 'figma to https://b.example'],
      ],
    );
  });

  it('know their receivers by origin, and by the text where variables decide it', () => {
    const receivers = [
      'https://API.example/v1?key=${secret:x}',
      'https://user:word@api.example:443/${env:PATH}',
      'http://localhost:${env:PORT}/',
      'https://evil.example${workspaceFolder}@api.example/',
      '${demo:toolbox}',
      'https://evil.example\\@api.example/',
    ].map(address => describeReceiver(address, 'FILE'));
    assert.deepEqual(receivers, [
      'https://api.example',
      'https://api.example',
      'http://localhost:${env:PORT}/ in FILE',
      'https://[redacted]@api.example/ in FILE',
      '${demo:toolbox} in FILE',
      'https://[redacted]@api.example/ in FILE',
    ]);
  });

  it('do not go where a file trusts other certificates because they went to the same address', () => {
    const receivers = [{}, { cert: 'own.pem' }, { allowSelfSigned: true }, { ca: 'other.pem' }].map(tls =>
      describeReceiver('https://api.example/v1', 'FILE', tls),
    );
    assert.deepEqual(receivers, [
      'https://api.example',
      'https://api.example',
      'https://api.example, where FILE trusts any certificate',
      'https://api.example, where FILE trusts the certificates of other.pem',
    ]);
  });
});
