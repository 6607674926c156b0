import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { printChain, printChildren, useTraceWindow } from '../../ui/support/trace-window.ts';
import { expectSoon } from '../../ui/support/wait.ts';

const CHILDREN = 1_000_000;
const DEEP = 100_000;

/** Longer than a busy machine takes to read a file of a million calls. */
const LONG = 300_000;

/** Traces of hostile sizes in the window, beside all else that it does. */
describe('very large traces in the window', () => {
  const traces = useTraceWindow(() => ({
    'deep.agenttrace.jsonl': printChain(DEEP),
    'million.agenttrace.jsonl': printChildren(CHILDREN),
  }));
  const { open, press, facts, selected, expectNoScript } = traces;

  it('show a chain of a hundred thousand calls', async () => {
    await open('deep.agenttrace.jsonl');
    await expectSoon(facts, 'call 0\n100,000 calls · 1 min N ms · 100,000 calls running');
    await press('End');
    const last = '100000 call 99999 · depth 99,999, over 5cycle worker → worker · running *';
    await expectSoon(selected, last);
    await expectNoScript();
  });

  it('show a call that led to a million others, and answer while they come', async () => {
    const { workbench } = traces;
    const opened = open('million.agenttrace.jsonl', LONG);
    await workbench
      .webview()
      .getByText(/^Reading million\.agenttrace\.jsonl… \d+ %$/)
      .waitFor();
    await opened;
    assert.match(await facts(), /^call root\n([\d,]+ of )?1,000,001 calls · /);
    await press('ArrowDown');
    await expectSoon(selected, '2 call 1 ·  · running *');
    await workbench.runCommand('Parley: Show Log');
    await workbench.page.locator('.part.panel').waitFor();
    await expectNoScript();
  });
});
