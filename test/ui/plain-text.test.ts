import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { closeRawAgents, reply, startRawAgent } from '../agents/support/raw-agent.ts';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

/** What would open a new file if it were a link and clicked. */
const LINK = '[Show details](command:workbench.action.files.newUntitledFile)';
/** What would be an icon in a label. */
const AGENT = `$(bug)${LINK}`;

/** A text without the marks that keep it from being parsed. */
function plain(text: string): string {
  return text.replaceAll('\u2060', '');
}

describe('what agents and files say', () => {
  let workbench: Workbench;

  before(async () => {
    const agent = await startRawAgent(socket => void socket.end(reply(LINK, `502 ${LINK}`)));
    const agents = {
      [AGENT]: { protocol: 'aicf', type: 'http', url: agent.origin, quirks: 'off' },
      other: { protocol: 'aicf', type: 'http', url: agent.origin, quirks: 'off' },
    };
    workbench = await takeWindow({
      files: {
        '.vscode/agents.json': JSON.stringify({ agents }),
        'links.aicf': `# @agent ${AGENT}\nLIST\n`,
      },
    });
  });
  after(closeRawAgents);

  it('is no icon in the status bar and in a list to pick from', async () => {
    const editor = await workbench.openFile('links.aicf');
    await editor.locator('.view-line', { hasText: 'LIST' }).click();
    const { page } = workbench;
    const item = page.locator('[id="parley.parley.parley.agent"]');
    await expectSoon(async () => plain(await item.innerText()).trim(), AGENT);
    assert.deepEqual(
      [await item.locator('.codicon').count(), await item.locator('.codicon-bug').count()],
      [1, 0],
    );
    // The command asks at once, in the widget of the palette: it is never seen to close.
    const palette = await workbench.askQuickInput('F1', '>Parley: Pick Agent…');
    await palette.locator('.monaco-list-row', { hasText: 'Parley: Pick Agent…' }).first().click();
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Show details' });
    await row.waitFor();
    assert.equal(plain(await row.locator('.label-name').first().innerText()), AGENT);
    assert.equal(await row.locator('.codicon-bug').count(), 0);
    await page.keyboard.press('Escape');
  });

  it('is no link in a notification, and a click on it runs nothing', async () => {
    const editor = await workbench.openFile('links.aicf');
    await workbench.lenses(editor, 'Send').first().click();
    const { page } = workbench;
    const message = page.locator('.notification-toast .notification-list-item-message', { hasText: '502' });
    await message.waitFor();
    assert.ok(plain(await message.innerText()).includes(`502 ${LINK}`), await message.innerText());
    assert.equal(await message.locator('a').count(), 0);
    // Where the words are, which would be the link.
    const box = await message.evaluate(element => {
      const range = document.createRange();
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      const start = text?.textContent?.indexOf('Show details') ?? -1;
      if (!text || start < 0) return undefined;
      range.setStart(text, start);
      range.setEnd(text, start + 'Show details'.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
    assert.ok(box);
    await page.mouse.click(box.x, box.y);
    // A command that was run by the click would be done before this one.
    await workbench.runCommand('Notifications: Clear All Notifications');
    await message.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.tabs-container .tab', { hasText: 'Untitled' }).count(), 0);
  });
});
