import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CompletionItem, languages, window } from 'vscode';
import {
  buildTooltip,
  escapeLensTitle,
  escapeProposal,
  setLanguageStatus,
  setStatusText,
} from '../../client/src/window/sinks/labels.ts';

/** An agent's text that VS Code would draw as a link, an icon and markup. */
const EVIL = '[x](command:workbench.action.quit) $(bug) <b> **b** `c`';
/** The same without its link and its icon: each has a word joiner. */
const PLAIN = '[x]\u2060(command:workbench.action.quit) $\u2060(bug) <b> **b** `c`';
/** Labels have icons and no links. */
const LABEL = '[x](command:workbench.action.quit) $\u2060(bug) <b> **b** `c`';

describe('texts of agents in VS Code', () => {
  it('are text in a tooltip, and none of them ends its block of code', () => {
    const { value, isTrusted, supportHtml, supportThemeIcons } = buildTooltip(EVIL, {
      text: 'a\n```\n[x](command:y)',
      language: 'json',
    });
    assert.deepEqual([isTrusted, supportHtml, supportThemeIcons].map(Boolean), [false, false, false]);
    const [text = '', ...code] = value.split('\n').filter(line => line !== '');
    assert.match(text, /command:workbench/);
    assert.doesNotMatch(text, /(?<!\\)[[\]()*`]/);
    assert.deepEqual(code, ['````json', 'a', '```', '[x](command:y)', '````']);
  });

  it('are no icon in the status bar and in the status of a language', () => {
    const bar = window.createStatusBarItem();
    const status = languages.createLanguageStatusItem('parley.test', { language: 'aicl' });
    setStatusText(bar, EVIL, 'sync');
    setLanguageStatus(status, EVIL, EVIL);
    assert.deepEqual([bar.text, status.text, status.detail], [`$(sync) ${LABEL}`, LABEL, PLAIN]);
    bar.dispose();
    status.dispose();
  });

  it('are no icon in a code lens, but for our own at its beginning', () => {
    assert.equal(escapeLensTitle(`$(play)\u00a0Send ${EVIL}`), `$(play)\u00a0Send ${LABEL}`);
    assert.equal(escapeLensTitle(EVIL), LABEL);
  });

  it('are no icon in a proposal, which still inserts them', () => {
    const plain = new CompletionItem(EVIL);
    const detailed = new CompletionItem({ label: EVIL, detail: ' more' });
    const harmless = new CompletionItem('tool');
    for (const item of [plain, detailed, harmless]) escapeProposal(item);
    assert.deepEqual([plain.label, plain.insertText, plain.filterText], [LABEL, EVIL, EVIL]);
    assert.deepEqual(detailed.label, { label: LABEL, detail: ' more' });
    assert.deepEqual([harmless.label, harmless.insertText], ['tool', undefined]);
  });
});
