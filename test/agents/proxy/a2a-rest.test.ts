import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory, RestTransportFactory, type Client } from '@a2a-js/sdk/client';
import { afterEach, describe, it } from 'mocha';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import type { TracePart } from '../../../protocols/reply-parts/part.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { closeRestAgents, startRestAgent, type RestAgent } from '../support/a2a-rest-agent.ts';
import { closeProxies, closeServers, lineOf, record, serve, Tape } from './support.ts';

/** How the versions name what is asked, and their errors. */
const WORDS = {
  '1.0': {
    send: 'SendMessage',
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    cancel: 'CancelTask',
    set: 'CreateTaskPushNotificationConfig',
    list: 'ListTaskPushNotificationConfigs',
    subscribe: 'SubscribeToTask',
    errors: { noTask: 'TASK_NOT_FOUND', cancel: 'TASK_NOT_CANCELABLE', subscribe: 'UNSUPPORTED_OPERATION' },
    update: ['artifact plan', 'completed', 'working'],
  },
  '0.3': {
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    set: 'tasks/pushNotificationConfig/set',
    list: 'tasks/pushNotificationConfig/list',
    subscribe: 'tasks/resubscribe',
    errors: { noTask: '-32001', cancel: '-32002', subscribe: '-32004' },
    // This version tells the whole task each time.
    update: ['completed', 'working', 'working'],
  },
} as const;

const SECRETS = ['hook-token-1', 'hook-token-2', 'hook-password'];
const UNKNOWN = 'b4c0c0ba-no-such-task-0000';

function message(text: string, more: object = {}): SendMessageRequest {
  return SendMessageRequest.fromJSON({
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] },
    ...more,
  });
}

function connect(agent: RestAgent, address: string, version: '0.3' | '1.0'): Promise<Client> {
  const transports = [new RestTransportFactory({ legacyCompat: { enabled: true } })];
  return new ClientFactory({ transports }).createFromAgentCard(agent.cardAt(address, version));
}

/** An address of a client's for news of tasks; resolves once so many came. */
async function startHook(count: number): Promise<{ readonly origin: string; readonly told: Promise<void> }> {
  let left = count;
  let resolve: () => void = () => undefined;
  const reported = new Promise<void>(done => (resolve = done));
  const origin = await serve((request, response) => {
    request.resume().on('end', () => {
      response.end('thanks');
      if (--left === 0) resolve();
    });
  });
  return { origin, told: reported };
}

/** What came back for a call: its parts in a line each, then notes. */
function partsOf({ call, payload }: CallNode): readonly string[] {
  const { parts, notes } = readParts(ALL_PROTOCOLS.find(call.protocol), payload, 'ended');
  const line = ({ kind, title, status, text, children = [] }: TracePart): string =>
    [kind, title, status, text, ...children.map(each => `[${line(each)}]`)].filter(Boolean).join(' ');
  return [...parts.map(line), ...notes];
}

describe('a recording of an A2A agent that speaks HTTP+JSON', () => {
  afterEach(async () => {
    await closeProxies();
    await closeServers();
    await closeRestAgents();
  });

  for (const version of ['0.3', '1.0'] as const) {
    it(`of version ${version} tells what the official client asks, and what came of it`, async () => {
      const agent = await startRestAgent();
      const tape = new Tape();
      const proxy = await record(agent.origin, tape, { agent: 'planner' });
      const hook = await startHook(3);
      const hooked = await record(hook.origin, tape, { agent: 'client' });
      const client = await connect(agent, proxy.address, version);
      const settings = { id: 'c1', url: `${hooked.address}/hook`, token: SECRETS[0] };
      await client.sendMessage(message('say hello'));
      let id = '';
      for await (const { payload } of client.sendMessageStream(
        message('work', { configuration: { taskPushNotificationConfig: settings } }),
      ))
        if (payload?.$case === 'task') ({ id } = payload.value);
      await hook.told;
      const task = { id, tenant: '' };
      await client.getTask({ ...task, historyLength: undefined });
      await client.sendMessage(message('fail'));
      await assert.rejects(client.cancelTask({ ...task, metadata: undefined }));
      await assert.rejects(client.getTask({ id: UNKNOWN, tenant: '', historyLength: undefined }));
      await client.createTaskPushNotificationConfig({
        taskId: id,
        id: 'c2',
        tenant: '',
        url: `${hooked.address}/other`,
        token: SECRETS[1] ?? '',
        authentication: { scheme: 'Bearer', credentials: SECRETS[2] ?? '' },
      });
      await client.listTaskPushNotificationConfig({ taskId: id, tenant: '', pageSize: 0, pageToken: '' });
      await assert.rejects(async () => {
        for await (const event of client.resubscribeTask(task)) void event;
      });
      await closeProxies();

      const { update, errors, ...name } = WORDS[version];
      const traces = tape.trees().map(({ roots }) => roots);
      const ofAgent = (roots: readonly CallNode[], agent: string): readonly CallNode[] =>
        roots.filter(({ call }) => call.agent === agent);
      assert.deepEqual(
        traces.map(roots => ofAgent(roots, 'planner').map(lineOf)),
        [
          [`a2a · ${name.send} · ok`],
          [
            `a2a · ${name.stream} · ok`,
            `a2a · ${name.get} ${id} · ok`,
            `a2a · ${name.cancel} ${id} · error · ${errors.cancel}`,
            `a2a · ${name.set} · ok`,
            `a2a · ${name.list} · ok`,
            `a2a · ${name.subscribe} ${id} · error · ${errors.subscribe}`,
          ],
          [`a2a · ${name.send} · error`],
          [`a2a · ${name.get} ${UNKNOWN} · error · ${errors.noTask}`],
        ],
      );
      assert.deepEqual(
        traces.map(roots => ofAgent(roots, 'client').map(lineOf).sort()),
        [[], update.map(each => `a2a · push notification: ${each} · ok`), [], []],
      );
      // A notification asks for nothing: no call is below it, and it is below none.
      assert.deepEqual(
        ofAgent(traces[1] ?? [], 'client').map(({ call }) => call.back),
        [true, true, true],
      );
      assert.equal(tape.calls().length, 12);
      assert.deepEqual(
        tape.calls().flatMap(({ notes }) => notes),
        [],
      );
      assert.deepEqual(
        [traces[0]?.[0], ...ofAgent(traces[1] ?? [], 'planner').slice(0, 2), traces[2]?.[0]].map(
          call => call && partsOf(call),
        ),
        [
          ['message ok Hello'],
          ['status working ok On it', 'artifact plan ok Louvre', 'status completed ok Done'],
          ['status completed ok Done', 'artifact plan ok Louvre'],
          ['status failed error no trains run', 'artifact plan ok Louvre'],
        ],
      );
      assert.deepEqual(ofAgent(traces[1] ?? [], 'client').flatMap(partsOf), []);
      const stored = JSON.stringify(tape.events);
      assert.deepEqual(
        SECRETS.filter(secret => stored.includes(secret)),
        [],
      );
    });
  }

  for (const version of ['0.3', '1.0'] as const)
    it(`of version ${version} has the data and files of messages, artifacts and tasks`, async () => {
      const agent = await startRestAgent();
      const tape = new Tape();
      const proxy = await record(agent.origin, tape, { agent: 'planner' });
      const client = await connect(agent, proxy.address, version);
      const parts = [
        { text: 'say it again' },
        { data: { data: { days: 2 } } },
        { url: 'https://a.example/plan.png', mediaType: 'image/png' },
        { raw: 'QQ==', mediaType: 'image/png' },
      ];
      await client.sendMessage(
        SendMessageRequest.fromJSON({ message: { messageId: 'm', role: 'ROLE_USER', parts } }),
      );
      let id = '';
      for await (const { payload } of client.sendMessageStream(message('work with parts')))
        if (payload?.$case === 'task') ({ id } = payload.value);
      await client.getTask({ id, tenant: '', historyLength: undefined });
      await closeProxies();

      const file = version === '0.3' ? 'file · image/png' : 'image/png';
      const more = `[data ok {"data":{"days":2}}] [media ${file} ok https://a.example/plan.png]`;
      const artifact = `artifact plan ok [text ok Louvre] ${more}`;
      assert.deepEqual(tape.calls().map(partsOf), [
        [`message ok [text ok say it again] ${more} [media ${file} ok]`],
        ['status working ok On it', artifact, 'status completed ok Done'],
        ['status completed ok Done', artifact],
      ]);
    });

  it('answers a call that its guard refuses as the agent would', async () => {
    const agent = await startRestAgent();
    const guard = new RecursionGuard(0);
    const proxy = await record(agent.origin, new Tape(), { guard });
    const reply = await fetch(`${proxy.address}/message:send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-openstarry-trace-depth': '1' },
      body: JSON.stringify(SendMessageRequest.toJSON(message('say hello'))),
    });
    const why = 'Recursion limit reached: depth 1, limit 0. The call was not forwarded';
    assert.deepEqual(
      [reply.status, await reply.json()],
      [508, { error: { code: 508, status: 'ABORTED', message: why } }],
    );
  });
});
