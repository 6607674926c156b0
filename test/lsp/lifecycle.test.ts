import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  CancellationTokenSource,
  CodeLensRefreshRequest,
  CodeLensRequest,
  ConfigurationRequest,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DocumentDiagnosticRequest,
  DocumentSymbolRequest,
  HoverRequest,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  type ClientCapabilities,
} from 'vscode-languageserver/node';
import { LANGUAGES } from '../../core/catalog/languages.ts';
import { PRODUCT } from '../../core/catalog/product.ts';
import { TOKEN_KINDS } from '../../core/catalog/token-kinds.ts';
import { OPTIONS_CHANGED, REQUEST_AT, SEND_COMMAND } from '../../wire/server-messages.ts';
import { NODE_RUNTIME } from '../../server/src/node-runtime.ts';
import type { Runtime } from '../../server/src/runtime.ts';
import {
  RICH_CLIENT,
  type TestClient,
  until,
  withClient,
  type ClientOptions,
} from './support/test-client.ts';

const WRONG_CASE = 'call|math.add|1|2\n';
const RIGHT_CASE = 'CALL|math.add|1|2\n';

async function pullCodes(client: TestClient, uri: string): Promise<unknown> {
  const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, {
    textDocument: { uri },
  });
  return report.kind === 'full' ? report.items.map(item => item.code) : report.kind;
}

describe('server: start', () => {
  const features = {
    hoverProvider: true,
    completionProvider: {
      triggerCharacters: [...new Set(LANGUAGES.flatMap(row => row.completionTriggers))],
      resolveProvider: true,
    },
    signatureHelpProvider: { triggerCharacters: ['|'] },
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: true,
    callHierarchyProvider: true,
    workspaceSymbolProvider: true,
    selectionRangeProvider: true,
    documentSymbolProvider: true,
    foldingRangeProvider: true,
    semanticTokensProvider: {
      legend: { tokenTypes: TOKEN_KINDS.map(row => row.name), tokenModifiers: [] },
      range: true,
      full: { delta: true },
    },
    inlayHintProvider: { resolveProvider: false },
    documentLinkProvider: { resolveProvider: false },
    documentFormattingProvider: true,
    codeLensProvider: { resolveProvider: true },
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n', moreTriggerCharacter: [']', ','] },
    codeActionProvider: {
      codeActionKinds: ['quickfix', 'refactor.rewrite', 'refactor.rewrite.convert', 'source.fixAll.parley'],
    },
  };
  const common = {
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    ...features,
  };
  const serverInfo = { name: 'Parley', version: PRODUCT.version };

  it('tells a client that pulls diagnostics that it may', async () => {
    await withClient({}, client => {
      const diagnosticProvider = {
        identifier: 'parley',
        interFileDependencies: false,
        workspaceDiagnostics: true,
      };
      assert.deepEqual(client.initialized, { capabilities: { ...common, diagnosticProvider }, serverInfo });
      return Promise.resolve();
    });
  });

  it('offers no pull to a client that has none', async () => {
    await withClient({ capabilities: {} }, client => {
      assert.deepEqual(client.initialized, { capabilities: common, serverInfo });
      return Promise.resolve();
    });
  });
});

describe('server: diagnostics', () => {
  it('answers a pull, and says so when nothing changed', async () => {
    await withClient({}, async client => {
      const uri = await client.open('a.aicf', 'aicf', WRONG_CASE);
      const first = await client.connection.sendRequest(DocumentDiagnosticRequest.type, {
        textDocument: { uri },
      });
      assert.equal(first.kind, 'full');
      assert.equal(first.kind === 'full' && first.items.length, 1);
      const again = await client.connection.sendRequest(DocumentDiagnosticRequest.type, {
        textDocument: { uri },
        ...(first.resultId === undefined ? {} : { previousResultId: first.resultId }),
      });
      assert.deepEqual(again, { kind: 'unchanged', resultId: first.resultId });
    });
  });

  it('answers anew for a document that was opened again with the same version', async () => {
    await withClient({}, async client => {
      const uri = await client.open('a.aicf', 'aicf', WRONG_CASE);
      const first = await client.connection.sendRequest(DocumentDiagnosticRequest.type, {
        textDocument: { uri },
      });
      await client.close(uri);
      await client.open('a.aicf', 'aicf', RIGHT_CASE);
      const again = await client.connection.sendRequest(DocumentDiagnosticRequest.type, {
        textDocument: { uri },
        ...(first.resultId === undefined ? {} : { previousResultId: first.resultId }),
      });
      assert.deepEqual(again.kind === 'full' && again.items, []);
    });
  });

  it('pushes to a client that cannot pull: once for a burst of edits, and empties them on close', async () => {
    await withClient({ capabilities: {} }, async client => {
      const uri = await client.open('a.aicf', 'aicf', RIGHT_CASE);
      await client.change(uri, 2, [{ text: '' }]);
      await client.change(uri, 3, [{ text: WRONG_CASE }]);
      await until(() => client.pushed.length > 0);
      await client.close(uri);
      await until(() => client.pushed.length > 1);
      const seen = client.pushed.map(({ uri: at, version, diagnostics }) => ({
        at,
        version,
        codes: diagnostics.map(item => item.code),
      }));
      assert.deepEqual(seen, [
        { at: uri, version: 3, codes: ['aicf/wrong-case'] },
        { at: uri, version: undefined, codes: [] },
      ]);
    });
  });

  it('takes a push back when the document is closed before its time', async () => {
    await withClient({ capabilities: {} }, async client => {
      const first = await client.open('a.aicf', 'aicf', WRONG_CASE);
      await client.close(first);
      const second = await client.open('b.aicf', 'aicf', WRONG_CASE);
      await until(() => client.pushed.some(params => params.uri === second));
      const ofFirst = client.pushed.filter(params => params.uri === first);
      assert.deepEqual(ofFirst, [{ uri: first, diagnostics: [] }]);
    });
  });

  it('pushes nothing to a client that pulls', async () => {
    let timers = 0;
    const runtime: Runtime = {
      ...NODE_RUNTIME,
      startTimer(milliseconds, callback) {
        timers++;
        return NODE_RUNTIME.startTimer(milliseconds, callback);
      },
    };
    await withClient({ runtime }, async client => {
      const uri = await client.open('a.aicf', 'aicf', WRONG_CASE);
      await client.change(uri, 2, [{ text: RIGHT_CASE }]);
      assert.deepEqual(await pullCodes(client, uri), []);
      await client.close(uri);
      assert.equal(await client.connection.sendRequest(HoverRequest.type, at(uri)), null);
      assert.deepEqual([timers, client.pushed], [0, []]);
    });
  });
});

function at(uri: string): { textDocument: { uri: string }; position: { line: number; character: number } } {
  return { textDocument: { uri }, position: { line: 0, character: 1 } };
}

/** A request about a document that is not open is answered at once: then all that was sent before has been read. */
const NOT_OPEN = 'file:///folder/not-open.aicf';

/** A runtime whose guarded work waits until it is released. */
function holdQueue(): { readonly runtime: Runtime; readonly release: () => void } {
  let release: () => void = () => undefined;
  const released = new Promise<void>(resolve => (release = resolve));
  return { runtime: { ...NODE_RUNTIME, yieldToQueue: () => released }, release: () => release() };
}

describe('server: requests that come to nothing', () => {
  it('answers a cancelled request as cancelled and logs nothing', async () => {
    const { runtime, release } = holdQueue();
    await withClient({ runtime }, async client => {
      const uri = await client.open('a.aicf', 'aicf', RIGHT_CASE);
      const source = new CancellationTokenSource();
      const pending = client.connection.sendRequest(HoverRequest.type, at(uri), source.token);
      source.cancel();
      await client.connection.sendRequest(HoverRequest.type, at(NOT_OPEN));
      release();
      await assert.rejects(pending, (error: unknown) => {
        assert.ok(error instanceof ResponseError);
        assert.equal(error.code, LSPErrorCodes.RequestCancelled);
        return true;
      });
      assert.notEqual(await client.connection.sendRequest(HoverRequest.type, at(uri)), null);
      assert.deepEqual(client.log, []);
    });
  });

  it('answers neutrally when the document was closed mid-request', async () => {
    // The close arrives while the hover waits for the queue, as it does when an editor closes a tab.
    const { runtime, release } = holdQueue();
    await withClient({ runtime }, async client => {
      const uri = await client.open('a.aicf', 'aicf', RIGHT_CASE);
      const hover = client.connection.sendRequest(HoverRequest.type, at(uri));
      const request = client.connection.sendRequest<unknown>(REQUEST_AT.method, {
        uri,
        position: at(uri).position,
      });
      await client.close(uri);
      const other = await client.connection.sendRequest(HoverRequest.type, at(NOT_OPEN));
      release();
      assert.deepEqual([await hover, await request, other, client.log], [null, null, null, []]);
    });
  });

  it('reads positions by the version that the client saw, also when an edit overtakes the request', async () => {
    const { runtime, release } = holdQueue();
    await withClient({ runtime }, async client => {
      const uri = await client.open('a.aicf', 'aicf', `# a comment\n${RIGHT_CASE}`);
      const pending = client.connection.sendRequest(HoverRequest.type, {
        textDocument: { uri },
        position: { line: 1, character: 1 },
      });
      await client.change(uri, 2, [{ text: '' }]);
      await client.connection.sendRequest(HoverRequest.type, at(NOT_OPEN));
      release();
      const hover = await pending;
      assert.deepEqual(hover?.range, { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } });
    });
  });

  it('leaves a document of an unknown language alone, but knows our endings', async () => {
    await withClient({}, async client => {
      const foreign = await client.open('a.md', 'markdown', WRONG_CASE);
      const plain = await client.open('b.aicf', 'plaintext', WRONG_CASE);
      const textDocument = { uri: foreign };
      assert.deepEqual(
        [
          await client.connection.sendRequest(HoverRequest.type, at(foreign)),
          await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument }),
          await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument }),
          await client.connection.sendRequest(REQUEST_AT.method, {
            uri: foreign,
            position: at(foreign).position,
          }),
          await pullCodes(client, plain),
        ],
        [null, null, { kind: 'full', items: [] }, null, ['aicf/wrong-case']],
      );
    });
  });

  it('answers null to our own request with parameters of another shape', async () => {
    await withClient({}, async client => {
      const wrong = [{}, null, { uri: 1, position: {} }, { uri: 'a', position: { line: '0', character: 0 } }];
      const answers: unknown[] = [];
      for (const params of wrong)
        answers.push(await client.connection.sendRequest(REQUEST_AT.method, params));
      assert.deepEqual(answers, [null, null, null, null]);
    });
  });

  it('answers neutrally after a fault, logs where it was, and goes on', async () => {
    const aicl = NODE_RUNTIME.languages.aicl;
    const runtime: Runtime = {
      ...NODE_RUNTIME,
      languages: {
        ...NODE_RUNTIME.languages,
        aicl: {
          ...aicl,
          open: (text, settings) => ({
            ...aicl.open(text, settings),
            hover() {
              throw new Error('planted');
            },
            validate() {
              throw new Error('planted');
            },
          }),
        },
      },
    };
    await withClient({ runtime }, async client => {
      const bad = await client.open('a.aicl', 'aicl', '[i:1]');
      const good = await client.open('b.aicf', 'aicf', WRONG_CASE);
      assert.equal(await client.connection.sendRequest(HoverRequest.type, at(bad)), null);
      assert.deepEqual(await pullCodes(client, bad), []);
      assert.deepEqual(await pullCodes(client, good), ['aicf/wrong-case']);
      assert.deepEqual(
        client.log.map(line => line.split('\n')[0]),
        [
          `hover failed for ${bad} version 1: Error: planted`,
          `diagnostics failed for ${bad} version 1: Error: planted`,
        ],
      );
    });
  });
});

describe('server: settings and options', () => {
  const CHAT_MESSAGE = '[d:[s:task]:[s:say hello]]\n';
  const ASKS: ClientCapabilities = {
    ...RICH_CLIENT,
    workspace: {
      configuration: true,
      diagnostics: { refreshSupport: true },
      codeLens: { refreshSupport: true },
    },
  };

  it('asks for its section, and again after a change, and has the client pull anew', async () => {
    let profile = 'strict';
    let refreshes = 0;
    const asked: unknown[] = [];
    await withClient(
      {
        capabilities: ASKS,
        prepare(connection) {
          connection.onRequest(ConfigurationRequest.type, params => {
            asked.push(params.items);
            return [{ aicl: { profile } }];
          });
          connection.onRequest(DiagnosticRefreshRequest.type, () => void refreshes++);
          connection.onRequest(CodeLensRefreshRequest.type, () => undefined);
        },
      },
      async client => {
        const uri = await client.open('a.aicl', 'aicl', CHAT_MESSAGE);
        await until(() => asked.length === 1);
        const strict = await pullCodes(client, uri);
        assert.ok(Array.isArray(strict) && strict.length > 0, 'the strict profile wants a header');
        profile = 'chat';
        await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
        await until(() => refreshes === 1);
        assert.deepEqual(await pullCodes(client, uri), []);
        assert.deepEqual(asked, [[{ section: 'parley' }], [{ section: 'parley' }]]);
        assert.deepEqual(client.log, []);
      },
    );
  });

  it('takes settings that a client sends along, and pushes anew', async () => {
    await withClient({ capabilities: {} }, async client => {
      const uri = await client.open('a.aicl', 'aicl', CHAT_MESSAGE);
      await until(() => client.pushed.length === 1);
      const settings = { parley: { 'aicl.profile': 'chat', maxIssues: 'many' } };
      await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings });
      await until(() => client.pushed.length === 2);
      assert.deepEqual(client.pushed[1], { uri, version: 1, diagnostics: [] });
      assert.notDeepEqual(client.pushed[0]?.diagnostics, []);
    });
  });

  it('keeps its settings when a client fails to answer', async () => {
    await withClient(
      {
        capabilities: { ...RICH_CLIENT, workspace: { configuration: true } },
        prepare: connection =>
          connection.onRequest(ConfigurationRequest.type, () => {
            throw new Error('no settings today');
          }),
      },
      async client => {
        await until(() => client.log.length === 1);
        assert.match(client.log[0] ?? '', /^settings failed: .*no settings today/);
        const uri = await client.open('a.aicf', 'aicf', WRONG_CASE);
        assert.deepEqual(await pullCodes(client, uri), ['aicf/wrong-case']);
      },
    );
  });

  it('offers Send only to a client that can send, and follows when that changes', async () => {
    let refreshes = 0;
    const prepare: ClientOptions['prepare'] = connection => {
      connection.onRequest(CodeLensRefreshRequest.type, () => void refreshes++);
    };
    await withClient(
      { capabilities: { ...RICH_CLIENT, workspace: { codeLens: { refreshSupport: true } } }, prepare },
      async client => {
        const uri = await client.open('a.aicf', 'aicf', `# @agent toolbox\n${RIGHT_CASE}`);
        const lenses = (): Promise<unknown> =>
          client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
        assert.deepEqual(await lenses(), []);
        await client.connection.sendNotification(OPTIONS_CHANGED, { canSend: true });
        await until(() => refreshes === 1);
        const start = { line: 1, character: 0 };
        assert.deepEqual(await lenses(), [
          {
            range: { start, end: start },
            command: { title: '$(play)\u00a0Send', command: SEND_COMMAND, arguments: [uri, start] },
          },
        ]);
        await client.connection.sendNotification(OPTIONS_CHANGED, { canSend: false });
        await until(() => refreshes === 2);
        assert.deepEqual(await lenses(), []);
        await client.connection.sendNotification(OPTIONS_CHANGED, { needsTrust: true });
        await until(() => refreshes === 3);
        assert.deepEqual(await lenses(), [
          {
            range: { start, end: start },
            command: {
              title: '$(shield)\u00a0Trust the folder to send',
              command: SEND_COMMAND,
              arguments: [uri, start],
            },
          },
        ]);
      },
    );
  });

  it('puts no more than a thousand lenses on a document', async () => {
    await withClient({ initializationOptions: { canSend: true } }, async client => {
      const uri = await client.open('a.aicf', 'aicf', RIGHT_CASE.repeat(1500));
      const lenses = await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
      assert.equal(lenses?.length, 1000);
    });
  });
});
