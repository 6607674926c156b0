import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { closeA2aAgents, startA2aAgent, type A2aAgent } from '../agents/support/a2a-agent.ts';
import { findPort, startEverything, type ServerProcess } from '../agents/mcp/support.ts';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

const MCP = `// @agent everything
{
  "method": "tools/call",
  "params": { "name": "echo", "arguments": { "message": "good morning" } }, // a comment
}
`;
const A2A = `// @agent planner
{
  "method": "SendMessage",
  "params": { "message": { "role": "ROLE_USER", "parts": [{ "text": "Rome" }] } },
}
`;

describe('requests in the JSON of agents', () => {
  let workbench: Workbench;
  let everything: ServerProcess;
  let planner: A2aAgent;

  before(async () => {
    everything = await startEverything('streamableHttp', await findPort());
    planner = await startA2aAgent({ version: '1.0', streaming: false });
    const agents = {
      everything: { protocol: 'mcp', type: 'http', url: everything.url },
      planner: { protocol: 'a2a', type: 'http', url: planner.origin },
    };
    workbench = await takeWindow({
      files: { '.vscode/agents.json': JSON.stringify({ agents }), 'x.mcp.jsonc': MCP, 'x.a2a.jsonc': A2A },
    });
  });
  after(async () => {
    await everything.stop();
    await closeA2aAgents();
  });

  /** Sends the request of a file by its lens, and waits for a text in its reply. */
  async function send(file: string, words: RegExp): Promise<void> {
    const editor = await workbench.openFile(file);
    await workbench.lenses(editor, 'Send').first().click();
    const reply = workbench.webview().locator('.reply-body');
    await expectSoon(async () => words.test(await reply.innerText()), true);
  }

  it('call a tool of the official MCP server', async () => {
    await send('x.mcp.jsonc', /Echo: good morning/);
  });

  it('send a message to an agent of the official A2A library', async () => {
    await workbench.closeEditors();
    await send('x.a2a.jsonc', /"got"/);
    assert.ok(planner.requests.some(request => request.includes('"Rome"')));
  });
});
