import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, type CodeLens } from 'vscode';
import { closeEditors, showSample, waitForDiagnostics } from './support/parley.ts';

describe('activation', () => {
  afterEach(closeEditors);

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
});
