import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Locator } from 'playwright-core';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const ASKING = `# @agent librarian
CALL|book.borrow|Emma

# @agent librarian
CALL|book.review|Emma
`;

const MANY = `# @agent toolbox
CALL|math.add|1|2
# @agent toolbox
call|math.add|3|4
# @agent toolbox
CALL|text.reverse|abc
`;

describe('forms, questions and the composer', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow({
      colorScheme: 'dark',
      files: { 'asking.aicf': ASKING, 'many.aicf': MANY },
    });
    await workbench.openFile('asking.aicf');
    await workbench.openSidePanel();
  });
  afterEach(async () => {
    await workbench.clearNotifications();
    await workbench.closeEditors();
  });

  /** The page that contains a text; the composer is one, too. */
  const pages = async (selector: string): Promise<FrameLocator> => {
    let found: FrameLocator | undefined;
    await expectSoon(async () => {
      for (const frame of await workbench.page.locator('iframe.webview.ready').all()) {
        const page = frame.contentFrame().frameLocator('iframe#active-frame');
        if ((await page.locator(selector).count()) > 0) found = page;
      }
      return found !== undefined;
    }, true);
    assert.ok(found);
    return found;
  };
  const reply = async (title: string): Promise<string> => {
    await workbench.tab(title).waitFor();
    const read = async (): Promise<string> =>
      (await workbench.linesOf(workbench.editor(title))).join('\n').trim();
    // Its lines are drawn after its tab.
    await expectSoon(async () => (await read()) !== '', true);
    return read();
  };

  it('calls a tool by a form, says at the field what is wrong, and remembers', async () => {
    await openTool('toolbox', 'math.add');
    const page = await pages('form.form');
    const [a, b] = [page.getByLabel('a', { exact: true }), page.getByLabel('b', { exact: true })];
    await a.fill('forty');
    await b.fill('2');
    await page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual(
      [await a.getAttribute('aria-invalid'), await b.getAttribute('aria-invalid')],
      ['true', 'false'],
    );
    await page.getByText('This has to be a number, such as 1.5.').waitFor();
    await a.fill('40');
    await expectSoon(
      async () => (await page.locator('pre').innerText()).includes('[s:a]:[i:40],[s:b]:[i:2]'),
      true,
    );
    await page.locator('select').selectOption('aicf');
    await expectSoon(() => page.locator('pre').innerText(), 'CALL|math.add|40|2');
    await b.focus();
    await workbench.page.keyboard.press('Control+Enter');
    assert.match(await reply('math.add ok'), /\[s:sum\]:\[i:42\]/);
    await workbench.screenshot('call-form');
    await a.fill('forty');
    await b.focus();
    await workbench.page.keyboard.press('Control+Enter');
    await page.getByText('1 field needs attention').waitFor();
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await page.getByText(/^error 422/).waitFor();
    assert.match(await reply('math.add error'), /\[s:reason\]/);
    await a.fill('40');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/^ok/).waitFor();
    await workbench.closeEditors();
    await openTool('toolbox', 'math.add');
    const again = await pages('form.form');
    await expectSoon(() => again.getByLabel('a', { exact: true }).inputValue(), '40');
  });

  it('shows the form that an agent asks with, and gives it the answer', async () => {
    await send('CALL|book.borrow');
    const page = await pages('form.form');
    await page.getByText("The agent 'librarian' requests input").waitFor();
    const days = page.getByLabel('days', { exact: true });
    assert.equal(await days.inputValue(), '14');
    await days.fill('31');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('This has to be at most 30.').waitFor();
    await workbench.screenshot('question');
    await days.fill('7');
    await page.getByRole('button', { name: 'Answer' }).click();
    assert.match(await reply('book.borrow ok'), /Emma is yours for 7 days/);
  });

  it('takes a declined and a closed form for an answer', async () => {
    await send('CALL|book.borrow');
    await (await pages('form.form')).getByRole('button', { name: 'Decline' }).click();
    assert.match(await reply('book.borrow ok'), /Emma stays on its shelf/);
    await workbench.closeEditors();
    await send('CALL|book.borrow');
    await pages('form.form');
    await workbench.tab('Input for librarian').waitFor();
    await (await pages('form.form')).getByLabel('days', { exact: true }).press('Escape');
    assert.match(await reply('book.borrow ok'), /Emma stays on its shelf/);
  });

  it('has the user write what an agent wants from a model', async () => {
    await send('CALL|book.review');
    await notice(/librarian.*requests sampling/, 'Answer…').click();
    const widget = workbench.page.locator('.quick-input-widget:visible');
    await widget.locator('input').fill('A comedy of errors.');
    await workbench.page.keyboard.press('Enter');
    assert.match(await reply('book.review ok'), /A critic says: A comedy of errors\./);
    await workbench.tab('librarian sampling request').waitFor({ state: 'detached' });
  });

  it('sends from the composer, and shows the reply below', async () => {
    const page = await pages('.composer');
    const [agent, language] = [page.getByLabel('Agent'), page.getByLabel('Language')];
    await agent.selectOption('toolbox');
    await language.selectOption('aicf');
    await page.getByLabel('Request').fill('CALL|math.add|1|2');
    await page.getByRole('button', { name: 'Send' }).click();
    await expectSoon(() => page.getByLabel('Reply').innerText(), 'OK|{"sum":3}');
    await workbench.screenshot('composer');
    await page.getByRole('button', { name: 'Show raw' }).click();
    await workbench.tab('math.add (raw)').waitFor();
    await page.getByRole('button', { name: 'Open as file' }).click();
    await workbench.tab('# @agent toolbox').or(workbench.tab('Untitled-1')).waitFor();
    await workbench.runCommand('View: Revert and Close Editor');
  });

  it('checks what is written in the composer, and holds a request with errors until it is sent anyway', async () => {
    const page = await pages('.composer');
    const request = page.getByLabel('Request');
    await page.getByLabel('Agent').selectOption('toolbox');
    await page.getByLabel('Language').selectOption('aicf');
    await request.fill('CALL|math.add|1|2\n\ncall|math.add|3|4');
    await expectSoon(
      () => page.locator('.issue').allInnerTexts(),
      ["Error, line 3 'call' is not a command; write 'CALL' (error 400)"],
    );
    await page.locator('.issue button').click();
    assert.equal(await selected(request), 'call');
    await page.getByRole('button', { name: 'Send request 2 of 2' }).click();
    await page.getByText('Request 2 of 2: Not sent, because the request has errors.').waitFor();
    await workbench.screenshot('composer-held');
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await expectSoon(async () => (await page.getByLabel('Reply').innerText()).startsWith('ERR|400|'), true);
    await page.getByText(/^Request 2 of 2: error 400 · /).waitFor();
    await request.press('Control+Home');
    await page.getByRole('button', { name: 'Send request 1 of 2' }).click();
    await expectSoon(() => page.getByLabel('Reply').innerText(), 'OK|{"sum":3}');
    await request.fill('# nothing but a note');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('There is no request in this text yet.').waitFor();
  });

  it('colours what is written in the composer while it is written, and underlines what is wrong', async () => {
    const page = await pages('.composer');
    const request = page.getByLabel('Request');
    await page.getByLabel('Agent').selectOption('toolbox');
    await page.getByLabel('Language').selectOption('aicf');
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
    await page.getByLabel('Language').selectOption('plain');
    await expectSoon(() => painted(request), []);
  });

  it('proposes in the composer the language that suits the agent, until something is written', async () => {
    const page = await pages('.composer');
    const [agent, language, request] = [
      page.getByLabel('Agent'),
      page.getByLabel('Language'),
      page.getByLabel('Request'),
    ];
    await request.fill('');
    await agent.selectOption('analyst');
    assert.equal(await language.inputValue(), 'plain');
    await agent.selectOption('toolbox');
    assert.equal(await language.inputValue(), 'aicf');
    await request.fill('LIST');
    await agent.selectOption('analyst');
    assert.equal(await language.inputValue(), 'aicf');
  });

  it('completes in the composer what its agent offers, by keys', async () => {
    const page = await pages('.composer');
    const request = page.getByLabel('Request');
    await page.getByLabel('Agent').selectOption('toolbox');
    await page.getByLabel('Language').selectOption('aicf');
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

  it('replaces variables in the composer as in a file, and says which one has no value', async () => {
    const page = await pages('.composer');
    const request = page.getByLabel('Request');
    await page.getByLabel('Agent').selectOption('toolbox');
    await page.getByLabel('Language').selectOption('aicf');
    await request.fill('# @word = abc\nCALL|text.reverse|{{word}}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expectSoon(() => page.getByLabel('Reply').innerText(), 'OK|"cba"');
    await request.fill('CALL|text.reverse|{{$env PARLEY_NOT_THERE}}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/^Not sent\. .*PARLEY_NOT_THERE/).waitFor();
    await request.fill('CALL|text.reverse|AUTH:hunter2');
    await page.locator('.issue', { hasText: /^Warning, line 1 .*credential/ }).waitFor();
  });

  it('saves what is written in the composer as a file', async () => {
    const page = await pages('.composer');
    await page.getByLabel('Agent').selectOption('toolbox');
    await page.getByLabel('Language').selectOption('aicf');
    await page.getByLabel('Request').fill('LIST');
    await page.getByRole('button', { name: 'Save as file…' }).click();
    const widget = workbench.page.locator('.quick-input-widget:visible');
    const input = widget.locator('input[type="text"]');
    await expectSoon(async () => (await input.inputValue()).endsWith('request.aicf'), true);
    await widget.getByRole('button', { name: 'OK' }).click();
    await workbench.tab('request.aicf').waitFor();
    // The tab is there before its text.
    const lines = ['# @agent toolbox', 'LIST', ''];
    await expectSoon(() => workbench.linesOf(workbench.editor('request.aicf')), lines);
  });

  it('says of many requests which one was not sent, and sends it anyway', async () => {
    await workbench.openFile('many.aicf');
    await workbench.runCommand('Parley: Send All Requests');
    const held = workbench.page.locator('.notification-list-item', {
      hasText: /Stopped at request 2 of 3, line 4\. Not sent, because/,
    });
    await held.waitFor();
    await workbench.screenshot('send-all-held');
    await held.getByRole('button', { name: 'Send anyway', exact: true }).click();
    assert.match(await reply('math.add error 400'), /^ERR\|400/);
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

  async function openTool(agent: string, tool: string): Promise<void> {
    const widget = await workbench.openQuickInput('F1');
    await widget.locator('input[type="text"]').fill('>Parley Agents: Call Tool');
    await row('Call Tool').click();
    await row(agent).click();
    await row(tool).click();
  }

  function row(text: string): Locator {
    return workbench.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: text }).first();
  }

  async function send(line: string): Promise<void> {
    const editor = await workbench.openFile('asking.aicf');
    await workbench.clickLens(editor, 'Send', line);
  }

  function notice(text: RegExp, button: string): Locator {
    return workbench.page
      .locator('.notification-list-item', { hasText: text })
      .getByRole('button', { name: button, exact: true });
  }
});
