import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'mocha';
import { openOAuthAgent } from '../agents/support/oauth-agent.ts';
import { CLI } from '../support/built-cli.ts';

const SECRET = 'robot-secret-7Qx9';

it('shows what the MCP library writes to its console with the call, without secrets', async () => {
  const agent = await openOAuthAgent();
  const folder = await mkdtemp(join(tmpdir(), 'parley-console-'));
  try {
    // A server that refuses a client by an answer with its secret in it: the library warns of that, with the answer.
    agent.settings.refused = { client_credentials: 'invalid_client' };
    agent.settings.refusal = `no client has the secret ${SECRET}`;
    const oauth = { clientId: 'robot', clientSecret: '${secret:robot}' };
    const agents = { robot: { protocol: 'mcp', type: 'http', url: `${agent.origin}/mcp`, oauth } };
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode/agents.json'), JSON.stringify({ agents }));
    const words = ['send', '-', '--agent', 'robot', '--trace', 'sent.agenttrace.jsonl'];
    const cli = spawn(process.execPath, [CLI, ...words], {
      cwd: folder,
      env: { ...process.env, PARLEY_SECRET_ROBOT: SECRET },
    });
    let reported = '';
    cli.stdout.on('data', (piece: Buffer) => (reported += piece.toString()));
    cli.stderr.on('data', (piece: Buffer) => (reported += piece.toString()));
    cli.stdin.end('CALL|echo|hi\n');
    await once(cli, 'close');
    const trace = await readFile(join(folder, 'sent.agenttrace.jsonl'), 'utf8');
    assert.match(
      trace,
      /"type":"note".*The client library says: \[mcp-sdk\] OAuth .*no client has the secret \[redacted\]/,
    );
    for (const text of [reported, trace]) assert.ok(!text.includes(SECRET), text);
    assert.doesNotMatch(reported, /^\[mcp-sdk\]/m);
  } finally {
    await agent.close();
    await rm(folder, { recursive: true });
  }
});
