import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, languages, window, workspace, type TextDocument } from 'vscode';
import type { ParleyApi } from '../../client/src/extension.ts';
import {
  activateParley,
  closeEditors,
  listReplyTabs,
  openScratch,
  sendRequest,
  showSample,
  waitFor,
  withAgent,
} from './support/parley.ts';

/** Goes on until it is stopped. */
const ENDLESS = '# @agent toolbox\nCALL|slow.count|3600\n';

describe('send', () => {
  let parley: ParleyApi;
  let hello: TextDocument;

  before(async () => {
    parley = await activateParley();
  });

  beforeEach(async () => {
    await commands.executeCommand('parley.clearTraces', 'unasked');
    hello = await showSample('hello.aicf');
  });

  afterEach(closeEditors);

  it('shows the reply beside and leaves the focus', async () => {
    const sent = await sendRequest(hello, 'CALL|math.add');
    assert.ok(sent?.reply);
    const reply = await workspace.openTextDocument(sent.reply);
    assert.deepEqual(
      {
        outcome: sent.outcome,
        text: reply.getText(),
        language: reply.languageId,
        title: withoutTime(sent.reply.path),
        tabs: listReplyTabs().map(withoutTime),
        front: window.activeTextEditor?.document.uri.toString(),
        column: window.visibleTextEditors.find(editor => editor.document === reply)?.viewColumn,
      },
      {
        outcome: { status: 'ok', text: 'OK|{"sum":42}', isProtocol: true },
        text: 'OK|{"sum":42}',
        language: 'aicf',
        title: '/math.add ok · N',
        tabs: ['math.add ok · N'],
        front: hello.uri.toString(),
        column: 2,
      },
    );
  });

  it('keeps the call in the traces, with what was on the wire', async () => {
    const sent = await sendRequest(hello, 'CALL|math.add');
    const [tree, ...others] = parley.traces();
    const [node] = tree?.roots ?? [];
    assert.ok(node && sent);
    assert.deepEqual(
      {
        others,
        call: node.call.call,
        title: node.call.title,
        agent: node.call.agent,
        source: node.call.source,
        status: node.status,
        wire: node.wire.map(({ direction, bytes }) => [direction, bytes]),
        children: node.children,
      },
      {
        others: [],
        call: sent.call,
        title: 'math.add',
        agent: 'toolbox',
        source: { uri: hello.uri.toString(), line: 5 },
        status: 'ok',
        wire: [
          ['out', { text: 'CALL|math.add|19|23' }],
          ['in', { text: 'OK|{"sum":42}' }],
        ],
        children: [],
      },
    );
  });

  it('puts the newest trace on top and clears them all', async () => {
    await sendRequest(hello, 'CALL|math.add');
    await sendRequest(hello, 'LIST');
    assert.deepEqual(titles(parley), ['LIST', 'math.add']);
    await commands.executeCommand('parley.clearTraces', 'unasked');
    assert.deepEqual(titles(parley), []);
  });

  it('keeps what an agent says of a failed call', async () => {
    const sent = await sendRequest(hello, 'CALL|fail.always');
    assert.deepEqual(sent?.outcome, {
      status: 'error',
      text: 'ERR|500|out of luck',
      code: '500',
      message: sent?.outcome.message,
      isProtocol: true,
    });
    assert.match(sent.outcome.message ?? '', /out of luck/);
    assert.deepEqual(listReplyTabs().map(withoutTime), ['fail.always error 500 · N']);
  });

  it('shows a reply while it comes, and stops it', async () => {
    const file = await openScratch('endless.aicf', ENDLESS);
    const sending = sendRequest(file, 'CALL|slow.count');
    const grown = await waitFor('two chunks', () =>
      // What other tests left open behind closed tabs is none of it.
      window.visibleTextEditors
        .map(({ document }) => document)
        .find(document => /^STREAM\|1\r?\nSTREAM\| 2/.test(document.getText())),
    );
    assert.deepEqual(
      [grown.languageId, listReplyTabs(), languages.getDiagnostics(grown.uri)],
      ['aicf', ['slow.count running'], []],
    );
    assert.equal(await commands.executeCommand('parley.stopCall', grown.uri), true);
    const sent = await sending;
    assert.equal(sent?.outcome.status, 'cancelled');
    assert.match(sent.outcome.text, /^STREAM\|1/);
    assert.deepEqual(listReplyTabs().map(withoutTime), ['slow.count stopped · N']);
  });

  it('stops the newest call where none is named, and says that there is none', async () => {
    assert.equal(await commands.executeCommand('parley.stopCall'), false);
    const file = await openScratch('endless.aicf', `${ENDLESS}\n${ENDLESS.replace('3600', '3601')}`);
    const sendings = ['CALL|slow.count|3600', 'CALL|slow.count|3601'].map(text => sendRequest(file, text));
    await new Promise<void>(resolve => {
      const observed = parley.onDidChangeTraces(() => {
        if (parley.traces().length < 2) return;
        observed.dispose();
        // A key comes in a turn of its own.
        setTimeout(resolve);
      });
    });
    const newest = parley.traces()[0]?.roots[0]?.call.call;
    const older = parley.traces()[1]?.roots[0]?.call.call;
    assert.equal(await commands.executeCommand('parley.stopCall'), true);
    const ended = await Promise.race(sendings);
    assert.deepEqual([ended?.outcome.status, ended?.call], ['cancelled', newest]);
    assert.equal(await commands.executeCommand('parley.stopCall'), true);
    const sent = await Promise.all(sendings);
    assert.deepEqual(sent.map(each => each?.call).toSorted(), [newest, older].toSorted());
  });

  it('sends nothing while the message has errors', async () => {
    assert.equal(await sendRequest(hello, 'call|text.reverse'), undefined);
    assert.deepEqual(titles(parley), []);
  });

  it('says what is missing where an agent is unknown', async () => {
    const content = '# @agent nobody\nLIST\n';
    const document = await openScratch('nobody.aicf', content);
    assert.equal(await sendRequest(document, 'LIST'), undefined);
    assert.deepEqual(titles(parley), []);
  });

  it('sends the request at the cursor to the only agent that speaks its language', async () => {
    const document = await openScratch('cursor.aicf', 'CALL|math.add|1|2');
    await window.showTextDocument(document);
    await commands.executeCommand('parley.send');
    assert.deepEqual(titles(parley), ['math.add']);
  });

  it('shows what came as plain text where an agent speaks something else', async () => {
    await withHtmlServer(async url => {
      await withAgent('website', url, async () => {
        const document = await openScratch('website.aicf', '# @agent website\nLIST\n');
        const sent = await sendRequest(document, 'LIST');
        assert.ok(sent?.reply);
        const reply = await workspace.openTextDocument(sent.reply);
        assert.deepEqual(
          [sent.outcome.status, sent.outcome.isProtocol, reply.languageId, reply.getText()],
          ['error', false, 'plaintext', '<h1>It works!</h1>\n'],
        );
        assert.deepEqual(
          parley
            .traces()
            .map(tree => tree.roots.map(node => [node.status, node.message === sent.outcome.message])),
          [[['error', true]]],
        );
      });
    });
  });

  it('sends AICL and shows a tensor', async () => {
    const document = await showSample('hello.aicl');
    const sent = await sendRequest(document, '[s:query]:[s:embedding]');
    assert.ok(sent?.reply);
    const reply = await workspace.openTextDocument(sent.reply);
    assert.deepEqual(
      [sent.outcome.status, reply.languageId, withoutTime(sent.reply.path)],
      ['ok', 'aicl', '/embedding ok · N'],
    );
    assert.match(reply.getText(), /^\[d:[^]*\[s:data\]:\[t:float32:2,4:[^\]]+\]\s*\]\s*$/);
  });

  it('keeps the failed call of an agent that is down, and the server goes on', async () => {
    const content = '# @agent down\nLIST\n\n# @agent toolbox\nCALL|math.add|1|2\n';
    await withAgent('down', 'http://127.0.0.1:9/aip/v1/aicf', async () => {
      const document = await openScratch('down.aicf', content);
      const sent = await sendRequest(document, 'LIST');
      assert.deepEqual([sent?.outcome.status, sent?.outcome.text, sent?.reply], ['error', '', undefined]);
      assert.match(sent?.outcome.message ?? '', /127\.0\.0\.1:9/);
      const next = await sendRequest(document, 'CALL|math.add');
      assert.equal(next?.outcome.text, 'OK|{"sum":3}');
      assert.deepEqual(
        parley.traces().map(tree => tree.roots.map(node => [node.call.agent, node.status])),
        [[['toolbox', 'ok']], [['down', 'error']]],
      );
    });
  });
});

/** Runs while a server on loopback answers every request with a page of HTML. */
async function withHtmlServer(run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<h1>It works!</h1>\n');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await run(`http://127.0.0.1:${port}/`);
  } finally {
    await new Promise(resolve => server.close(resolve));
  }
}

function titles(parley: ParleyApi): readonly string[] {
  return parley.traces().flatMap(tree => tree.roots.map(node => node.call.title));
}

/** Times differ from run to run; everything else of a title is compared. */
function withoutTime(title: string): string {
  return title.replace(/[\d.]+ (ms|s)$/, 'N');
}
