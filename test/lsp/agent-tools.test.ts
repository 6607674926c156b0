import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  DiagnosticRefreshRequest,
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticRequest,
  FileChangeType,
  HoverRequest,
  InlayHintRefreshRequest,
  WorkspaceDiagnosticRequest,
  type Diagnostic,
} from 'vscode-languageserver/node';
import type { Disk } from '../../server/src/runtime.ts';
import { QUICK_RUNTIME, RICH_CLIENT, TestClient, until, type ClientOptions } from './support/test-client.ts';

const TOOLS = '# @agent coder\nLIST\nTOOLS|build|check\n';
const CALL = '# @agent coder\nCALL|deploy\n';
const UNKNOWN =
  "Agent 'coder' lists no tool 'deploy'; the 'TOOLS' lines of its replies have no such tool (error 404)";

/** Longer than the server waits after an edit before it looks at other files. */
const LONG_ENOUGH = 100;

let folder: string;
let client: TestClient;

/** A client that only listens: it shows the last diagnostics of each file. */
async function start(options: ClientOptions = {}): Promise<TestClient> {
  client = await TestClient.start({
    folders: [pathToFileURL(folder).href],
    capabilities: {},
    runtime: QUICK_RUNTIME,
    ...options,
  });
  return client;
}

function textOf({ message }: Diagnostic): string {
  return typeof message === 'string' ? message : message.value;
}

function shown(uri: string): readonly string[] | undefined {
  const last = client.pushed.findLast(params => params.uri === uri);
  return last?.diagnostics.map(textOf);
}

function isShown(uri: string, messages: readonly string[]): boolean {
  return JSON.stringify(shown(uri)) === JSON.stringify(messages);
}

describe('tools of agents in other files', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley tools '));
  });
  afterEach(async () => {
    await client.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are followed as an open file is edited and closed', async () => {
    await start();
    const calls = await client.open('calls.aicf', 'aicf', CALL);
    await until(() => isShown(calls, []));
    const tools = await client.open('tools.aicf', 'aicf', TOOLS);
    await until(() => isShown(calls, [UNKNOWN]));

    const list = { start: { line: 2, character: 5 }, end: { line: 2, character: 5 } };
    await client.change(tools, 2, [{ range: list, text: '|deploy' }]);
    await until(() => isShown(calls, []));
    const name = { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } };
    await client.change(tools, 3, [{ range: name, text: 'other' }]);
    await client.change(tools, 4, [{ text: TOOLS }]);
    await until(() => isShown(calls, [UNKNOWN]));
    await client.close(tools);
    await until(() => isShown(calls, []));
  });

  it('are read from the disk, and again when the file changes', async () => {
    const path = join(folder, 'tools.aicf');
    const uri = pathToFileURL(path).href;
    await writeFile(path, TOOLS);
    await start();
    const calls = await client.open('calls.aicf', 'aicf', CALL);
    await until(() => isShown(calls, [UNKNOWN]));
    await writeFile(path, `${TOOLS}TOOL|deploy|Puts it there|where\n`);
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [{ uri, type: FileChangeType.Changed }],
    });
    await until(() =>
      isShown(calls, ["The call leaves out 'where' of 'deploy (where: any)'; give what the tool needs"]),
    );
    const position = { line: 1, character: 7 };
    const hover = await client.connection.sendRequest(HoverRequest.type, {
      textDocument: { uri: calls },
      position,
    });
    assert.match(JSON.stringify(hover?.contents), /Puts it there/);
    // The text in the editor takes precedence over the disk.
    await client.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'aicf', version: 1, text: TOOLS },
    });
    await until(() => isShown(calls, [UNKNOWN]));
  });

  it('are looked for only where an open file names an agent', async () => {
    const { disk } = QUICK_RUNTIME;
    assert.ok(disk);
    let listed = 0;
    const counting: Disk = { ...disk, list: (...of) => (listed++, disk.list(...of)) };
    await start({ runtime: { ...QUICK_RUNTIME, disk: counting } });
    const plain = await client.open('plain.aicf', 'aicf', 'TOOLS|a\nCALL|deploy\n');
    await client.open('other.aicl', 'aicl', '# @agent coder\n');
    await client.open('context.aicf', 'aicf', '# @agent coder\n@NOTES\n');
    await until(() => shown(plain)?.length === 1);
    await new Promise(resolve => setTimeout(resolve, LONG_ENOUGH));
    assert.equal(listed, 0);
    await client.open('calls.aicf', 'aicf', CALL);
    await until(() => listed === 1);
  });

  it('make a client that asks ask again, once for what is new', async () => {
    const reported: string[] = [];
    await start({
      capabilities: {
        ...RICH_CLIENT,
        workspace: { diagnostics: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
      },
      prepare(connection) {
        connection.onRequest(DiagnosticRefreshRequest.type, () => void reported.push('diagnostics'));
        connection.onRequest(InlayHintRefreshRequest.type, () => void reported.push('hints'));
      },
    });
    const calls = await client.open('calls.aicf', 'aicf', CALL);
    const pull = async (): Promise<readonly string[]> => {
      const params = { textDocument: { uri: calls } };
      const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, params);
      return report.kind === 'full' ? report.items.map(textOf) : [report.kind];
    };
    assert.deepEqual(await pull(), []);
    const tools = await client.open('tools.aicf', 'aicf', TOOLS);
    await until(() => reported.length === 2);
    assert.deepEqual(await pull(), [UNKNOWN]);
    await client.change(tools, 2, [{ text: `# a note\n${TOOLS}OK|1\n` }]);
    await new Promise(resolve => setTimeout(resolve, LONG_ENOUGH));
    assert.deepEqual(reported.sort(), ['diagnostics', 'hints']);
  });

  it('are known to the check of the whole workspace', async () => {
    await writeFile(join(folder, 'tools.aicf'), TOOLS);
    await writeFile(join(folder, 'calls.aicf'), CALL);
    await start({ capabilities: RICH_CLIENT });
    const check = async (previousResultIds: { uri: string; value: string }[]): Promise<unknown[]> => {
      const params = { previousResultIds };
      const { items } = await client.connection.sendRequest(WorkspaceDiagnosticRequest.type, params);
      for (const { uri, resultId } of items) if (resultId) ids.push({ uri, value: resultId });
      return items.map(item => (item.kind === 'full' ? item.items.map(textOf) : 'unchanged'));
    };
    const ids: { uri: string; value: string }[] = [];
    assert.deepEqual(await check([]), [[UNKNOWN], []]);
    assert.deepEqual(await check([...ids]), ['unchanged', 'unchanged']);
  });
});
