import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { TabInputCustom, TabInputTextDiff, commands, window, workspace } from 'vscode';
import { deleteScratch } from './support/editor.ts';
import { activateParley, closeEditors, openScratch, sendRequest, until, waitFor } from './support/parley.ts';

describe('two traces', () => {
  afterEach(closeEditors);

  it('are compared by what was said, in the editor that compares texts', async () => {
    await activateParley();
    const document = await openScratch(
      'compare.aicf',
      '# @agent toolbox\nCALL|math.add|1|2\n\n# @agent toolbox\nCALL|math.add|1|3\n',
    );
    const first = await sendRequest(document, 'CALL|math.add|1|2');
    const again = await sendRequest(document, 'CALL|math.add|1|2');
    const other = await sendRequest(document, 'CALL|math.add|1|3');
    assert.ok(first && again && other);
    const compare = (one: string, two: string): Thenable<unknown> =>
      commands.executeCommand('parley.compareTraces', one, two);
    assert.equal(await compare(first.call, again.call), 'The traces are the same: 1 call');
    assert.equal(await compare(other.call, first.call), '1 of 1 call differs: 1 changed');
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof TabInputTextDiff);
    const texts = await Promise.all(
      [input.original, input.modified].map(async uri => (await workspace.openTextDocument(uri)).getText()),
    );
    assert.deepEqual(
      texts.map(text => text.split('\n').filter(line => line.includes('CALL|') || line.includes('toolbox'))),
      [
        ['toolbox  math.add  ok', '  > CALL|math.add|1|2'],
        ['toolbox  math.add  ok', '  > CALL|math.add|1|3'],
      ],
    );
  });

  it('are compared across a file in front and the window, the older one on the left', async () => {
    const document = await openScratch('compare.aicf', '# @agent toolbox\nCALL|math.add|1|2\n');
    const sent = await sendRequest(document, 'CALL|math.add|1|2');
    assert.ok(sent);
    const file = await openScratch(
      'older.agenttrace.jsonl',
      [
        '{"format":"agenttrace","version":1}',
        '{"type":"call","call":"o1","trace":"t1","at":1000,"agent":"toolbox","protocol":"aicf","title":"math.add"}',
        '{"type":"wire","call":"o1","at":1001,"direction":"out","bytes":{"text":"CALL|math.add|1|2"}}',
        '{"type":"wire","call":"o1","at":1002,"direction":"in","bytes":{"text":"OK|{\\"sum\\":4}"}}',
        '{"type":"end","call":"o1","at":1003,"status":"ok"}',
        '',
      ].join('\n'),
    );
    await commands.executeCommand('vscode.open', file.uri);
    await waitFor('the timeline', () =>
      window.tabGroups.activeTabGroup.activeTab?.input instanceof TabInputCustom ? true : undefined,
    );
    // The file is read while its editor opens.
    const differs = '1 of 1 call differs: 1 changed';
    await until('the comparison with the file', async () => {
      const report = await commands.executeCommand('parley.compareTraces', undefined, sent.call);
      return report === differs;
    });
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof TabInputTextDiff);
    const texts = await Promise.all(
      [input.original, input.modified].map(async uri => (await workspace.openTextDocument(uri)).getText()),
    );
    assert.deepEqual(
      texts,
      [4, 3].map(sum => `toolbox  math.add  ok\n  > CALL|math.add|1|2\n  < OK|{"sum":${sum}}\n`),
    );
    for (const { uri } of [document, file]) await deleteScratch(uri);
  });
});
