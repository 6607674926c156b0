import { before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon, withoutTimes } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const TRACE = [
  { format: 'agenttrace', version: 1 },
  { type: 'call', call: 'a', trace: 't', at: 0, agent: 'planner', protocol: 'aicf', title: 'plan trip' },
  {
    type: 'call',
    call: 'b',
    trace: 't',
    parent: 'a',
    at: 60,
    agent: 'booker',
    protocol: 'aicf',
    title: 'book',
  },
  { type: 'wire', call: 'a', at: 1, direction: 'out', bytes: { text: 'CALL|plan.trip|Lisbon\n' } },
  { type: 'end', call: 'b', at: 95, status: 'error', code: '422', message: 'No room is free' },
  { type: 'end', call: 'a', at: 1240, status: 'ok' },
];

describe('traces in a window', () => {
  let workbench: Workbench;
  before(async () => {
    const lines = TRACE.map(line => `${JSON.stringify(line)}\n`).join('');
    workbench = await takeWindow({
      files: {
        'trip.agenttrace.jsonl': lines,
        'newer.agenttrace.jsonl': '{"format":"agenttrace","version":9}\n',
      },
    });
    await workbench.clearTraces();
  });

  const traces = async (): Promise<readonly string[]> => (await workbench.rowsOf('Traces')).map(withoutTimes);
  const message = async (): Promise<string> =>
    (await workbench.view('Traces').locator('.message').innerText()).trim();

  it('are filtered by what is typed, and shown whole again', async () => {
    const editor = await workbench.openFile('hello.aicf');
    await workbench.openSidePanel();
    await workbench.clickLens(editor, 'Send', 'CALL|math.add');
    await expectSoon(traces, ['math.add, sent to toolbox, ok · N ms']);
    await workbench.clickLens(editor, 'Send', 'CALL|fail.always');
    const all = [
      'fail.always, sent to toolbox, error 500 · N ms',
      'Failed: out of luck',
      'math.add, sent to toolbox, ok · N ms',
    ];
    await expectSoon(traces, all);
    // The command asks in the place where it was typed.
    const widget = await workbench.openQuickInput('F1');
    await widget.locator('input[type="text"]').fill('>Parley Traces: Filter…');
    await widget.locator('.monaco-list-row', { hasText: 'Parley Traces: Filter…' }).first().click();
    await workbench.page.locator('.quick-input-title', { hasText: 'Filter traces' }).waitFor();
    await workbench.page.keyboard.type('@ok');
    await widget.locator('.monaco-list-row', { hasText: 'Show 1 call that @ok finds' }).waitFor();
    await workbench.page.keyboard.press('Enter');
    await expectSoon(traces, all.slice(2));
    await expectSoon(message, 'Filtered by @ok: 1 call in 1 trace of 2.');
    await workbench.runCommand('Parley Traces: Clear Filter');
    await expectSoon(traces, all);
  });

  it('of a file open on the timeline, with what was on the wire', async () => {
    const page = await workbench.openPage('trip.agenttrace.jsonl');
    await page.getByRole('treegrid', { name: 'Calls' }).waitFor();
    await expectSoon(async () => {
      const text = await page.locator('body').innerText();
      return ['plan trip', 'booker', 'error 422 · 35 ms', 'CALL|plan.trip|Lisbon'].filter(
        piece => !text.includes(piece),
      );
    }, []);
  });

  it('of a file that cannot be read say why', async () => {
    const page = await workbench.openPage('newer.agenttrace.jsonl');
    const why =
      'The trace file has version 9 and this program reads up to version 1; update it to open the file';
    await expectSoon(() => page.locator('body').innerText(), why);
  });
});
