import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'mocha';
import { openOAuthAgent } from '../agents/support/oauth-agent.ts';

const BUNDLE = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
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
    const cli = spawn(process.execPath, [BUNDLE, ...words], {
      cwd: folder,
      env: { ...process.env, PARLEY_SECRET_ROBOT: SECRET },
    });
    let told = '';
    cli.stdout.on('data', (piece: Buffer) => (told += piece.toString()));
    cli.stderr.on('data', (piece: Buffer) => (told += piece.toString()));
    cli.stdin.end('CALL|echo|hi\n');
    await once(cli, 'close');
    const trace = await readFile(join(folder, 'sent.agenttrace.jsonl'), 'utf8');
    assert.match(
      trace,
      /"type":"note".*The client library says: \[mcp-sdk\] OAuth .*no client has the secret \[redacted\]/,
    );
    for (const text of [told, trace]) assert.ok(!text.includes(SECRET), text);
    assert.doesNotMatch(told, /^\[mcp-sdk\]/m);
  } finally {
    await agent.close();
    await rm(folder, { recursive: true });
  }
});
