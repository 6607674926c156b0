import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { ConfigurationTarget, workspace } from 'vscode';
import type { ParleyApi } from '../../client/src/extension.ts';
import { activateParley, closeEditors, openScratch, sendRequest } from './support/parley.ts';

const FILE = `# @agent toolbox
# @name sum
CALL|math.add|19|23
# @n = 7
# @agent toolbox
CALL|math.add|{{sum.data.sum}}|{{n}}
# @agent toolbox
CALL|math.add|{{sun.data.sum}}|1
# @agent toolbox
CALL|text.reverse|{{stage}}
# @agent toolbox
# @literal
CALL|text.reverse|{{n}}
`;

describe('variables', () => {
  let parley: ParleyApi;

  before(async () => {
    parley = await activateParley();
  });

  it('are replaced by lines, replies and the environment in use, and stop what cannot be resolved', async () => {
    const environments = await openScratch('.vscode/parley.env.json', '{ "live": { "stage": "abc" } }');
    const settings = workspace.getConfiguration('parley');
    await settings.update('environment', 'live', ConfigurationTarget.Workspace);
    try {
      const document = await openScratch('variables.aicf', FILE);
      const texts: (string | undefined)[] = [];
      for (const request of [
        'CALL|math.add|{{sum',
        'CALL|math.add|19',
        'CALL|math.add|{{sum',
        'CALL|math.add|{{sun',
        'CALL|text.reverse|{{stage',
        'CALL|text.reverse|{{n',
      ])
        texts.push((await sendRequest(document, request))?.outcome.text);
      assert.deepEqual(texts, [
        // Its reply is not there yet, and a name that is almost one stops as well.
        undefined,
        'OK|{"sum":42}',
        'OK|{"sum":49}',
        undefined,
        'OK|cba',
        'OK|}}n{{',
      ]);
      const [last] = parley.traces();
      assert.equal(last?.roots[0]?.call.agent, 'toolbox');
    } finally {
      await settings.update('environment', undefined, ConfigurationTarget.Workspace);
      await workspace.fs.delete(environments.uri);
      await closeEditors();
    }
  });

  it('are files of the workspace, and none outside of it', async () => {
    const value = (path: string): string =>
      `# @agent courier\nCALL|input|{"input":{"type":"image","value":"{{file ${path}}}"}}\n`;
    const document = await openScratch('files.aicf', value('tile.png') + value('../../../etc/hostname'));
    try {
      const sent = [
        await sendRequest(document, 'CALL|input|{"input":{"type":"image","value":"{{file tile'),
        await sendRequest(document, 'CALL|input|{"input":{"type":"image","value":"{{file ..'),
      ];
      assert.deepEqual(
        sent.map(each => each?.outcome.text),
        ['OK|Delivered: an image (88 bytes)\n', undefined],
      );
    } finally {
      await closeEditors();
    }
  });
});
