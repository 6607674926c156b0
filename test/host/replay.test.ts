import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { TabInputCustom, TabInputTextDiff, commands, window, workspace, type InputBoxOptions } from 'vscode';
import type { RecordingStart } from '../../client/src/services/recording-service.ts';
import { findSecrets } from '../../client/src/features/traces/replay/replay-secrets.ts';
import { replayFrom, type ReplayReport } from '../../client/src/features/traces/replay/replay.ts';
import type { TracesParts } from '../../client/src/features/traces/parts.ts';
import { deleteScratch } from './support/editor.ts';
import {
  activateParley,
  closeEditors,
  openScratch,
  sampleUri,
  sendRequest,
  waitFor,
  withAgent,
  inTime,
  until,
} from './support/parley.ts';

type Choice = Readonly<Record<string, string>>;

async function replayCall(target: unknown, choice: Choice): Promise<ReplayReport | undefined> {
  const options = { question: 'unasked', ...choice };
  return inTime('the replay', commands.executeCommand('parley.replayCall', target, options));
}

/** The two texts of the comparison in front, and what its tab says. */
async function readComparison(): Promise<{ title: string; texts: readonly string[] }> {
  const tab = window.tabGroups.activeTabGroup.activeTab;
  const { input, label } = tab ?? { input: undefined, label: '' };
  assert.ok(input instanceof TabInputTextDiff, label);
  const documents = [input.original, input.modified].map(uri => workspace.openTextDocument(uri));
  return { title: label, texts: (await Promise.all(documents)).map(document => document.getText()) };
}

async function serve(answer: (body: string, request: IncomingMessage) => Promise<string>): Promise<Server> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void answer(Buffer.concat(parts).toString(), request).then(text => response.end(text));
    });
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/aicf`;
}

async function stop(...servers: readonly Server[]): Promise<void> {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
}

/** A recording made by hand: two requests, one of them by an agent while it served the other, and one to an unknown agent. */
const RECORDED = [
  '{"format":"agenttrace","version":1}',
  '{"type":"call","call":"r1","trace":"t1","at":1000,"agent":"toolbox","protocol":"aicf","title":"math.add"}',
  '{"type":"wire","call":"r1","at":1001,"direction":"out","bytes":{"text":"CALL|math.add|19|23"}}',
  '{"type":"wire","call":"r1","at":1002,"direction":"in","bytes":{"text":"OK|{\\"sum\\":43}"}}',
  '{"type":"end","call":"r1","at":1003,"status":"ok"}',
  '{"type":"call","call":"r2","trace":"t1","parent":"r1","at":1001.5,"agent":"deep","protocol":"aicf","title":"own"}',
  '{"type":"end","call":"r2","at":1002,"status":"ok"}',
  '{"type":"call","call":"r3","trace":"t1","parent":"r0","at":1004,"agent":"gone","protocol":"aicf","title":"lost"}',
  '{"type":"wire","call":"r3","at":1005,"direction":"out","bytes":{"text":"CALL|lost"}}',
  '',
].join('\n');

describe('a replay', () => {
  afterEach(closeEditors);

  it('sends a call again, shows both beside each other, and is a call that says of what it is one', async () => {
    const api = await activateParley();
    const document = await openScratch('replay.aicf', '# @agent toolbox\nCALL|math.add|19|23\n');
    const sent = await sendRequest(document, 'CALL|math.add');
    assert.ok(sent);
    const report = await replayCall(sent.call, { agents: 'same' });
    assert.ok(report);
    assert.equal(report.summary, 'Replayed 1 request. The traces are the same: 1 call.');
    const find = (id: string | undefined): (typeof made)[number] | undefined =>
      made.find(each => each.call.call === id);
    const made = api.traces().flatMap(({ roots }) => roots);
    const [recorded, replayed] = [find(sent.call), find(report.calls[0])];
    assert.ok(recorded && replayed);
    assert.deepEqual(
      [replayed.call.agent, replayed.call.protocol, replayed.call.source, replayed.status, replayed.notes],
      [
        'toolbox',
        'aicf',
        recorded.call.source,
        'ok',
        [
          `A replay of the call '${sent.call}', which was recorded at ${new Date(recorded.call.at).toISOString()}`,
        ],
      ],
    );
    const { title, texts } = await readComparison();
    assert.equal(title, 'math.add ↔ math.add replayed · The traces are the same: 1 call');
    const text = 'toolbox  math.add  ok\n  > CALL|math.add|19|23\n  < OK|{"sum":42}\n';
    assert.deepEqual(texts, [text, text]);
    await deleteScratch(document.uri);
  });

  it('of a trace file in front asks the agents of this window, and says what it did not send', async () => {
    const { uri } = await openScratch('trip.agenttrace.jsonl', RECORDED);
    await commands.executeCommand('vscode.open', uri);
    await waitFor('the timeline', () =>
      window.tabGroups.activeTabGroup.activeTab?.input instanceof TabInputCustom ? true : undefined,
    );
    // The file is read while its editor opens.
    const choice = { scope: 'trace', agents: 'same' };
    const report = await until('the replay', () => replayCall(undefined, choice));
    assert.equal(
      report.summary,
      'Replayed 1 request. 2 of 2 calls differ: 1 changed, 1 only in the first. The calls that agents make themselves were not recorded this time: that needs running recordings of these agents.',
    );
    const { texts } = await readComparison();
    assert.deepEqual(texts, [
      [
        'toolbox  math.add  ok\n  > CALL|math.add|19|23\n  < OK|{"sum":43}\n',
        'gone  lost  running\n  > CALL|lost\n',
      ].join(''),
      [
        'toolbox  math.add  ok\n  > CALL|math.add|19|23\n  < OK|{"sum":42}\n',
        'gone lost: not sent, the agents file has no agent of this name\n',
      ].join(''),
    ]);
    await deleteScratch(uri);
  });

  it('of several requests is one trace, with the recorded pauses too', async () => {
    const api = await activateParley();
    const file = [
      RECORDED.split('\n')[0],
      ...['a', 'b'].flatMap((call, index) => [
        `{"type":"call","call":"${call}","trace":"t1","at":${1000 + index * 30},"agent":"toolbox","protocol":"aicf","title":"math.add"}`,
        `{"type":"wire","call":"${call}","at":${1001 + index * 30},"direction":"out","bytes":{"text":"CALL|math.add|2|${index}"}}`,
        `{"type":"wire","call":"${call}","at":${1002 + index * 30},"direction":"in","bytes":{"text":"OK|{\\"sum\\":${2 + index}}"}}`,
        `{"type":"end","call":"${call}","at":${1003 + index * 30},"status":"ok"}`,
      ]),
      '',
    ].join('\n');
    const { uri } = await openScratch('two.agenttrace.jsonl', file);
    await commands.executeCommand('vscode.open', uri);
    await waitFor('the timeline', () =>
      window.tabGroups.activeTabGroup.activeTab?.input instanceof TabInputCustom ? true : undefined,
    );
    const choice = { scope: 'trace', agents: 'same', pace: 'recorded' };
    const report = await until('the replay', () => replayCall(undefined, choice));
    assert.equal(report.summary, 'Replayed 2 requests. The traces are the same: 2 calls.');
    const [first] = report.calls;
    const made = api.traces().filter(({ roots }) => roots.some(({ call }) => call.call === first));
    assert.deepEqual(
      made.map(({ roots, size }) => [size, roots.map(({ call }) => call.call)]),
      [[2, report.calls]],
    );
    await deleteScratch(uri);
  });

  it('has the secrets of its request again, by their names in the recording', async () => {
    const asked: string[] = [];
    const agents = {
      findRecorded: (agent: string, kind: string, name: string) => {
        asked.push(`${agent} ${kind} ${name}`);
        return Promise.resolve(name === 'REPLAY_TOKEN' ? 'tok|en-1' : '');
      },
    } as unknown as Parameters<typeof findSecrets>[0];
    const agent = { name: 'gate' };
    const sendingsOf = (name: string): Parameters<typeof findSecrets>[1] => {
      const request = { holes: [{ stand: '{{secret-1}}', need: { kind: 'env', name }, scheme: '' }] };
      return [{ request, agent }] as unknown as Parameters<typeof findSecrets>[1];
    };
    const found = await findSecrets(agents, sendingsOf('REPLAY_TOKEN'));
    const info = agent as unknown as Parameters<NonNullable<typeof found>>[0];
    assert.equal(found?.(info, { kind: 'env', name: 'REPLAY_TOKEN' }), 'tok|en-1');
    assert.equal(await findSecrets(agents, sendingsOf('GONE')), undefined);
    assert.deepEqual(asked, ['gate env REPLAY_TOKEN', 'gate env GONE']);
  });

  it('asks for a secret without a name once for each agent, and sends nothing where that is left', async () => {
    const agent = {
      name: 'gate',
      protocol: 'aicf',
      type: 'http',
      address: 'http://localhost/',
      file: sampleUri('x'),
      line: 0,
    } as const;
    const need = { kind: 'unnamed', name: 'gate:9' } as const;
    const request = { holes: [{ stand: '{{secret-1}}', need, scheme: '' }] };
    const sendings = [
      { request, agent },
      { request, agent },
    ] as unknown as Parameters<typeof findSecrets>[1];
    const agents = { findRecorded: () => assert.fail() } as unknown as Parameters<typeof findSecrets>[0];
    const asked: InputBoxOptions[] = [];
    const answers = ['typed', undefined];
    const original = Object.getOwnPropertyDescriptor(window, 'showInputBox');
    Object.defineProperty(window, 'showInputBox', {
      configurable: true,
      value: (options: InputBoxOptions) => {
        asked.push(options);
        return Promise.resolve(answers.shift());
      },
    });
    try {
      const found = await findSecrets(agents, sendings);
      assert.deepEqual(
        [found?.(agent, need), found?.({ ...agent, name: 'other' }, need)],
        ['typed', undefined],
      );
      assert.equal(await findSecrets(agents, sendings), undefined);
      assert.deepEqual(
        asked.map(({ title, password }) => [title, password]),
        [
          ['Secret for gate', true],
          ['Secret for gate', true],
        ],
      );
    } finally {
      if (original) Object.defineProperty(window, 'showInputBox', original);
    }
  });

  it('goes to an agent of another protocol by conversion, and compares what the replies say', async () => {
    const document = await openScratch('replay.aicf', '# @agent toolbox\nCALL|math.add|19|23\n');
    const sent = await sendRequest(document, 'CALL|math.add');
    assert.ok(sent);
    const report = await replayCall(sent.call, { agent: 'librarian' });
    assert.equal(report?.summary, 'Replayed 1 request. The traces are the same: 1 call.');
    const { texts } = await readComparison();
    assert.match(texts[1] ?? '', /^librarian {2}math\.add {2}ok\n {2}> \{\n[^]*"method": "tools\/call"/);
    await deleteScratch(document.uri);
  });

  it('compares what agents call themselves, where their recordings see it', async () => {
    const api = await activateParley();
    let answer = 'OK|first';
    const inner = await serve(() => Promise.resolve(answer));
    let address = '';
    const outer = await serve(async (_, { headers }) => {
      const traceparent = String(headers['traceparent']);
      await (await fetch(address, { method: 'POST', body: 'CALL|look', headers: { traceparent } })).text();
      return 'OK|done';
    });
    await withAgent('outer', urlOf(outer), () =>
      withAgent('inner', urlOf(inner), async () => {
        const started = await commands.executeCommand<RecordingStart>('parley.recordAgent', {
          agent: 'inner',
          options: [],
        });
        assert.ok(started.ok, JSON.stringify(started));
        address = started.recording.address;
        const document = await openScratch('outer.aicf', '# @agent outer\nCALL|go\n');
        const sent = await sendRequest(document, 'CALL|go');
        assert.ok(sent);
        const isSeen = (): boolean =>
          api.traces().some(({ roots: [root] }) => root?.call.call === sent.call && root.children.length > 0);
        await until('the call below', isSeen);
        const again = await replayCall(sent.call, { scope: 'subtree', agents: 'same' });
        assert.equal(again?.summary, 'Replayed 1 request. The traces are the same: 2 calls.');
        answer = 'OK|second';
        const other = await replayCall(sent.call, { scope: 'subtree', agents: 'same' });
        assert.equal(other?.summary, 'Replayed 1 request. 1 of 2 calls differs: 1 changed.');
        const alone = await replayCall(sent.call, { scope: 'call', agents: 'same' });
        assert.equal(alone?.summary, 'Replayed 1 request. The traces are the same: 1 call.');
        await commands.executeCommand('parley.stopRecording', 'inner');
        await deleteScratch(document.uri);
      }),
    );
    await stop(inner, outer);
  });

  it('compares what the demo agents ask of each other', async () => {
    await activateParley();
    const document = await openScratch('loop.aicf', '# @agent loop\nCALL|ask|Who is there?\n');
    const sent = await sendRequest(document, 'CALL|ask');
    assert.ok(sent);
    const report = await replayCall(sent.call, { scope: 'trace', agents: 'same' });
    assert.equal(report?.summary, 'Replayed 1 request. The traces are the same: 7 calls.');
    await deleteScratch(document.uri);
  });

  it('is refused in a workspace that is not trusted', async () => {
    const trusted = Object.getOwnPropertyDescriptor(workspace, 'isTrusted');
    Object.defineProperty(workspace, 'isTrusted', { configurable: true, get: () => false });
    const touched: string[] = [];
    const touch =
      (name: string): (() => never) =>
      () => {
        touched.push(name);
        throw new Error(name);
      };
    const agents = { list: touch('list'), prepare: touch('prepare'), call: touch('call') };
    const source = { find: touch('find'), treeOf: touch('treeOf'), payload: touch('payload') };
    const services = { agents, source } as unknown as TracesParts;
    try {
      const place = { source: services.source, call: 'c' };
      assert.equal(await replayFrom(services, place, { question: 'unasked' }), undefined);
      assert.deepEqual(touched, []);
    } finally {
      if (trusted) Object.defineProperty(workspace, 'isTrusted', trusted);
    }
  });
});
