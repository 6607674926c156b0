import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { ROOT } from '../../scripts/root.ts';
import type { ToReply } from '../../wire/reply-messages.ts';
import {
  messageItem,
  ResponseEvents,
  startReplyAgent,
  toolItems,
  wholeResponse,
  type ReplyAgent,
} from './support/reply-agent.ts';
import { useLonePage } from './support/lone-page.ts';
import { showLongReply } from './support/long-reply.ts';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const TILE = readFileSync(join(ROOT, 'samples/tile.png')).toString('base64');
const MCP = '// @agent forecaster\n{ "method": "tools/call", "params": { "name": "get_forecast" } }\n';
const RESPONSES = '// @agent writer\n{ "model": "m", "input": "Weather?" }\n';
const TOOLBOX = { protocol: 'aicf', type: 'http', url: '${demo:toolbox}' };
const SCRIPT = '<img src=x onerror="top.hurt=globalThis.hurt=1"><script>top.hurt=globalThis.hurt=1</script>';

/** Replies in the window, of agents that a test answers for. */
describe('the page of a reply', () => {
  let agent: ReplyAgent;
  let workbench: Workbench;

  before(async () => {
    agent = await startReplyAgent();
    workbench = await takeWindow({
      files: {
        '.vscode/agents.json': JSON.stringify({ agents: { ...agent.agents, toolbox: TOOLBOX } }),
        '.vscode/settings.json': JSON.stringify({ 'parley.replies.column': 'beside' }),
        'x.mcp.jsonc': MCP,
        'x.responses.jsonc': RESPONSES,
        'x.aicf': '# @agent toolbox\nCALL|math.add|1|2\n',
      },
    });
    await workbench.page.setViewportSize({ width: 1400, height: 900 });
  });
  afterEach(() => workbench.closeEditors());
  after(() => agent.stop());

  async function send(file: string): Promise<void> {
    const editor = await workbench.openFile(file);
    await workbench.lenses(editor, 'Send').first().click();
  }

  const body = (): ReturnType<ReturnType<Workbench['webview']>['locator']> =>
    workbench.webview().locator('.reply-body');

  const outcome = async (): Promise<string> =>
    (await workbench.webview().locator('.reply-head .outcome').innerText()).replace(
      /\d+(?:\.\d+)? m?s/,
      'N ms',
    );

  it('shows text, a picture and structured content of a tool of MCP', async () => {
    agent.answer.mcp = {
      progress: [1, 5],
      result: {
        content: [
          { type: 'text', text: '# Lisbon\n\nIt will be **sunny**.\n\n| a | b |\n|---|---|\n| 1 | 2 |' },
          { type: 'image', data: TILE, mimeType: 'image/png' },
        ],
        structuredContent: { city: 'Lisbon', days: [3] },
      },
    };
    await send('x.mcp.jsonc');
    await body().locator('h2', { hasText: 'Lisbon' }).waitFor();
    assert.equal(await body().locator('strong').innerText(), 'sunny');
    assert.deepEqual(await body().locator('td').allInnerTexts(), ['1', '2']);
    const width = (): Promise<number> =>
      body()
        .locator('.medium img')
        .evaluate(image => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
    await expectSoon(width, 16);
    assert.match(await body().locator('figcaption').innerText(), /image\/png · 16×16 pixels · 88 bytes/);
    assert.deepEqual(await body().locator('.json-key').allInnerTexts(), ['"city"', '"days"']);
    await expectSoon(outcome, 'ok · N ms');
    const rows = await body().locator('.reply-row > summary .title').allInnerTexts();
    assert.deepEqual(rows, ['Step 5 of 5: day 5', 'Before the call']);
  });

  it('is there again after another tab was in front', async () => {
    agent.answer.mcp = { result: { content: [{ type: 'text', text: 'It is *warm*' }] } };
    await send('x.mcp.jsonc');
    await body().locator('em').waitFor();
    await workbench.tab('get_forecast ok').click();
    await workbench.openFile('x.responses.jsonc');
    await body().waitFor({ state: 'hidden' });
    await workbench.tab('get_forecast ok').click();
    await body().locator('em').waitFor();
  });

  it('shows progress as a bar while the call runs', async () => {
    agent.answer.mcp = { progress: [1, 2] };
    await send('x.mcp.jsonc');
    await body().locator('.piece.progress', { hasText: 'Step 2 of 5: day 2' }).waitFor();
    assert.equal(await body().locator('progress').getAttribute('value'), '0.4');
    await workbench.webview().getByRole('button', { name: 'Stop' }).click();
    await expectSoon(outcome, 'stopped · N ms');
  });

  it('grows while a reply streams, keeps the scroll position, and can be paused', async () => {
    let reply: ServerResponse | undefined;
    const events = new ResponseEvents();
    agent.answer.responses = response => {
      response.setHeader('content-type', 'text/event-stream');
      response.write(events.begin());
      for (let line = 0; line < 80; line++) response.write(events.text(`Line ${line}\n\n`));
      reply = response;
    };
    await send('x.responses.jsonc');
    await body().getByText('Line 79').waitFor();
    await body().evaluate(element => (element.scrollTop = 500));
    reply?.write(events.text('More\n\n'));
    await body().getByText('More', { exact: true }).waitFor();
    assert.equal(await body().evaluate(element => element.scrollTop), 500);
    const page = workbench.webview();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expectSoon(async () => /paused/.test(await outcome()), true);
    reply?.write(events.text('Hidden\n\n'));
    await expectSoon(async () => /paused, \d+ bytes more/.test(await outcome()), true);
    assert.equal(await body().getByText('Hidden').count(), 0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await body().getByText('Hidden').waitFor();
    reply?.end(events.end([messageItem('Whole')], { input_tokens: 9, output_tokens: 4, total_tokens: 13 }));
    await expectSoon(outcome, 'ok · N ms');
    await expectSoon(
      async () => /9 tokens in, 4 out/.test(await page.locator('.reply-foot').innerText()),
      true,
    );
  });

  it('has reasoning and tool calls as rows that unfold by keys', async () => {
    const reasoning = { id: 'r', type: 'reasoning', status: 'completed' };
    agent.answer.responses = wholeResponse([
      { ...reasoning, content: [{ type: 'reasoning_text', text: 'Ask for the weather' }] },
      ...toolItems('weather', { city: 'Lisbon' }, '18 °C'),
      messageItem('Warm'),
    ]);
    await send('x.responses.jsonc');
    const rows = body().locator('.reply-row > summary');
    await expectSoon(
      async () => (await rows.allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()),
      ['Reasoning 4 words', 'Called weather(city: "Lisbon") → 18 °C'],
    );
    await rows.first().focus();
    const { keyboard } = workbench.page;
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowRight');
    await body().locator('.reply-row .json-string', { hasText: 'Lisbon' }).waitFor();
    await keyboard.press('ArrowLeft');
    await body().locator('.reply-row .json-string').waitFor({ state: 'detached' });
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    await body().getByText('Ask for the weather').waitFor();
  });

  it('shows an error as a sentence', async () => {
    agent.answer.mcp = { error: { code: -32602, message: 'Unknown tool' } };
    await send('x.mcp.jsonc');
    await body().getByText('Error -32602: Unknown tool').waitFor();
    await expectSoon(outcome, 'error -32602 · N ms');
  });

  it('shows hostile Markdown as text, says why, and asks before it opens a link', async () => {
    const hostile = `${SCRIPT}\n\n[link](https://example.com/a) [bad](javascript:top.hurt=1)\n\n${'>'.repeat(100_000)}`;
    agent.answer.responses = wholeResponse([messageItem(`${hostile}\n\n${'['.repeat(100_000)}\n`)]);
    await send('x.responses.jsonc');
    await body().getByText('Shown as plain text, because').first().waitFor();
    assert.ok((await body().innerText()).includes(SCRIPT.slice(0, 40)));
    assert.equal(await body().locator('img, script, a').count(), 0);
    await body().getByRole('link', { name: 'link' }).click();
    const question = workbench.page.locator('.notification-list-item');
    await question.getByText("The reply has a link to 'https://example.com/a'").waitFor();
    await workbench.clearNotifications();
    const hurt = workbench.page.evaluate(() => 'hurt' in globalThis);
    assert.equal(await hurt, false);
  });

  it('remembers the view of each agent, and goes to an editor and back', async () => {
    agent.answer.mcp = { result: { content: [{ type: 'text', text: 'It is *warm*' }] } };
    agent.answer.responses = wholeResponse([messageItem('Hello')]);
    await send('x.mcp.jsonc');
    await body().locator('em').waitFor();
    const choose = (name: string): Promise<void> => workbench.webview().getByRole('radio', { name }).click();
    await choose('Raw');
    await body().getByText('text/event-stream').first().waitFor();
    await choose('JSON');
    await body().locator('.json-key', { hasText: '"content"' }).waitFor();
    await workbench.closeEditors();
    await send('x.mcp.jsonc');
    await body().locator('.json-key', { hasText: '"content"' }).waitFor();
    await workbench.closeEditors();
    await send('x.responses.jsonc');
    await body().getByText('Hello').waitFor();
    await workbench.closeEditors();
    await send('x.mcp.jsonc');
    await body().locator('.json-key').first().waitFor();
    await choose('AICF');
    const editor = workbench.page.locator('.editor-instance .monaco-editor[data-uri^="parley-reply:"]');
    await editor.getByText('OK|').first().waitFor();
    await workbench.runCommand('Parley: Read Reply');
    await body().locator('em').waitFor();
    await expectSoon(() => editor.count(), 0);
  });

  it('finds text, also where it is not drawn, and opens the reply as text', async () => {
    const lines = Array.from({ length: 3_000 }, (_, line) => `Line ${line} of a **long** reply.`);
    agent.answer.responses = wholeResponse([messageItem(lines.join('\n\n'))]);
    await send('x.responses.jsonc');
    await body().getByText('Line 0 of').waitFor();
    await body().click();
    await workbench.page.keyboard.press('Control+f');
    const find = workbench.webview().getByLabel('Find in reply');
    await find.fill('line 2222');
    const count = workbench.webview().locator('.find-count');
    await expectSoon(() => count.innerText(), '1 of 1');
    await body().getByText('Line 2222').waitFor();
    const isSeen = (): Promise<boolean> =>
      body()
        .getByText('Line 2222')
        .evaluate(
          line => line.getBoundingClientRect().top > 0 && line.getBoundingClientRect().top < innerHeight,
        );
    await expectSoon(isSeen, true);
    await find.press('Escape');
    await workbench.webview().getByRole('button', { name: 'Open as text' }).click();
    const editor = workbench.page.locator('.editor-instance .monaco-editor[data-uri^="parley-reply:"]');
    await editor.getByText('"output"').first().waitFor();
  });

  const groups = (): Promise<number> => workbench.page.locator('.editor-group-container').count();

  const set = (column: string): Promise<void> =>
    writeFile(
      join(workbench.folder, '.vscode/settings.json'),
      JSON.stringify({ 'parley.replies.column': column }),
    );

  /** Sends until so many groups are open: VS Code reads a file with settings when its change is reported. */
  async function sendUntil(count: number): Promise<void> {
    await expectSoon(async () => {
      await workbench.closeEditors();
      await send('x.responses.jsonc');
      await body().getByText('Hello').waitFor();
      return groups();
    }, count);
  }

  it('opens where the setting says, and in the same group where there is no room', async () => {
    agent.answer.responses = wholeResponse([messageItem('Hello')]);
    await send('x.responses.jsonc');
    await body().getByText('Hello').waitFor();
    assert.equal(await groups(), 2);
    await set('same');
    await sendUntil(1);
    await set('auto');
    await sendUntil(2);
    await workbench.page.setViewportSize({ width: 800, height: 900 });
    await sendUntil(1);
    await workbench.closeEditors();
    await workbench.page.setViewportSize({ width: 1400, height: 900 });
    // A document does not report its width, so what a page reported before must not count for it.
    await send('x.aicf');
    await workbench.page.locator('.editor-instance .view-line', { hasText: '{"sum":3}' }).waitFor();
    assert.equal(await groups(), 2);
  });
});

/** The page alone, with the extension's end of its messages in the test's hand. */
describe('the page of a reply, alone', () => {
  const lone = useLonePage('reply');

  const report = (...messages: readonly ToReply[]): Promise<void> =>
    lone.page.evaluate(async all => {
      for (const message of all) window.postMessage(message, '*');
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    }, messages);

  const sent = (type: string): Promise<readonly unknown[]> =>
    lone.page.evaluate(
      wanted =>
        (globalThis as unknown as { sent: { type: string }[] }).sent.filter(each => each.type === wanted),
      type,
    );

  const show: ToReply = {
    ...{ type: 'show', call: 'c', title: 'weather', status: 'ok', outcome: 'ok · 41 ms' },
    ...{ facts: ['writer', 'first byte 12 ms'], notes: ['It came late'], view: 'read' },
  };

  const parts = (text: string): ToReply => {
    const about = {
      kind: 'message',
      title: '',
      status: 'ok',
      at: 1,
      until: 2,
      pieces: 1,
      ticks: [],
    } as const;
    return {
      type: 'parts',
      call: 'c',
      parts: [{ ...about, id: '0', text, notes: [], children: [] }],
      notes: [],
      unread: '',
    };
  };

  it('copies what is shown, as it was written, and code by its own button', async () => {
    const text = '**Sunny**\n\n```ts\nlet a;\n```\n';
    await report(show, parts(text));
    await lone.page.getByRole('button', { name: 'Copy what is shown' }).click();
    await lone.page.getByRole('button', { name: 'Copy code' }).click();
    assert.deepEqual(await sent('copy'), [
      { type: 'copy', text },
      { type: 'copy', text: 'let a;' },
    ]);
  });

  it('confirms what it has drawn, so that it is never sent more than it can draw', async () => {
    await report(show, parts('One'));
    assert.equal((await sent('drawn')).length, 1);
  });

  it('moves through its views by arrow keys', async () => {
    await report(show, parts('One'));
    await lone.page.getByRole('radio', { name: 'Read' }).focus();
    await lone.page.keyboard.press('ArrowRight');
    assert.deepEqual(await sent('view'), [{ type: 'view', view: 'raw' }]);
  });

  it('has few elements however long a reply is', async () => {
    await report(show);
    await showLongReply(lone.page, { characters: 1_000_000, chunks: 5_000 });
    await expectSoon(
      () => lone.page.locator('.reply-body').evaluate(body => body.scrollHeight > 100_000),
      true,
    );
    const count = await lone.page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(count < 2_000, String(count));
  });
});
