import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, Selection, TabInputTextDiff, Uri, window, workspace, type LogOutputChannel } from 'vscode';
import type { ParleyApi } from '../../client/src/extension.ts';
import type { HistoryEntry } from '../../client/src/history/entry.ts';
import { History } from '../../client/src/history/history.ts';
import { findRetryDelay } from '../../client/src/sending/retry.ts';
import type { Sent } from '../../client/src/sending/run-call.ts';
import type { SentMany } from '../../client/src/sending/send-many.ts';
import { parseJson } from '../../core/text/json.ts';
import {
  activateParley,
  closeEditors,
  openScratch,
  sendRequest,
  waitFor,
  withAgent,
} from './support/parley.ts';

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
    assert.deepEqual(texts(many), ['OK|{"sum":3}', 'ERR|500|no luck', 'OK|"cba"']);
  });

  it('ends at a request that is not sent', async () => {
    const document = await openScratch('fault.aicf', '# @agent toolbox\ncall|math.add|1|2\n\nLIST\n');
    const many = await commands.executeCommand<SentMany>('parley.sendAll', document.uri);
    assert.deepEqual([many.wanted, many.sent, titles()], [2, [], []]);
    assert.deepEqual(
      [...many.held],
      [[1, "Not sent, because the request has errors. Line 2: 'call' is not a command; write 'CALL' (400)"]],
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
    const entries = await commands.executeCommand<Sent>('parley.sendAgain');
    assert.equal(entries.outcome.text, 'OK|{"sum":3}');
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
      'OK|"cba"',
      undefined,
    ]);
  });

  it('sends a request of the history once more, by its call', async () => {
    const document = await openScratch('again.aicf', FILE);
    const first = await sendRequest(document, 'CALL|math.add');
    await sendRequest(document, 'CALL|text.reverse');
    const again = await commands.executeCommand<Sent>('parley.sendAgain', first?.call);
    const last = await commands.executeCommand<Sent>('parley.sendAgain');
    assert.deepEqual([again.outcome.text, again.call === first?.call], ['OK|{"sum":3}', false]);
    assert.equal(last.outcome.text, 'OK|{"sum":3}');
    assert.deepEqual(titles(), ['math.add', 'text.reverse', 'math.add', 'math.add']);
    assert.equal(await commands.executeCommand('parley.sendAgain', 'unknown'), undefined);
  });

  it('gives a request of the history the time that its file gave it', async () => {
    const server = createServer(request => void request.resume());
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    try {
      await withAgent('silent', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, async () => {
        const document = await openScratch('silent.aicf', '# @agent silent\n# @timeout 0.5\nLIST\n');
        const sent = await sendRequest(document, 'LIST');
        const again = await commands.executeCommand<Sent>('parley.sendAgain', sent?.call);
        assert.deepEqual([sent?.outcome.code, again.outcome.code], ['TIMEOUT', 'TIMEOUT']);
        assert.equal(again.outcome.message, sent?.outcome.message);
      });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('sends nothing again that held a secret, for the history keeps none', async () => {
    const document = await openScratch(
      'auth.aicf',
      '# @agent toolbox\nCALL|text.reverse|AUTH:hunter2-hunter2\n',
    );
    const first = await sendRequest(document, 'CALL|text.reverse');
    assert.ok(first);
    assert.equal(await commands.executeCommand('parley.sendAgain', first.call), undefined);
    assert.deepEqual(titles(), ['text.reverse']);
  });

  it('compares two replies in the diff editor, the older one first', async () => {
    const document = await openScratch('compare.aicf', FILE);
    const one = await sendRequest(document, 'CALL|math.add');
    const other = await sendRequest(document, 'CALL|text.reverse');
    await commands.executeCommand('parley.compareReplies', other?.call, one?.call);
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof TabInputTextDiff);
    const [older, newer] = [
      await workspace.openTextDocument(input.original),
      await workspace.openTextDocument(input.modified),
    ];
    assert.deepEqual([older.getText(), newer.getText()], ['OK|{"sum":3}', 'OK|"cba"']);
  });

  it('tells step by step how an agent is reached, and why one is not', async () => {
    const good = await commands.executeCommand<string>('parley.diagnoseAgent', 'toolbox');
    assert.match(good, /^Connection to toolbox\n[^]*The agent was reached: each step succeeded\./);
    await withAgent('down', 'http://127.0.0.1:9/aip/v1/aicf', async () => {
      const bad = await commands.executeCommand<string>('parley.diagnoseAgent', 'down');
      assert.match(
        bad,
        /Likely cause \(port\): Port 9 of 127[^]*ECONNREFUSED[^]*\n 3\. FAILED +Port +[^\n]+\n$/,
      );
    });
    const none = await commands.executeCommand<string>('parley.diagnoseAgent', 'nobody');
    assert.match(none, / 1\. FAILED  Agents file  The agent 'nobody' is no longer in the agents file/);
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

describe('history', () => {
  const log = { warn: (text: string) => assert.fail(text) } as unknown as LogOutputChannel;
  const entry = (call: string, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
    call,
    at: 1,
    agent: 'toolbox',
    title: 'math.add',
    language: 'aicf',
    asked: 'CALL|math.add|1|2',
    isRedacted: false,
    text: 'OK|3',
    status: 'ok',
    isProtocol: true,
    ...more,
  });
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-history-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const file = (): string => join(folder, 'history.json');
  const open = (): History => new History(Uri.file(folder), log);
  /** What the file holds once it holds so many: a window writes on its way out, too. */
  const written = async (count: number): Promise<unknown> => {
    for (;;) {
      const stored = parseJson(await readFile(file(), 'utf8').catch(() => ''));
      if (Array.isArray(stored) && stored.length === count) return stored;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };

  it('keeps what was sent for the next window, the newest first', async () => {
    const history = open();
    history.add(entry('one'));
    history.add(entry('two', { source: { uri: 'file:///a.aicf', line: 3 }, code: '500', duration: 4 }));
    const stored = [
      entry('two', { source: { uri: 'file:///a.aicf', line: 3 }, code: '500', duration: 4 }),
      entry('one'),
    ];
    assert.deepEqual([await history.list(), await written(2)], [stored, stored]);
    history.dispose();
    const next = open();
    next.add(entry('three'));
    assert.deepEqual(
      (await next.list()).map(each => each.call),
      ['three', 'two', 'one'],
    );
    next.dispose();
    await written(3);
  });

  it('holds a number of them, and no text that is too long', async () => {
    const history = open();
    for (let count = 0; count < 250; count++) history.add(entry(String(count)));
    history.add(entry('long', { text: 'x'.repeat(1_000_001) }));
    const list = await history.list();
    assert.deepEqual(
      [list.length, list[0]?.text, list.at(-1)?.call],
      [200, 'This text of 1000001 characters is too long to be stored here.\n', '51'],
    );
    await history.clear();
    assert.deepEqual(await history.list(), []);
    history.dispose();
    await written(0);
  });

  it('passes over what is no entry', async () => {
    await writeFile(file(), JSON.stringify([entry('one'), { call: 'two' }, 3]));
    const history = open();
    assert.deepEqual(await history.list(), [entry('one')]);
    history.dispose();
    await writeFile(file(), '{');
    const broken = open();
    assert.deepEqual(await broken.list(), []);
    broken.dispose();
  });
});
