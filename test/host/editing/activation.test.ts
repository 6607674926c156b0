import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, languages } from 'vscode';
import { MANIFESTS } from '../../../client/src/features/manifests.ts';
import { activateParley, closeEditors, showSample, waitFor } from '../support/parley.ts';

describe('editing: activation', () => {
  afterEach(closeEditors);

  it('registers every command that the manifest contributes', async () => {
    await activateParley();
    const known = await commands.getCommands(true);
    const contributed = MANIFESTS.flatMap(({ commands: rows }) => rows.map(({ name }) => `parley.${name}`));
    assert.deepEqual(
      contributed.filter(name => !known.includes(name)),
      [],
    );
  });

  it('underlines the fault of each sample', async () => {
    const faults = [
      ['hello.aicf', 'aicf/wrong-case call'],
      ['hello.aicl', 'aicl/missing-field [s:tool_call]'],
    ] as const;
    for (const [name, fault] of faults) {
      const document = await showSample(name);
      assert.equal(document.languageId, name.slice(-4));
      // Names of agents come from files, whose changes VS Code reports late.
      await waitFor(`only ${fault} in ${name}`, () => {
        const found = languages
          .getDiagnostics(document.uri)
          .map(({ code, range }) => `${String(codeOf(code))} ${document.getText(range)}`);
        return found.join('\n') === fault || undefined;
      });
    }
  });

  it('knows both languages', async () => {
    const known = await languages.getLanguages();
    assert.deepEqual(
      ['aicl', 'aicf'].filter(id => !known.includes(id)),
      [],
    );
  });
});

function codeOf(code: unknown): unknown {
  return typeof code === 'object' && code !== null && 'value' in code ? code.value : code;
}
