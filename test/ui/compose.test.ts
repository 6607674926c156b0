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
  const modes = (): Promise<readonly string[]> =>
    page.getByLabel('Mode', { exact: true }).locator('option').allInnerTexts();
  const say = async (text: string): Promise<void> => {
    const input = page.getByLabel('Message', { exact: true });
    await input.fill(text);
    await input.press('Enter');
  };
  const turns = (): Locator => page.locator('.turn');
  /** The reply to a tool or a text. */
  const reply = (): Locator => page.locator(':is(.tools, .text-request):not([hidden]) .reply-body');
  const replyOf = (turn: number): Locator => turns().nth(turn).locator('.reply-body');
  const stateOf = (turn: number): Promise<string> => turns().nth(turn).getByRole('status').innerText();

  it('offers what the agent takes, its own first, and remembers the choice of each', async () => {
    await choose('gpt');
    await expectSoon(modes, ['Chat', 'JSON', 'AICF', 'AICL']);
    await choose('everything');
    await expectSoon(modes, ['Tools', 'JSON', 'AICF', 'AICL']);
    await choose('everything', 'aicf');
    await page.getByLabel('Request').fill('LIST');
    await choose('gpt');
    const mode = page.getByLabel('Mode', { exact: true });
    await expectSoon(() => mode.inputValue(), 'chat');
    await choose('everything');
    await expectSoon(() => mode.inputValue(), 'aicf');
    assert.equal(await page.getByLabel('Request').inputValue(), 'LIST');
    await choose('everything', 'tools');
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
    await choose('everything', 'tools');
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
    const problem = page.getByText('This has to be a number, such as 1.5.');
    await problem.waitFor();
    await page.getByLabel('b', { exact: true }).fill('2');
    // The button moves up once the problem is gone.
    await problem.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expectSoon(async () => (await reply().innerText()).includes('42'), true);
    await page.getByRole('button', { name: 'All tools' }).click();
    assert.equal(await page.getByLabel('Filter tools').inputValue(), 'sum');
  });

  it('sends a request in the JSON of the agent, which is checked and completed', async () => {
    await choose('gpt', 'agent-json');
    const request = page.getByLabel('Request');
    await request.fill('{ "input": 7 }');
    await page.locator('.issue').first().waitFor();
    await request.fill('');
    await request.pressSequentially('{"in');
    await page.locator('.proposal', { hasText: 'input' }).first().waitFor();
    const count = gpt.requests.length;
    await request.fill('{ "input": "In JSON", "stream": true }');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expectSoon(async () => gpt.requests.length, count + 1);
    assert.equal(gpt.requests.at(-1)?.['input'], 'In JSON');
    gpt.write('Read.');
    gpt.end();
    await expectSoon(() => reply().innerText(), 'Read.');
    await page
      .locator('.text-request')
      .getByText(/^ok · \d/)
      .waitFor();
  });

  it('sends from Compose, and shows the reply below', async () => {
    await choose('toolbox', 'aicf');
    await page.getByLabel('Request').fill('CALL|math.add|1|2');
    await page.getByRole('button', { name: 'Send' }).click();
    await expectSoon(async () => /"sum": 3/.test(await reply().innerText()), true);
    await workbench.screenshot('composer');
    await page.getByRole('button', { name: 'Raw' }).click();
    await workbench.tab('math.add (raw)').waitFor();
    await page.getByRole('button', { name: 'Open as file' }).click();
    await workbench.tab('# @agent toolbox').or(workbench.tab('Untitled-1')).waitFor();
    await workbench.runCommand('View: Revert and Close Editor');
  });

  it('checks what is written in Compose, and holds a request with errors until it is sent anyway', async () => {
    const request = page.getByLabel('Request');
    await choose('toolbox', 'aicf');
    await request.fill('CALL|math.add|1|2\n\ncall|math.add|3|4');
    await expectSoon(
      () => page.locator('.issue').allInnerTexts(),
      ["Error, line 3 'call' is not a command; write 'CALL' (error 400)"],
    );
    await page.locator('.issue button').click();
    assert.equal(await selected(request), 'call');
    await page.getByRole('button', { name: 'Send 2 of 2' }).click();
    await page.getByText('Request 2 of 2: Not sent, because the request has errors.').waitFor();
    await workbench.screenshot('composer-held');
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await expectSoon(async () => (await reply().innerText()).includes('400'), true);
    await page.getByText(/^Request 2 of 2: error 400 · /).waitFor();
    await request.press('Control+Home');
    await page.getByRole('button', { name: 'Send 1 of 2' }).click();
    await expectSoon(async () => /"sum": 3/.test(await reply().innerText()), true);
    await request.fill('# nothing but a note');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('There is no request in this text yet.').waitFor();
  });

  it('colours what is written in Compose while it is written, and underlines what is wrong', async () => {
    const request = page.getByLabel('Request');
    await choose('toolbox', 'aicf');
    await request.fill('# ours\nCALL|math.add|1|2\ncall|text.reverse|abc');
    await expectSoon(
      () => painted(request),
      [
        'comment: # ours',
        'error: call',
        'function: math.add, text.reverse',
        'keyword: CALL',
        'number: 1, 2',
        'string: abc',
      ],
    );
    const colour = (name: string): Promise<string> =>
      request.evaluate((field, kind) => getComputedStyle(field, `::highlight(${kind})`).color, name);
    assert.notEqual(await colour('keyword'), await colour('function'));
    const over = page.locator('.paint');
    assert.equal(await over.textContent(), await request.inputValue());
    assert.deepEqual(await boxOf(over), await boxOf(request));
    // The text after a new word keeps its colours until it is checked again.
    const moved = await request.evaluate(field => {
      if (!(field instanceof HTMLTextAreaElement)) throw new Error('this is no field');
      field.setRangeText('of ', 2, 2);
      field.dispatchEvent(new Event('input'));
      return [...(CSS.highlights.get('function') ?? [])].map(String);
    });
    assert.deepEqual(moved, ['math.add', 'text.reverse']);
  });

  it('completes in Compose what its agent offers, by keys', async () => {
    const request = page.getByLabel('Request');
    await choose('toolbox', 'tools');
    await page.getByRole('button', { name: 'Load tools' }).or(page.getByLabel('Filter tools')).waitFor();
    if (await page.getByRole('button', { name: 'Load tools' }).isVisible())
      await page.getByRole('button', { name: 'Load tools' }).click();
    await page.locator('.tool-name', { hasText: 'text.reverse' }).waitFor();
    await choose('toolbox', 'aicf');
    await request.fill('');
    await request.pressSequentially('CALL|text.r');
    const option = page.locator('.proposal', { hasText: 'text.reverse' });
    await option.waitFor();
    await workbench.screenshot('composer-suggestions');
    assert.equal(await option.getAttribute('aria-selected'), 'true');
    await request.press('Tab');
    await expectSoon(async () => (await request.inputValue()).startsWith('CALL|text.reverse'), true);
    assert.equal(await page.getByRole('listbox').isVisible(), false);
    await request.fill('CALL|text.');
    await request.press('Control+Space');
    await page.locator('.proposal').first().waitFor();
    await request.press('Escape');
    assert.equal(await page.getByRole('listbox').isVisible(), false);
  });

  it('replaces variables in Compose as in a file, and says which one has no value', async () => {
    const request = page.getByLabel('Request');
    await choose('toolbox', 'aicf');
    await request.fill('# @word = abc\nCALL|text.reverse|{{word}}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expectSoon(() => reply().innerText(), 'cba');
    await request.fill('CALL|text.reverse|{{$env PARLEY_NOT_THERE}}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/^Not sent\. .*PARLEY_NOT_THERE/).waitFor();
    await request.fill('CALL|text.reverse|AUTH:hunter2');
    await page.locator('.issue', { hasText: /^Warning, line 1 .*credential/ }).waitFor();
  });

  it('saves what is written in Compose as a file', async () => {
    await choose('toolbox', 'aicf');
    await page.getByLabel('Request').fill('LIST');
    await page.getByRole('button', { name: 'Save…' }).click();
    const widget = workbench.page.locator('.quick-input-widget:visible');
    const input = widget.locator('input[type="text"]');
    await expectSoon(async () => (await input.inputValue()).endsWith('request.aicf'), true);
    await widget.getByRole('button', { name: 'OK' }).click();
    await workbench.tab('request.aicf').waitFor();
    // The tab is there before its text.
    const lines = ['# @agent toolbox', 'LIST', ''];
    await expectSoon(() => workbench.linesOf(workbench.editor('request.aicf')), lines);
  });

  /** What is coloured or underlined, by how. */
  function painted(field: Locator): Promise<readonly string[]> {
    return field.evaluate(() =>
      [...CSS.highlights].map(([name, ranges]) => `${name}: ${[...ranges].map(String).join(', ')}`).sort(),
    );
  }

  /** The position of an element and its visible part. */
  function boxOf(found: Locator): Promise<readonly number[]> {
    return found.evaluate(({ clientWidth, clientHeight, scrollTop, scrollHeight }) => [
      clientWidth,
      clientHeight,
      scrollTop,
      scrollHeight,
    ]);
  }

  /** What is selected in a field. */
  function selected(field: Locator): Promise<string> {
    return field.evaluate(element => {
      if (!(element instanceof HTMLTextAreaElement)) throw new Error('this is no field');
      return element.value.slice(element.selectionStart, element.selectionEnd);
    });
  }

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
