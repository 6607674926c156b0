import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, type CodeLens } from 'vscode';
import { closeEditors, showSample, waitForDiagnostics } from './support/parley.ts';

describe('activation', () => {
  afterEach(closeEditors);

  it('offers to send and to convert each request', async () => {
    const document = await showSample('hello.aicf');
    await waitForDiagnostics(document.uri);
    const lenses = await commands.executeCommand<CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    const titles = lenses.map(lens => [document.lineAt(lens.range.start.line).text, lens.command?.command]);
    const requests = [
      'CALL|math.add|19|23',
      'CALL|weather.forecast|Lisbon|3',
      'CALL|slow.count|4',
      'CALL|fail.always|out of luck',
      'call|text.reverse|olleH',
      'LIST',
      'INFO|weather.forecast',
    ];
    assert.deepEqual(
      titles,
      requests.flatMap(line => [
        [line, 'parley.send'],
        [line, 'parley.convert'],
      ]),
    );
  });
});
