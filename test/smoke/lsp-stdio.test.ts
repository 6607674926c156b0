import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

const BUNDLE = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** The Node of the machine, not the one of the development dependencies: users start the bundle with theirs. */
function findMachineNode(): string {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(folder => !folder.includes('node_modules'));
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return folders.map(folder => join(folder, name)).find(path => existsSync(path)) ?? process.execPath;
}

describe('dist/cli.js lsp --stdio', () => {
  it("serves a client on the machine's own Node and ends when it is told to", async function () {
    this.timeout(20_000);
    const server = spawn(findMachineNode(), [BUNDLE, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
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
    await client.sendRequest(ShutdownRequest.type);
    await client.sendNotification(ExitNotification.type);
    assert.deepEqual([await ended, stderr], [0, '']);
    client.dispose();
  });

  it('reports a message without a length, and ends', async function () {
    this.timeout(60_000);
    const server = spawn(findMachineNode(), [BUNDLE, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
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

  it('ends when its client goes away', async function () {
    this.timeout(20_000);
    const server = spawn(findMachineNode(), [BUNDLE, 'lsp', '--stdio'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise<number | null>(resolve => server.on('exit', resolve));
    server.stdin.end();
    assert.equal(await ended, 1);
  });
});
