import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, Selection, TabInputTextDiff, window } from 'vscode';
import type { ParleyApi } from '../../client/src/extension.ts';
import type { ReplayReport } from '../../client/src/features/traces/replay/replay.ts';
import { findRetryDelay } from '../../client/src/sending/retry.ts';
import type { Sent } from '../../client/src/sending/run-call.ts';
import type { SentMany } from '../../client/src/features/send/send-many.ts';
import {
  activateParley,
  closeEditors,
  openScratch,
  sendRequest,
  waitFor,
  withAgent,
} from './support/parley.ts';

/** The result of a replay whose reply is like the recorded one. */
const SAME = 'Replayed 1 request. The traces are the same: 1 call.';

const FILE = `# @agent toolbox
CALL|math.add|1|2

# @agent toolbox
CALL|fail.always|no luck

# @agent toolbox
CALL|text.reverse|abc
`;

describe('sending several requests', () => {
  let parley: ParleyApi;

  before(async () => {
    parley = await activateParley();
  });
  beforeEach(() => commands.executeCommand('parley.clearTraces', 'unasked'));
  afterEach(closeEditors);

  const texts = (many: SentMany | undefined): readonly string[] =>
    (many?.sent ?? []).map(each => each.outcome.text);
  const titles = (): readonly string[] =>
    parley
      .traces()
      .flatMap(tree => tree.roots.map(node => node.call.title))
      .toReversed();

  it('sends all in order and ends at the first that fails', async () => {
    const document = await openScratch('many.aicf', FILE);
    const many = await commands.executeCommand<SentMany>('parley.sendAll', document.uri);
    assert.deepEqual([many.wanted, texts(many)], [3, ['OK|{"sum":3}', 'ERR|500|no luck']]);
    assert.deepEqual(titles(), ['math.add', 'fail.always']);
  });

  it('continues after a failure on request', async () => {
    const document = await openScratch('many.aicf', FILE);
    const many = await commands.executeCommand<SentMany>('parley.sendAll', document.uri, 'go on');
    assert.deepEqual(texts(many), ['OK|{"sum":3}', 'ERR|500|no luck', 'OK|cba']);
  });

  it('ends at a request that is not sent', async () => {
    const document = await openScratch('fault.aicf', '# @agent toolbox\ncall|math.add|1|2\n\nLIST\n');
    const many = await commands.executeCommand<SentMany>('parley.sendAll', document.uri);
    assert.deepEqual([many.wanted, many.sent, titles()], [2, [], []]);
    assert.deepEqual(
      [...many.held],
      [
        [
          1,
          "Not sent, because the request has errors. Line 2: 'call' is not a command; write 'CALL' (error 400)",
        ],
      ],
    );
  });

  it('says of each request that was held why, and of one that was refused by our side too', async () => {
    const document = await openScratch(
      'held.aicf',
      '# @agent nobody-there\nLIST\n\n# @agent librarian\nCALL|book.borrow|Emma|7|8|9\n\n# @agent toolbox\nCALL|math.add|1|2\n',
    );
    const many = await commands.executeCommand<SentMany>('parley.sendAll', document.uri, 'go on');
    assert.deepEqual([many.wanted, texts(many), [...many.held.keys()]], [3, ['OK|{"sum":3}'], [1, 2]]);
    assert.match(many.held.get(1) ?? '', /^No agent is called 'nobody-there'\./);
    assert.match(many.held.get(2) ?? '', /^Not sent: .*book\.borrow/);
  });

  it('sends the requests that the selection touches', async () => {
    const document = await openScratch('many.aicf', FILE);
    const editor = await window.showTextDocument(document);
    editor.selection = new Selection(4, 6, 7, 2);
    const many = await commands.executeCommand<SentMany>('parley.sendSelection');
    assert.deepEqual(texts(many), ['ERR|500|no luck']);
    editor.selection = new Selection(0, 0, 2, 0);
    assert.deepEqual(texts(await commands.executeCommand<SentMany>('parley.sendSelection')), [
      'OK|{"sum":3}',
    ]);
    editor.selection = new Selection(2, 0, 2, 0);
    assert.equal(await commands.executeCommand('parley.sendSelection'), undefined);
  });

  it('sends the request that a line of the gutter belongs to, also from a line above it', async () => {
    const { uri } = await openScratch('many.aicf', FILE);
    const send = async (lineNumber: number): Promise<string | undefined> =>
      (await commands.executeCommand<Sent | undefined>('parley.send', { lineNumber, uri }))?.outcome.text;
    const sent: unknown[] = [];
    for (const line of [1, 2, 3, 5, 8, 9]) sent.push(await send(line));
    assert.deepEqual(sent, [
      'OK|{"sum":3}',
      'OK|{"sum":3}',
      'ERR|500|no luck',
      'ERR|500|no luck',
      'OK|cba',
      undefined,
    ]);
  });

  it('sends a request of a trace once more, and compares the replies', async () => {
    const document = await openScratch('again.aicf', FILE);
    const first = await sendRequest(document, 'CALL|math.add');
    await sendRequest(document, 'CALL|text.reverse');
    const again = await commands.executeCommand<ReplayReport>('parley.sendAgain', first?.call);
    assert.deepEqual([again.summary, again.calls.includes(first?.call ?? '')], [SAME, false]);
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof TabInputTextDiff);
    const last = await commands.executeCommand<ReplayReport>('parley.sendAgain');
    assert.equal(last.summary, SAME);
    assert.deepEqual(titles(), ['math.add', 'text.reverse', 'math.add', 'math.add']);
    assert.equal(await commands.executeCommand('parley.sendAgain', 'unknown'), undefined);
  });

  it('tells step by step how an agent is reached, and why one is not', async () => {
    const good = await commands.executeCommand<string>('parley.diagnoseAgent', 'toolbox');
    assert.match(
      good,
      /^Connection to toolbox\n[^]*The agent answers in AICF-RPC 1\.0\. 3 steps were skipped, because there was nothing to try\./,
    );
    await withAgent('down', 'http://127.0.0.1:9/aip/v1/aicf', async () => {
      const bad = await commands.executeCommand<string>('parley.diagnoseAgent', 'down');
      assert.match(
        bad,
        /Likely cause \(port\): Port 9 of 127[^]*ECONNREFUSED[^]*\n 3\. failed +Port +[^\n]+\n$/,
      );
    });
    const none = await commands.executeCommand<string>('parley.diagnoseAgent', 'nobody');
    assert.match(none, / 1\. failed  Agents file  The agent 'nobody' is no longer in the agents file/);
  });

  it('opens a form for a tool that its agent lists, once', async () => {
    const open = (tool: string): Thenable<unknown> =>
      commands.executeCommand('parley.callTool', 'toolbox', tool);
    const forms = (): readonly string[] =>
      window.tabGroups.all
        .flatMap(group => group.tabs.map(tab => tab.label))
        .filter(label => label.startsWith('Call '));
    assert.equal(await open('math.add'), true);
    await waitFor('the form', () => forms()[0]);
    assert.deepEqual(
      [await open('math.add'), await open('math.fly'), forms()],
      [true, false, ['Call math.add']],
    );
  });

  it('continues a conversation from one request to the next', async () => {
    const followed: unknown[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        followed.push((JSON.parse(body) as { readonly previous_response_id?: string }).previous_response_id);
        response.setHeader('content-type', 'application/json');
        response.end(`{"id":"resp_${followed.length}","object":"response","status":"completed","output":[]}`);
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const task = (text: string): string =>
      `# @agent talker\n# @session trip\n[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:mine],[s:msg_type]:[s:task_request],[s:task]:[s:${text}],[s:constraints]:[d:]]\n`;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      await withAgent(
        'talker',
        url,
        async () => {
          const document = await openScratch('talk.aicl', `${task('one')}${task('two')}`);
          await commands.executeCommand<SentMany>('parley.sendAll', document.uri);
          const other = await openScratch('other.aicl', task('three'));
          await commands.executeCommand<SentMany>('parley.sendAll', other.uri);
        },
        'responses',
      );
    } finally {
      server.close();
    }
    assert.deepEqual(followed, [undefined, 'resp_1', 'resp_2']);
  });

  it('waits as long as an agent asks to be left alone', async () => {
    const server = createServer((_, response) => {
      response.writeHead(429, { 'retry-after': '30' });
      response.end();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    try {
      await withAgent('busy', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, async () => {
        const document = await openScratch('busy.aicf', '# @agent busy\nLIST\n');
        const sent = await sendRequest(document, 'LIST');
        assert.equal(sent?.outcome.code, 'HTTP 429');
        const node = parley.traces()[0]?.roots[0];
        assert.ok(node);
        const came = node.heads.at(-1)?.at ?? 0;
        assert.deepEqual(
          [0, 12_000, 31_000].map(later => Math.round(findRetryDelay(node, came + later))),
          [30_000, 18_000, 0],
        );
      });
    } finally {
      server.close();
    }
    const now = Date.UTC(2026, 0, 1);
    const head = (value: string): Parameters<typeof findRetryDelay>[0] => ({
      heads: [
        {
          type: 'head',
          call: 'c',
          at: now,
          direction: 'in',
          line: '503',
          headers: [{ name: 'Retry-After', value }],
        },
      ],
    });
    assert.deepEqual(
      [undefined, head(''), head('soon'), head('Thu, 01 Jan 2026 00:00:05 GMT'), head('999999999')].map(
        node => findRetryDelay(node, now),
      ),
      [0, 0, 0, 5_000, 3_600_000],
    );
  });
});
