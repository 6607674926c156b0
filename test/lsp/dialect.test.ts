import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, it } from 'mocha';
import {
  ConfigurationRequest,
  DidChangeConfigurationNotification,
  DocumentDiagnosticRequest,
  DocumentSymbolRequest,
  FoldingRangeRefreshRequest,
  FoldingRangeRequest,
  SemanticTokensRefreshRequest,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver/node';
import type { AicfDialect } from '../../core/catalog/languages.ts';
import { DIALECT_READ, OPTIONS_CHANGED } from '../../wire/server-messages.ts';
import { RICH_CLIENT, TestClient, until, type ClientOptions } from './support/test-client.ts';

/** A context file that begins like a call. */
const MIXED = 'LIST\n@NOTES\nfree text\n';
const CONTEXT = '@NOTES\nfree text\n';

describe('AICF dialect over LSP', () => {
  let client: TestClient | undefined;
  const reported: unknown[] = [];

  async function start(initializationOptions: unknown, more: ClientOptions = {}): Promise<TestClient> {
    client = await TestClient.start({
      initializationOptions,
      ...more,
      prepare(connection) {
        connection.onNotification(DIALECT_READ, (params: unknown) => void reported.push(params));
        more.prepare?.(connection);
      },
    });
    return client;
  }

  afterEach(async () => {
    reported.length = 0;
    await client?.stop();
    client = undefined;
  });

  /** The names of the outline, the lines that fold, and the codes of the issues. */
  async function look({ connection }: TestClient, uri: string): Promise<unknown> {
    const textDocument = { uri };
    const symbols = await connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
    const folds = await connection.sendRequest(FoldingRangeRequest.type, { textDocument });
    const report = await connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
    return [
      symbols?.map(({ name }) => name),
      folds?.map(({ startLine }) => startLine),
      report.kind === 'full' ? report.items.map(({ code }) => code) : report.kind,
    ];
  }

  const choose = (server: TestClient, uri: string, dialect?: AicfDialect): Promise<void> =>
    server.connection.sendNotification(OPTIONS_CHANGED, {
      showsDialects: true,
      dialects: dialect === undefined ? [] : [{ uri, dialect }],
    });

  it('is chosen for a file, followed at once, and left to the text again', async () => {
    let refreshes = 0;
    const refreshSupport = { refreshSupport: true };
    const server = await start(
      { showsDialects: true },
      {
        capabilities: {
          ...RICH_CLIENT,
          workspace: { foldingRange: refreshSupport, semanticTokens: refreshSupport },
        },
        prepare(connection) {
          for (const { method } of [FoldingRangeRefreshRequest.type, SemanticTokensRefreshRequest.type])
            connection.onRequest(method, () => void refreshes++);
        },
      },
    );
    const uri = await server.open('a.aicf', 'aicf', MIXED);
    const other = await server.open('b.aicf', 'aicf', MIXED);
    const asRpc = [['LIST'], [0], ['aicf/foreign-text']];
    assert.deepEqual(await look(server, uri), asRpc);
    await choose(server, uri, 'context');
    await until(() => refreshes === 2);
    assert.deepEqual(await look(server, uri), [['@NOTES'], [1], []]);
    assert.deepEqual(await look(server, other), asRpc);
    await choose(server, uri);
    await until(() => refreshes === 4);
    assert.deepEqual(await look(server, uri), asRpc);
    const [rpc, context] = [
      { dialect: 'rpc', reason: 'Line 1 is a message.' },
      { dialect: 'context', reason: 'It was chosen for this file.' },
    ];
    assert.deepEqual(reported, [
      { uri, ...rpc },
      { uri: other, ...rpc },
      { uri, ...context },
      { uri, ...rpc },
    ]);
  });

  it('is known from the start, stays through an edit and is another for each file', async () => {
    const uri = 'file:///folder/a.aicf';
    const server = await start({ dialects: [{ uri, dialect: 'context' }] });
    await server.open('a.aicf', 'aicf', MIXED);
    await server.change(uri, 2, [
      { range: { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } }, text: 'CALL|x\n' },
    ]);
    assert.deepEqual(await look(server, uri), [['@NOTES'], [1], []]);
    // A client that did not ask is not notified.
    assert.deepEqual(reported, []);
  });

  it('is the one of the setting where nothing was chosen', async () => {
    let dialect = 'rpc';
    const server = await start(
      { showsDialects: true, dialects: [{ uri: 'file:///folder/b.aicf', dialect: 'context' }] },
      {
        capabilities: { ...RICH_CLIENT, workspace: { configuration: true } },
        prepare: connection => connection.onRequest(ConfigurationRequest.type, () => [{ aicf: { dialect } }]),
      },
    );
    const [uri, other] = [
      await server.open('a.aicf', 'aicf', CONTEXT),
      await server.open('b.aicf', 'aicf', CONTEXT),
    ];
    await until(() => JSON.stringify(reported).includes('rpc'));
    assert.deepEqual(await look(server, uri), [[], [], ['aicf/foreign-text']]);
    assert.deepEqual(await look(server, other), [['@NOTES'], [0], []]);
    dialect = 'auto';
    await server.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    await until(() => reported.length > 2 && JSON.stringify(reported.at(-1)).includes('begins a section'));
    assert.deepEqual(await look(server, uri), [['@NOTES'], [0], []]);
  });

  it('of a file that is not open counts in a search of the workspace', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-dialect-'));
    try {
      const path = join(folder, 'a b.aicf');
      await writeFile(path, MIXED);
      const server = await start({}, { folders: [pathToFileURL(folder).href] });
      const search = async (): Promise<unknown> => {
        const found = await server.connection.sendRequest(WorkspaceSymbolRequest.type, { query: 'NOTES' });
        return found?.map(({ name }) => name);
      };
      assert.deepEqual(await search(), []);
      // Under another spelling, as another client would write it.
      await choose(server, pathToFileURL(path).href.replace('a%20b', '%61%20b'), 'context');
      assert.deepEqual(await search(), ['@NOTES']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is sent again only if it or its reason changed, and never for AICL', async () => {
    const server = await start({ showsDialects: true });
    const uri = await server.open('a.aicf', 'aicf', CONTEXT);
    await server.open('a.aicl', 'aicl', '[d:]');
    await until(() => reported.length === 1);
    const at = (line: number): object => ({
      range: { start: { line, character: 0 }, end: { line, character: 0 } },
    });
    await server.change(uri, 2, [{ ...at(1), text: 'a' }]);
    await server.change(uri, 3, [{ ...at(0), text: 'LIST\n' }]);
    await until(() => reported.length > 1);
    await look(server, uri);
    assert.deepEqual(reported.slice(1), [{ uri, dialect: 'rpc', reason: 'Line 1 is a message.' }]);
  });
});
