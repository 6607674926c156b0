import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { ColorScheme } from '../../../scripts/vscode/browser.ts';
import { takeWindow } from './shared-window.ts';
import { expectSoon, withoutTimes } from './wait.ts';
import type { Workbench } from './workbench.ts';

/** The page behind everything, by theme: what a wrong theme would show. */
const BACKGROUNDS: Readonly<Record<ColorScheme, string>> = {
  light: 'rgb(255, 255, 255)',
  dark: 'rgb(31, 31, 31)',
};

/** Goes on until it is stopped: what is seen of it is seen while it runs, however long that takes. */
const COUNTING = '# This reply grows while it comes.\n# @agent toolbox\nCALL|slow.count|3600\n';

/** Which tests a window runs: all of them, or those of what is in other colours. */
export type WindowTests = 'all' | 'colours';

/** Declares the tests of a window on samples/ in the colours of a scheme. */
export function testSamplesWindow(colorScheme: ColorScheme, tests: WindowTests): void {
  describe(`a ${colorScheme} window on samples`, () => {
    let workbench: Workbench;
    before(async () => {
      workbench = await takeWindow({ colorScheme, files: { 'counting.aicf': COUNTING } });
      await workbench.clearTraces();
    });

    const traces = async (): Promise<readonly string[]> =>
      (await workbench.rowsOf('Traces')).map(withoutTimes);
    const tabs = async (): Promise<readonly string[]> => (await workbench.tabs()).map(withoutTimes);

    async function describeLine(
      editor: Locator,
      text: string,
    ): Promise<{ pieces: readonly string[]; colours: number }> {
      const line = await workbench.piecesOf(editor, text);
      return {
        pieces: line.map(piece => piece.text),
        colours: new Set(line.map(piece => piece.colour)).size,
      };
    }

    it('opens hello.aicf highlighted', async () => {
      const editor = await workbench.openFile('hello.aicf');
      assert.equal(
        await editor.evaluate(node => getComputedStyle(node).backgroundColor),
        BACKGROUNDS[colorScheme],
      );
      await expectSoon(() => describeLine(editor, 'CALL|math.add'), {
        pieces: ['CALL', '|', 'math.add', '|', '19', '|', '23'],
        colours: 4,
      });
    });

    if (tests === 'colours') return;

    it('underlines the call with a fault and says what is wrong', async () => {
      const editor = workbench.editor('hello.aicf');
      await workbench.errorUnderlines(editor).first().waitFor();
      assert.equal(await workbench.errorUnderlines(editor).count(), 1);
      assert.match(
        await workbench.hover(editor, 'call'),
        /^'call' is not a command; write 'CALL'.*parley\(?aicf\/wrong-case/s,
      );
    });

    it('offers to send each request', async () => {
      await expectSoon(() => workbench.lenses(workbench.editor('hello.aicf'), 'Send').count(), 7);
    });

    it('sends from the lens: the reply beside, the call in the traces', async () => {
      await workbench.openSidePanel();
      const editor = workbench.editor('hello.aicf');
      await workbench.clickLens(editor, 'Send', 'CALL|math.add');
      await expectSoon(traces, ['math.add, sent to toolbox, ok · N ms']);
      await expectSoon(tabs, ['hello.aicf', 'math.add ok · N ms, preview, Editor Group 2']);
      const reply = workbench.editor('math.add ok');
      await expectSoon(async () => (await describeLine(reply, 'OK|')).pieces.join(''), 'OK|{"sum":42}');
      await expectSoon(async () => (await describeLine(reply, 'OK|')).colours > 2, true);
      await workbench.screenshot(`reply-${colorScheme}`);
    });

    it('shows a call while it runs, and its reply while it grows', async () => {
      const editor = await workbench.openFile('counting.aicf');
      await workbench.clickLens(editor, 'Send', 'CALL|slow.count');
      await workbench.row('Traces', /^slow\.count, sent to toolbox, streaming, \d+ chunks$/).waitFor();
      await expectSoon(() => workbench.tabBadge('slow.count'), '"…"');
      const reply = workbench.editor('slow.count');
      await expectSoon(async () => (await workbench.linesOf(reply)).slice(0, 2), ['STREAM|1', 'STREAM| 2']);
      await workbench.screenshot(`streaming-${colorScheme}`);
      await workbench.runCommand('Parley: Stop Request');
      await workbench.row('Traces', /^slow\.count, sent to toolbox, stopped · /).waitFor();
      await workbench.tab('hello.aicf').click();
      await workbench.clickLens(workbench.editor('hello.aicf'), 'Send', 'CALL|slow.count');
      await workbench.row('Traces', /^slow\.count, sent to toolbox, ok · /).waitFor();
      await expectSoon(
        async () => (await workbench.linesOf(workbench.editor('slow.count ok'))).filter(line => line !== ''),
        ['STREAM|1', 'STREAM| 2', 'STREAM| 3', 'STREAM| 4', 'END'],
      );
    });

    it('keeps a call that failed, with its reason', async () => {
      await workbench.clickLens(workbench.editor('hello.aicf'), 'Send', 'CALL|fail.always');
      await expectSoon(traces, [
        'fail.always, sent to toolbox, error 500 · N ms',
        'Failed: out of luck',
        'slow.count, sent to toolbox, ok · N ms',
        'slow.count, sent to toolbox, stopped · N ms',
        'math.add, sent to toolbox, ok · N ms',
      ]);
    });

    it('shows a call as it was on the wire', async () => {
      await workbench.row('Traces', /^slow\.count/).click();
      const view = workbench.webview();
      await view.getByRole('treegrid', { name: 'Calls' }).waitFor();
      const pieces = ['slow.count', 'toolbox', 'ok · N ms', 'CALL|slow.count|4', '200 OK', 'STREAM| 4\nEND'];
      const findMissing = async (): Promise<readonly string[]> => {
        const text = withoutTimes(await view.locator('body').innerText());
        return pieces.filter(piece => !text.includes(piece));
      };
      await expectSoon(findMissing, []);
      await workbench.screenshot(`call-${colorScheme}`);
    });

    it('does the same with hello.aicl', async () => {
      const editor = await workbench.openFile('hello.aicl');
      await workbench.clickLens(editor, 'Send', '[d:');
      await expectSoon(async () => (await traces())[0], 'stats.describe, sent to analyst, ok · N ms');
      const reply = workbench.editor('stats.describe ok');
      await expectSoon(
        async () => (await workbench.linesOf(reply)).slice(0, 4),
        ['[d:', '  [s:protocol]:[s:LightAICL],', '  [s:session_id]:[s:hello],', '  [s:msg_type]:[s:result],'],
      );
      await workbench.screenshot(`aicl-${colorScheme}`);
    });

    it('underlines the fault of hello.aicl', async () => {
      const editor = workbench.editor('hello.aicl');
      await editor.click();
      await workbench.page.keyboard.press('Control+End');
      await workbench.errorUnderlines(editor).first().waitFor();
      assert.equal(await workbench.errorUnderlines(editor).count(), 1);
    });

    it('clears the traces', async () => {
      await workbench.runCommand('Parley Traces: Clear…');
      await workbench.page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click();
      await expectSoon(traces, []);
    });
  });
}
