import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, languages, type CodeLens } from 'vscode';
import { COMMAND_NAMES } from '../../client/src/commands/names.ts';
import { activateParley, closeEditors, showSample, waitForDiagnostics } from './support/parley.ts';

describe('activation', () => {
  afterEach(closeEditors);

  it('registers every command that the manifest contributes', async () => {
    await activateParley();
    const known = await commands.getCommands(true);
    assert.deepEqual(
      COMMAND_NAMES.filter(name => !known.includes(name)),
      [],
    );
  });

  it('underlines the fault of each sample', async () => {
    const found: [string, string, string][] = [];
    for (const name of ['hello.aicf', 'hello.aicl']) {
      const document = await showSample(name);
      assert.equal(document.languageId, name.slice(-4));
      for (const diagnostic of await waitForDiagnostics(document.uri)) {
        found.push([name, String(codeOf(diagnostic.code)), document.getText(diagnostic.range)]);
      }
    }
    assert.deepEqual(found, [
      ['hello.aicf', 'aicf/wrong-case', 'call'],
      ['hello.aicl', 'aicl/missing-field', '[s:tool_call]'],
    ]);
  });

  it('offers to send each request', async () => {
    const document = await showSample('hello.aicf');
    await waitForDiagnostics(document.uri);
    const lenses = await commands.executeCommand<CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    const titles = lenses.map(lens => [document.lineAt(lens.range.start.line).text, lens.command?.command]);
    assert.deepEqual(titles, [
      ['CALL|math.add|19|23', 'parley.send'],
      ['CALL|weather.forecast|Lisbon|3', 'parley.send'],
      ['CALL|slow.count|4', 'parley.send'],
      ['CALL|fail.always|out of luck', 'parley.send'],
      ['call|text.reverse|olleH', 'parley.send'],
      ['LIST', 'parley.send'],
      ['INFO|weather.forecast', 'parley.send'],
    ]);
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
