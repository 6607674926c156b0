import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { importTrace } from '../../../../trace/import/import.ts';

const SECRETS = ['hook-token-1', 'hook-password'];

describe('a HAR file of A2A over HTTP+JSON', () => {
  it('is read without the credentials for push notifications', () => {
    const config = {
      taskId: 't',
      url: 'http://client.example/hook',
      token: SECRETS[0],
      authentication: { scheme: 'Bearer', credentials: SECRETS[1] },
    };
    const exchange = (method: string, path: string, asked: object | undefined, answered: object): object => ({
      startedDateTime: '2026-01-02T02:04:05.250Z',
      time: 5,
      request: {
        method,
        url: `http://agent.example${path}`,
        headers: [],
        ...(asked ? { postData: { mimeType: 'application/json', text: JSON.stringify(asked) } } : {}),
      },
      response: { status: 200, headers: [], content: { text: JSON.stringify(answered) } },
    });
    const path = '/tasks/t/pushNotificationConfigs';
    const imported = importTrace(
      JSON.stringify({
        log: {
          entries: [
            exchange('POST', path, config, config),
            exchange('GET', path, undefined, { configs: [config] }),
            exchange(
              'POST',
              '/message:send',
              { message: {}, configuration: { taskPushNotificationConfig: config } },
              {},
            ),
          ],
        },
      }),
      ALL_PROTOCOLS,
    );
    assert.ok(imported.ok);
    assert.deepEqual(
      imported.events.flatMap(event => (event.type === 'call' ? [`${event.protocol} ${event.title}`] : [])),
      ['a2a CreateTaskPushNotificationConfig', 'a2a ListTaskPushNotificationConfigs', 'a2a SendMessage'],
    );
    const stored = JSON.stringify(imported.events);
    assert.deepEqual(
      SECRETS.filter(secret => stored.includes(secret)),
      [],
    );
  });
});
