import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { before, describe, it } from 'mocha';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon, withoutTimes } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

/** A recording of what the demo agent answers otherwise. */
const RECORDED = [
  { format: 'agenttrace', version: 1 },
  { type: 'call', call: 'r1', trace: 't', at: 1000, agent: 'toolbox', protocol: 'aicf', title: 'math.sum' },
  { type: 'wire', call: 'r1', at: 1001, direction: 'out', bytes: { text: 'CALL|math.add|19|23' } },
  { type: 'wire', call: 'r1', at: 1002, direction: 'in', bytes: { text: 'OK|{"sum":43}' } },
  { type: 'end', call: 'r1', at: 1003, status: 'ok' },
];

/** A request with a secret that the recording has no name for. */
const SECRET = [
  { format: 'agenttrace', version: 1 },
  { type: 'call', call: 's1', trace: 't', at: 1000, agent: 'toolbox', protocol: 'aicf', title: 'login' },
  {
    ...{ type: 'wire', call: 's1', at: 1001, direction: 'out', bytes: { text: 'CALL|login|[redacted]' } },
    redacted: [{ at: 11, length: 9 }],
  },
  { type: 'end', call: 's1', at: 1003, status: 'ok' },
];

/** Two requests with a long pause between them. */
const PAUSED = [
  { format: 'agenttrace', version: 1 },
  ...['p1', 'p2'].flatMap((call, index) => [
    {
      ...{ type: 'call', call, trace: 't', at: 1000 + index * 300_000 },
      ...{ agent: 'toolbox', protocol: 'aicf', title: 'math.add' },
    },
    {
      ...{ type: 'wire', call, at: 1001 + index * 300_000, direction: 'out' },
      bytes: { text: `CALL|math.add|2|${index}` },
    },
    { type: 'end', call, at: 1002 + index * 300_000, status: 'ok' },
  ]),
];

function toFile(lines: readonly object[]): string {
  return lines.map(line => `${JSON.stringify(line)}\n`).join('');
}

describe('a replay in a window', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await takeWindow({
      files: {
        'sum.agenttrace.jsonl': toFile(RECORDED),
        'secret.agenttrace.jsonl': toFile(SECRET),
        'paused.agenttrace.jsonl': toFile(PAUSED),
        'environment.aicf': '# @agent toolbox\nCALL|enter|{{$env HOME}}\n',
      },
    });
    await workbench.clearTraces();
  });

  const traces = async (): Promise<readonly string[]> => (await workbench.rowsOf('Traces')).map(withoutTimes);
  const title = async (): Promise<string> => workbench.webview().locator('h2.call-title .title').innerText();

  /** Presses a button of the timeline's toolbar, and answers the list that it asks with. */
  async function press(name: string): Promise<Locator> {
    await workbench.webview().getByRole('button', { name }).click();
    const widget = workbench.page.locator('.quick-input-widget:visible');
    await widget.waitFor();
    return widget;
  }

  /** What the question says before anything is sent. */
  async function readQuestion(): Promise<string> {
    const question = workbench.page.locator('.monaco-dialog-box .dialog-message-container');
    return (await question.innerText()).replace(/\s*\n\s*/g, '\n').trim();
  }

  async function answer(button: string): Promise<void> {
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: button }).click();
    await workbench.page.locator('.monaco-dialog-box').waitFor({ state: 'hidden' });
  }

  it('begins with the call that keys select in the tree, which the timeline shows', async () => {
    const editor = await workbench.openFile('hello.aicf');
    await workbench.openSidePanel();
    for (const line of ['CALL|math.add', 'CALL|fail.always']) await workbench.clickLens(editor, 'Send', line);
    const sent = [
      'fail.always, sent to toolbox, error 500 · N ms',
      'Failed: out of luck',
      'math.add, sent to toolbox, ok · N ms',
    ];
    await expectSoon(traces, sent);
    await workbench.row('Traces', /^math\.add/).click();
    await expectSoon(title, 'math.add');
    await workbench.view('Traces').locator('.monaco-list').focus();
    await workbench.page.keyboard.press('Shift+ArrowUp');
    await expectSoon(title, 'fail.always');
  });

  it('says what it sends to whom before it does, and sends nothing when it is left', async () => {
    const widget = await press('Replay the selected call or the trace');
    await widget.locator('.monaco-list-row', { hasText: 'The same agent' }).click();
    await expectSoon(
      readQuestion,
      [
        'Send 1 recorded request again?',
        '1 request to toolbox (AICF-RPC 1.0, demo agent): fail.always',
        'What the request asks for is done once more. Credentials in headers are those of the agents file; a recording has none.',
      ].join('\n'),
    );
    const before = await traces();
    await answer('Cancel');
    assert.deepEqual(await traces(), before);
  });

  it('opens the recording beside the replay, and is in the tree with a note', async () => {
    const widget = await press('Replay the selected call or the trace');
    await widget.locator('.monaco-list-row', { hasText: 'The same agent' }).click();
    await answer('Send 1 request');
    await workbench.tab('fail.always ↔ fail.always replayed · The traces are the same: 1 call').waitFor();
    await expectSoon(
      async () => (await traces()).slice(0, 3).map(row => row.replace(/'\w+'.*/, '…')),
      [
        'fail.always, sent to toolbox, error 500 · N ms',
        'Failed: out of luck',
        'Note: A replay of the call …',
      ],
    );
  });

  it('and a comparison of a trace file are offered on its timeline', async () => {
    const page = await workbench.openPage('sum.agenttrace.jsonl');
    await page.getByRole('treegrid', { name: 'Calls' }).waitFor();
    const others = await press('Compare with another trace');
    await expectSoon(
      async () =>
        (await others.locator('.monaco-list-row').allInnerTexts()).map(text =>
          text.replace(/1 call[^]*/, '').trim(),
        ),
      ['fail.always', 'fail.always', 'math.add'],
    );
    await others.locator('.monaco-list-row', { hasText: 'math.add' }).click();
    await workbench.tab('math.sum ↔ math.add').waitFor();
    await workbench.openPage('sum.agenttrace.jsonl');
    const agents = await press('Replay the selected call or the trace');
    await agents.locator('.monaco-list-row', { hasText: 'The same agent' }).click();
    await answer('Send 1 request');
    await workbench.tab('math.sum ↔ math.sum replayed · 1 of 1 call differs: 1 changed').waitFor();
  });

  it('asks for a secret unseen where the recording has no name for it, and shows it nowhere', async () => {
    await workbench.openPage('secret.agenttrace.jsonl');
    const agents = await press('Replay the selected call or the trace');
    await agents.locator('.monaco-list-row', { hasText: 'The same agent' }).click();
    const asked = 'Filled in for toolbox, in 1 request: a secret of 9 bytes, which you enter';
    await expectSoon(async () => (await readQuestion()).split('\n').includes(asked), true);
    await answer('Send 1 request');
    const input = workbench.page.locator('.quick-input-widget:visible input');
    await expectSoon(() => input.getAttribute('type'), 'password');
    await input.fill('hidden-99');
    await input.press('Enter');
    await workbench.tab('login ↔ login replayed').waitFor();
    const sent = 'CALL|login|[redacted]';
    await expectSoon(
      async () => (await workbench.page.locator('.view-line').allInnerTexts()).join('\n').includes(sent),
      true,
    );
    assert.ok(!(await workbench.page.content()).includes('hidden-99'));
  });

  it('keeps the recorded pauses where that is wanted, and can be ended in one', async () => {
    await workbench.openPage('paused.agenttrace.jsonl');
    const what = await press('Replay the selected call or the trace');
    await what.locator('.monaco-list-row', { hasText: 'The whole trace' }).click();
    await what.locator('.monaco-list-row', { hasText: 'The same agent' }).click();
    const pace = what.locator('.monaco-list-row', { hasText: 'With the recorded pauses' });
    await expectSoon(async () => (await pace.innerText()).includes('the last one after 5 min 0 s'), true);
    await pace.click();
    await answer('Send 2 requests');
    const reported = workbench.page.locator('.notification-toast');
    const waits = reported.filter({ hasText: 'the next request is sent in' });
    await waits.waitFor();
    await waits.hover();
    await waits.getByRole('button', { name: 'Cancel' }).click();
    await reported.filter({ hasText: 'Replayed 1 of 2 requests.' }).waitFor();
    await workbench.tab('math.add ↔ math.add replayed').waitFor();
  });

  it('and its request ask once before they send a variable of the environment, which no recording has', async () => {
    const editor = await workbench.openFile('environment.aicf');
    await workbench.clickLens(editor, 'Send', 'CALL|enter');
    await expectSoon(
      async () =>
        /^Send a variable of your environment to .+\?\n'HOME' in the request/.test(await readQuestion()),
      true,
    );
    await answer('Cancel');
    await workbench.clickLens(editor, 'Send', 'CALL|enter');
    await answer('Send');
    await workbench.row('Traces', /^enter, sent to toolbox, error 404/).click();
    await expectSoon(title, 'enter');
    const agents = await press('Replay the selected call or the trace');
    await agents.locator('.monaco-list-row', { hasText: 'The same agent' }).click();
    await answer('Send 1 request');
    await workbench.tab('enter ↔ enter replayed · The traces are the same: 1 call').waitFor();
    await expectSoon(
      async () =>
        (await workbench.page.locator('.view-line').allInnerTexts())
          .join('\n')
          .includes('CALL|enter|[redacted]'),
      true,
    );
  });
});
