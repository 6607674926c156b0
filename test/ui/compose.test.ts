import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Locator } from 'playwright-core';
import { ROOT } from '../../scripts/root.ts';
import { EVERYTHING } from '../agents/mcp/support.ts';
import { closeA2aAgents, startA2aAgent, type A2aAgent } from '../agents/support/a2a-agent.ts';
import { startResponsesAgent, type ResponsesAgent } from './support/responses-agent.ts';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

describe('Compose', () => {
  let workbench: Workbench;
  let gpt: ResponsesAgent;
  let planner: A2aAgent;
  let page: FrameLocator;

  before(async () => {
    [gpt, planner] = await Promise.all([
      startResponsesAgent(),
      startA2aAgent({ version: '1.0', streaming: true }),
    ]);
    const agents = {
      toolbox: { protocol: 'aicf', type: 'http', url: '${demo:toolbox}' },
      analyst: { protocol: 'aicl', type: 'http', url: '${demo:analyst}' },
      gpt: { protocol: 'responses', type: 'http', url: gpt.url, model: 'mock' },
      planner: { protocol: 'a2a', type: 'http', url: planner.origin },
      everything: {
        protocol: 'mcp',
        type: 'stdio',
        command: 'node',
        args: [join(ROOT, EVERYTHING), 'stdio'],
      },
    };
    workbench = await takeWindow({ files: { '.vscode/agents.json': JSON.stringify({ agents }) } });
    await workbench.openSidePanel();
    page = await findPage('.composer');
  });
  afterEach(async () => {
    await workbench.clearNotifications();
    await workbench.closeEditors();
  });
  after(async () => {
    await gpt.close();
    await closeA2aAgents();
  });

  const findPage = async (selector: string): Promise<FrameLocator> => {
    let found: FrameLocator | undefined;
    await expectSoon(async () => {
      for (const frame of await workbench.page.locator('iframe.webview.ready').all()) {
        const inner = frame.contentFrame().frameLocator('iframe#active-frame');
        if ((await inner.locator(selector).count()) > 0) found = inner;
      }
      return found !== undefined;
    }, true);
    assert.ok(found);
    return found;
  };
  const choose = async (agent: string, mode?: string): Promise<void> => {
    await page.getByLabel('Agent', { exact: true }).selectOption(agent);
    if (mode !== undefined) await page.getByLabel('Mode', { exact: true }).selectOption(mode);
  };
  const say = async (text: string): Promise<void> => {
    const input = page.getByLabel('Message', { exact: true });
    await input.fill(text);
    await input.press('Enter');
  };
  const turns = (): Locator => page.locator('.turn');
  /** The reply to a tool. */
  const reply = (): Locator => page.locator('.tools .reply-body');
  const replyOf = (turn: number): Locator => turns().nth(turn).locator('.reply-body');
  const stateOf = (turn: number): Promise<string> => turns().nth(turn).getByRole('status').innerText();

  it('offers what the agent takes, and remembers the choice of each', async () => {
    const mode = page.getByLabel('Mode', { exact: true });
    await choose('gpt');
    await page.getByLabel('Message', { exact: true }).waitFor();
    await expectSoon(() => mode.count(), 0);
    await choose('analyst');
    await expectSoon(() => mode.locator('option').allInnerTexts(), ['Chat', 'Tools']);
    await choose('analyst', 'tools');
    await page.getByText('The tools of analyst are not loaded yet.').waitFor();
    await choose('gpt');
    await page.getByLabel('Message', { exact: true }).waitFor();
    await choose('analyst');
    await expectSoon(() => mode.inputValue(), 'tools');
  });

  it('writes a request in an editor, to the selected agent', async () => {
    const write = async (agent: string, language: string): Promise<readonly string[]> => {
      await choose(agent);
      await page.getByRole('button', { name: 'Write a request in JSON, AICF or AICL in an editor' }).click();
      const widget = workbench.page.locator('.quick-input-widget:visible');
      await widget.locator('.monaco-list-row', { hasText: language }).first().click();
      const editor = workbench.page.locator('.editor-instance:visible .view-lines').first();
      await expectSoon(async () => (await editor.innerText()).includes('@agent'), true);
      const text = await editor.innerText();
      await workbench.runCommand('View: Revert and Close Editor');
      return text.split('\n').map(line => line.replaceAll('\u00a0', ' '));
    };
    assert.equal((await write('gpt', 'JSON'))[0], '// @agent gpt');
    assert.ok((await write('everything', 'AICF')).includes('# @agent everything'));
    assert.ok((await write('analyst', 'AICL')).includes('# @agent analyst'));
  });

  it('talks with an agent of Responses, whose reply grows as it will be at the end', async () => {
    await choose('gpt');
    await say('What is the **sky**?');
    await expectSoon(async () => gpt.requests.length, 1);
    gpt.write('It is **blue');
    await expectSoon(() => replyOf(0).innerText(), 'It is **blue');
    gpt.write('** today.');
    await expectSoon(() => replyOf(0).locator('strong').allInnerTexts(), ['blue']);
    const before = await replyOf(0).ariaSnapshot();
    assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 1);
    gpt.end();
    await expectSoon(async () => /^ok · \d/.test(await stateOf(0)), true);
    assert.equal(await replyOf(0).ariaSnapshot(), before);
    assert.equal(await turns().nth(0).locator('.said-text').innerText(), 'What is the **sky**?');
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), '');
  });

  it('continues the conversation with the next message, and begins a new one', async () => {
    await say('And at night?');
    await expectSoon(async () => gpt.requests.length, 2);
    gpt.write('Black.');
    gpt.end();
    await expectSoon(() => replyOf(1).innerText(), 'Black.');
    assert.deepEqual(
      gpt.requests.map(request => request['previous_response_id']),
      [undefined, 'resp_1'],
    );
    await expectSoon(async () => (await stateOf(1)).startsWith('ok'), true);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await expectSoon(() => turns().count(), 0);
    await say('Hello');
    await expectSoon(async () => gpt.requests.length, 3);
    assert.equal(gpt.requests[2]?.['previous_response_id'], undefined);
    gpt.write('Hi.');
    await expectSoon(() => replyOf(0).innerText(), 'Hi.');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expectSoon(async () => (await stateOf(0)).startsWith('stopped'), true);
    assert.match(await replyOf(0).innerText(), /^Hi\./);
  });

  it('keeps the conversation while the view is hidden, and shows its call on the timeline and raw', async () => {
    const header = workbench.view('Compose').locator('.pane-header');
    await header.click();
    await expectSoon(() => workbench.page.locator('iframe.webview.ready').count(), 0);
    await header.click();
    page = await findPage('.turn');
    assert.match(await replyOf(0).innerText(), /^Hi\./);
    await turns().nth(0).getByRole('button', { name: 'Raw' }).click();
    await workbench.tab('Hello').waitFor();
    await turns().nth(0).getByRole('button', { name: 'Timeline' }).click();
    await workbench.webview().locator('.waterfall, .timeline').first().waitFor();
  });

  it('sends a picture as a part of the protocol, and shows and removes attached files', async () => {
    const picture = await readFile(join(ROOT, 'samples/tile.png'));
    await choose('gpt');
    await page.getByRole('button', { name: 'New conversation' }).click();
    const input = page.getByLabel('Message', { exact: true });
    await paste(input, [
      { name: 'tile.png', type: 'image/png', base64: picture.toString('base64') },
      { name: 'notes.txt', type: 'text/plain', base64: Buffer.from('one').toString('base64') },
    ]);
    await expectSoon(
      () => page.locator('.message-box .file-name').allInnerTexts(),
      ['tile.png', 'notes.txt'],
    );
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await expectSoon(() => page.locator('.message-box .file-name').allInnerTexts(), ['tile.png']);
    const count = gpt.requests.length;
    await say('What is this?');
    await expectSoon(async () => gpt.requests.length, count + 1);
    gpt.write('A tile.');
    gpt.end();
    await expectSoon(() => replyOf(0).innerText(), 'A tile.');
    const [item] = gpt.requests.at(-1)?.['input'] as readonly { readonly content: readonly unknown[] }[];
    assert.deepEqual(item?.content, [
      { type: 'input_text', text: 'What is this?' },
      {
        type: 'input_image',
        detail: 'auto',
        image_url: `data:image/png;base64,${picture.toString('base64')}`,
      },
    ]);
    assert.deepEqual(await turns().nth(0).locator('.file-name').allInnerTexts(), ['tile.png']);
  });

  it('talks with an agent of A2A, and answers what it asks in its task', async () => {
    await choose('planner');
    await say('ask me');
    await expectSoon(async () => (await replyOf(0).innerText()).includes('Which city?'), true);
    await expectSoon(async () => (await stateOf(0)).startsWith('ok'), true);
    await say('Lisbon');
    await expectSoon(async () => (await replyOf(1).innerText()).includes('Then it is Lisbon'), true);
    const sent = planner.requests
      .filter(body => body.includes('"params"'))
      .map(body => (JSON.parse(body) as { params: { message: { taskId?: string } } }).params.message.taskId);
    assert.equal(sent.at(-2), undefined);
    assert.ok(sent.at(-1));
  });

  it('lists the tools of an MCP server, and calls one by its form', async () => {
    await choose('everything');
    await page.getByText('The tools of everything are not loaded yet.').waitFor();
    await page.getByRole('button', { name: 'Load tools' }).click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByLabel('Filter tools').fill('sum');
    await expectSoon(() => page.locator('.tool-name').allInnerTexts(), ['get-sum']);
    await page.locator('.tool-row').click();
    await page.getByLabel('a', { exact: true }).fill('40');
    await page.getByLabel('b', { exact: true }).fill('two');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This has to be a number, such as 1.5.').waitFor();
    await page.getByLabel('b', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expectSoon(async () => (await reply().innerText()).includes('42'), true);
    await page.getByRole('button', { name: 'All tools' }).click();
    assert.equal(await page.getByLabel('Filter tools').inputValue(), 'sum');
  });

  /** Pastes files into a field. */
  function paste(
    field: Locator,
    files: readonly { readonly name: string; readonly type: string; readonly base64: string }[],
  ): Promise<void> {
    return field.evaluate((target, pasted) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of pasted) {
        const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      target.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, files);
  }
});

describe('Compose without an agent', () => {
  it('says what it is for and adds one', async () => {
    const workbench = await takeWindow({ files: { '.vscode/agents.json': '{ "agents": {} }' } });
    await workbench.openSidePanel();
    const frame = workbench.page.locator('iframe.webview.ready').first();
    const page = frame.contentFrame().frameLocator('iframe#active-frame');
    await page.getByText('There is no agent yet.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send' }).count(), 0);
    await page.getByRole('button', { name: 'Add agent' }).click();
    await workbench.page.locator('.quick-input-widget:visible').waitFor();
    await workbench.page.keyboard.press('Escape');
  });
});
