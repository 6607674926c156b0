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

describe('forms and questions', () => {
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

  /** The page that contains an element. */
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
    const read = async (): Promise<string> => {
      const editor = workbench.editor(title);
      if ((await editor.count()) > 0) return (await workbench.linesOf(editor)).join('\n').trim();
      return (await pages('.reply-body')).locator('.reply-body').innerText();
    };
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
    // First as its agent takes it.
    await expectSoon(() => page.locator('pre').innerText(), 'CALL|math.add|40|2');
    const shows = async (text: string): Promise<boolean> =>
      (await page.locator('pre').innerText()).includes(text);
    await page.locator('select').selectOption('aicl');
    await expectSoon(() => shows('[s:a]:[i:40],[s:b]:[i:2]'), true);
    await page.locator('select').selectOption('curl');
    await expectSoon(() => shows("--data-raw 'CALL|math.add|40|2'"), true);
    await b.focus();
    await workbench.page.keyboard.press('Control+Enter');
    assert.match(await reply('math.add ok'), /^OK\|\{"sum":42\}/);
    await workbench.screenshot('call-form');
    await a.fill('forty');
    await b.focus();
    await workbench.page.keyboard.press('Control+Enter');
    await page.getByText('1 field needs attention').waitFor();
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await page.getByText(/^error 422/).waitFor();
    assert.match(await reply('math.add error'), /^ERR\|422\|/);
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
    const problem = page.getByText('This has to be at most 30.');
    await problem.waitFor();
    await workbench.screenshot('question');
    await days.fill('7');
    // The button moves up once the problem is gone.
    await problem.waitFor({ state: 'detached' });
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
