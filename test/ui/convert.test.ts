import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const TOOL = 'TOOL|math.add|Adds two numbers.|a:number|b:number';

const QUERY =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:one],[s:msg_type]:[s:data_query],[s:query]:[s:all]]';

describe('a conversion beside its source', () => {
  let workbench: Workbench;
  let source: Locator;
  let view: Locator;
  before(async () => {
    workbench = await takeWindow({
      files: {
        'sum.aicf': `${TOOL}\nCALL|math.add|19|23\nCALL|text.trim|a b\n`,
        'query.aicl': `${QUERY}\n`,
        'remark.aicl': `#todo\n${QUERY}\n\n\n`,
        'heading.aicl': `${QUERY.replace('all', '\n# Heading')}\n\n\n`,
      },
    });
    source = await workbench.openFile('sum.aicf');
    await workbench.lenses(source, 'Convert').first().waitFor();
  });

  /** The line of an editor that is marked, because it contains the cursor of the other one. */
  async function markedLines(editor: Locator): Promise<readonly string[]> {
    const tops = await editor
      .locator('.view-overlays .cdr[class*="ced-"]')
      .evaluateAll(marks => marks.map(mark => mark.parentElement?.style.top ?? ''));
    const lines = await editor
      .locator('.view-line')
      .evaluateAll(nodes =>
        nodes.map(node => [
          (node as HTMLElement).style.top,
          (node.textContent ?? '').replaceAll('\u00a0', ' ').trim(),
        ]),
      );
    return [...new Set(tops)].flatMap(top => lines.filter(([at]) => at === top).map(([, text = '']) => text));
  }

  it('opens from the lens by a protocol of the list', async () => {
    await workbench.clickLens(source, 'Convert', 'CALL|math.add');
    const row = workbench.page.locator('.quick-input-widget:visible .monaco-list-row', {
      hasText: 'JSON-RPC',
    });
    await row.first().click();
    await workbench.tab('sum.aicf → JSON-RPC').waitFor();
    view = workbench.editor('sum.aicf → JSON-RPC');
    await expectSoon(
      () => workbench.linesOf(view),
      [
        '{',
        '  "jsonrpc": "2.0",',
        '  "id": 2,',
        '  "method": "aip.tool.invoke",',
        '  "params": {',
        '    "tool": "math.add",',
        '    "arguments": {',
        '      "a": 19,',
        '      "b": 23',
        '    }',
        '  }',
        '}',
        '',
      ],
    );
    assert.equal(await view.locator('.squiggly-warning, .squiggly-info').count(), 0);
    await workbench.screenshot('conversion-dark');
  });

  it('follows what is typed', async () => {
    await workbench.typeAt('sum.aicf', 2, 17, '0');
    await expectSoon(async () => (await workbench.linesOf(view))[7], '      "a": 190,');
  });

  it('marks the value at the cursor on both sides', async () => {
    await expectSoon(() => markedLines(view), ['"a": 190,']);
    await view.locator('.view-line', { hasText: '"b": 23' }).click();
    // The names of the arguments are hints, which come when they like.
    const tools = async (): Promise<unknown> =>
      (await markedLines(source)).map(line => line.split('|').slice(0, 2));
    await expectSoon(tools, [['CALL', 'math.add']]);
    await expectSoon(() => markedLines(view), []);
  });

  it('shows what could not be carried, with its reason', async () => {
    await workbench.clickLens(source, 'Convert', 'CALL|text.trim');
    const row = workbench.page.locator('.quick-input-widget:visible .monaco-list-row', {
      hasText: 'JSON-RPC',
    });
    await row.first().click();
    await expectSoon(async () => (await workbench.linesOf(view))[5], '    "tool": "text.trim",');
    await expectSoon(() => view.locator('.squiggly-info').count(), 1);
    await workbench.runCommand('View: Focus Problems');
    await workbench.page
      .locator('.markers-panel .monaco-list-row', { hasText: 'names of the arguments are a guess' })
      .first()
      .waitFor();
  });

  it('marks the value at the cursor also after a restart of the server', async () => {
    await workbench.openFile('query.aicl');
    await workbench.pick('Parley: Convert…', 'Plain typed');
    await workbench.tab('query.aicl → JSON').waitFor();
    await workbench.runCommand('Parley: Restart Language Server');
    const result = workbench.editor('query.aicl → JSON');
    await workbench.typeAt('query.aicl', 1, QUERY.indexOf('[s:one]') + 5, '');
    await expectSoon(() => markedLines(result), ['"session": "one",']);
  });

  it('says what a file loses that is replaced as a whole: lines for people, and no line of a text', async () => {
    const replace = async (name: string, line: number): Promise<readonly string[]> => {
      const editor = await workbench.openFile(name);
      await workbench.typeAt(name, line, 1, '');
      await workbench.pick('Parley: Convert…', 'Replace…', 'Plain typed');
      await expectSoon(async () => (await workbench.linesOf(editor))[0], '{');
      const messages = workbench.page.locator('.notifications-toasts .notification-list-item-message');
      // A busy machine takes long enough to show the progress, too.
      return (await messages.allInnerTexts()).filter(text => !text.startsWith('Converting '));
    };
    assert.deepEqual(await replace('heading.aicl', 4), []);
    await replace('remark.aicl', 4);
    await workbench.page
      .locator('.notifications-toasts', { hasText: 'Lines that begin with # are not part of a message' })
      .waitFor();
  });

  it('lists the own protocol last, for what it is good for', async () => {
    await workbench.openFile('sum.aicf');
    await workbench.clickLens(source, 'Convert', 'CALL|text.trim');
    const rows = workbench.page.locator('.quick-input-widget:visible .monaco-list-row');
    await rows.first().waitFor();
    const labels = await rows.evaluateAll(all => all.map(row => row.getAttribute('aria-label')));
    const [own, ...ways] = labels.slice(-3);
    assert.ok(own?.startsWith('AICF, the same messages in one clean layout'), String(own));
    assert.deepEqual(ways, ['Replace…, use of the result', 'Copy…']);
    await workbench.page.keyboard.press('Escape');
  });
});
