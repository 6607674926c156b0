import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { languages, window } from 'vscode';
import { activateParley, closeEditors, openScratch, sendRequest, waitFor } from './support/parley.ts';

const FILE = `# @agent curator
CALL|text.reverse|olleH
# @agent curator
CALL|nothing.here
# @agent curator
CALL|resources.get|map
`;

describe('the methods of modules', () => {
  before(activateParley);

  it('are no unknown tools once the tools of their agent are known', async () => {
    const document = await openScratch('modules.aicf', FILE);
    try {
      assert.equal((await sendRequest(document, 'CALL|text'))?.outcome.text, 'OK|Hello\n');
      // Diagnostics are those of visible documents.
      await window.showTextDocument(document);
      const codes = (): readonly unknown[] =>
        languages
          .getDiagnostics(document.uri)
          .map(({ range, code }) => `${range.start.line} ${typeof code === 'object' ? code.value : code}`);
      await waitFor('the tools are known to the editor', () => (codes().length > 0 ? true : undefined));
      assert.deepEqual(codes(), ['3 aicf/unknown-tool']);
      const sent = await sendRequest(document, 'CALL|resources.get');
      assert.match(sent?.outcome.text ?? '', /^OK\|"?toolbox, analyst/);
    } finally {
      await closeEditors();
    }
  });
});
