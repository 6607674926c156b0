import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import {
  activateParley,
  closeEditors,
  openScratch,
  sampleUri,
  sendRequest,
  withAgent,
} from './support/parley.ts';

const FILE = '# @agent locked\nCALL|math.add|1|2|AUTH:t0k\\|en-of-mine\n';

describe('moving a credential out of a request', () => {
  afterEach(closeEditors);

  it('keeps it as a secret, names it in the header, takes the field away and sends it from then on', async () => {
    await activateParley();
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('OK|3');
    });
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/aip/v1/aicf`;
    try {
      await withAgent('locked', url, async () => {
        const document = await openScratch('locked.aicf', FILE);
        const moving = commands.executeCommand('parley.moveCredential', document.uri.toString(), {
          line: 1,
          character: 0,
        });
        // The name that the box proposes is the agent's.
        await acceptUntil(moving);
        const file = new TextDecoder().decode(await workspace.fs.readFile(sampleUri('.vscode/agents.json')));
        assert.equal(document.getText(), '# @agent locked\nCALL|math.add|1|2\n');
        const { agents } = JSON.parse(file) as { agents: Record<string, { headers?: object }> };
        assert.deepEqual(agents['locked']?.headers, { Authorization: 'Bearer ${secret:locked}' });
        assert.ok(!file.includes('en-of-mine'));
        const sent = await sendRequest(document, 'CALL|math.add');
        // The agent may be asked for its tools as well.
        assert.deepEqual([sent?.outcome.text, [...new Set(seen)]], ['OK|3', ['Bearer t0k|en-of-mine']]);
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

/** Accepts the box that a command shows, as soon as it is there. */
async function acceptUntil(done: Thenable<unknown>): Promise<void> {
  let isDone = false;
  void done.then(() => (isDone = true));
  while (!isDone) {
    await commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
