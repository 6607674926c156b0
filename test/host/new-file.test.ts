import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import { commands, window, type TextDocument } from 'vscode';
import { PROTOCOLS } from '../../core/catalog/protocols.ts';
import type { ParleyApi } from '../../client/src/extension.ts';
import { activateParley, closeEditors, replaceText, sendRequest, waitFor } from './support/parley.ts';

/** Runs a command that opens a new file, and waits until its text is there. */
async function openNew(command: string, ...args: readonly unknown[]): Promise<TextDocument> {
  await commands.executeCommand(command, ...args);
  return waitFor('the new file', () => {
    const document = window.activeTextEditor?.document;
    return document?.isUntitled && document.getText() !== '' ? document : undefined;
  });
}

describe('a new file', () => {
  let parley: ParleyApi;
  before(async () => {
    parley = await activateParley();
  });
  afterEach(closeEditors);

  it('in AICF or AICL has its language', async () => {
    for (const language of ['aicf', 'aicl'] as const) {
      const document = await openNew(language === 'aicf' ? 'parley.newAicfFile' : 'parley.newAiclFile');
      assert.equal(document.languageId, language);
    }
  });

  for (const row of PROTOCOLS)
    if ('requests' in row)
      it(`in the JSON of ${row.title} is named for it`, async () => {
        const document = await openNew('parley.newJsonRequest', row.name);
        assert.ok(document.uri.path.endsWith(`request${row.requests.files[0]}`), document.uri.path);
        assert.equal(document.languageId, 'agent-json');
        assert.doesNotThrow(() => void JSON.parse(document.getText()));
      });

  it('has a request that any agent answers', async () => {
    await commands.executeCommand('parley.clearTraces', 'unasked');
    const document = await openNew('parley.newAicfFile');
    await replaceText(document, 'LIST', '# @agent toolbox\nLIST');
    const sent = await sendRequest(document, 'LIST');
    assert.equal(sent?.outcome.status, 'ok', sent?.outcome.message);
    assert.equal(parley.traces()[0]?.roots[0]?.call.agent, 'toolbox');
  });
});
