import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'mocha';
import {
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { CLI } from '../support/built-cli.ts';
import { expectSoon } from '../ui/support/wait.ts';

/** The Node of the machine, not the one of the development dependencies: users start the bundle with theirs. */
function findMachineNode(): string {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => !folder.includes('node_modules'));
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return folders.map(folder => join(folder, name)).find(path => existsSync(path)) ?? process.execPath;
}

/** An agent with a tool whose argument has a JSON Schema. */
const TOOLBOX = {
  name: 'toolbox',
  at: 0,
  tools: [
    {
      name: 'sum',
      declaration: {
        name: 'sum',
        description: '',
        arguments: [{ name: 'of', type: 'object', isOptional: false }],
        schema: { isOpen: false },
      },
      schema: JSON.stringify({
        type: 'object',
        properties: {
          of: { type: 'object', properties: { numbers: { type: 'array', items: { type: 'number' } } } },
        },
      }),
    },
  ],
};

describe('dist/cli.js lsp --stdio', () => {
  it("serves a client on the machine's own Node and ends on request", async () => {
    const server = spawn(findMachineNode(), [CLI, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    server.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<number | null>(resolve => server.on('exit', resolve));
    const client = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    client.listen();
    const initialized = client.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      capabilities: { textDocument: { diagnostic: {} } },
    });
    // A bundle that does not start answers nothing: its last words are the failure.
    const started = await Promise.race([initialized.then(() => true), ended.then(() => false)]);
    assert.ok(started, stderr);
    await client.sendNotification(InitializedNotification.type, {});
    const uri = 'file:///folder/a.aicf';
    await client.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'aicf', version: 1, text: 'call|a\n' },
    });
    const report = await client.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
    assert.deepEqual(report.kind === 'full' && report.items.map(item => item.code), ['aicf/wrong-case']);
    await client.sendNotification('parley/agentTools', { agents: [TOOLBOX], usual: { aicf: 'toolbox' } });
    const call = 'file:///folder/b.aicf';
    await client.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri: call, languageId: 'aicf', version: 1, text: 'CALL|sum|{"numbers":[1,"2"]}\n' },
    });
    // The server uses the tools a moment after it has received them.
    const check = async (): Promise<unknown> => {
      const found = await client.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri: call } });
      return found.kind === 'full' && found.items.map(({ code, range }) => [code, range.start.character]);
    };
    await expectSoon(check, [['aicf/argument-schema', 23]]);
    await client.sendRequest(ShutdownRequest.type);
    await client.sendNotification(ExitNotification.type);
    assert.deepEqual([await ended, stderr], [0, '']);
    client.dispose();
  });

  it('reports a message without a length, and ends', async () => {
    const server = spawn(findMachineNode(), [CLI, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (chunk: Buffer) => output.push(chunk));
    const ended = new Promise<number | null>(resolve => server.on('close', resolve));
    server.stdin.on('error', () => undefined);
    server.stdin.write('Content-Length: -5\r\n\r\n{}');
    assert.equal(await ended, 1);
    assert.equal(
      Buffer.concat(output).toString(),
      "parley lsp: The Content-Length '-5' is not a length; a message begins with 'Content-Length: ' and its length in bytes. The language server has ended; start it again\n",
    );
  });

  it('ends when its client goes away', async () => {
    const server = spawn(findMachineNode(), [CLI, 'lsp', '--stdio'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise<number | null>(resolve => server.on('exit', resolve));
    server.stdin.end();
    assert.equal(await ended, 1);
  });
});
