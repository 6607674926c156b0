import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'mocha';
import {
  ConfigurationRequest,
  DiagnosticRefreshRequest,
  DiagnosticTag,
  DidChangeConfigurationNotification,
  DocumentDiagnosticRequest,
  RegistrationRequest,
  UnregistrationRequest,
  WorkspaceDiagnosticRequest,
  type ClientCapabilities,
  type Diagnostic,
  type DiagnosticsCapabilities,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import { ruleUrl } from '../../core/catalog/rules.ts';
import {
  RICH_CLIENT,
  type TestClient,
  until,
  withClient,
  type ClientOptions,
} from './support/test-client.ts';

async function pull(client: TestClient, uri: string): Promise<readonly Diagnostic[]> {
  const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, {
    textDocument: { uri },
  });
  return report.kind === 'full' ? report.items : [];
}

const SHOWS_ALL: DiagnosticsCapabilities = {
  relatedInformation: true,
  tagSupport: { valueSet: [DiagnosticTag.Unnecessary] },
};

describe('what a diagnostic tells', () => {
  const TEXT = '[l:[d:[s:a]:[i:1],[s:a]:[i:2],]]';
  const show = async (capabilities: ClientCapabilities): Promise<readonly Diagnostic[]> => {
    let found: readonly Diagnostic[] = [];
    await withClient({ capabilities }, async client => {
      const items = await pull(client, await client.open('a.aicl', 'aicl', TEXT));
      found = items.filter(({ code }) => code !== 'aicl/fragment');
    });
    return found;
  };

  it('is where the rule is explained, what is superfluous, and where the first of two keys is', async () => {
    const found = await show({ textDocument: { diagnostic: {}, publishDiagnostics: SHOWS_ALL } });
    assert.deepEqual(
      found.map(({ code, codeDescription, tags, relatedInformation }) => ({
        code,
        codeDescription,
        tags,
        relatedInformation,
      })),
      [
        {
          code: 'aicl/duplicate-key',
          codeDescription: { href: ruleUrl('aicl/duplicate-key') },
          tags: undefined,
          relatedInformation: [
            {
              location: {
                uri: 'file:///folder/a.aicl',
                range: { start: { line: 0, character: 6 }, end: { line: 0, character: 11 } },
              },
              message: 'It occurs here first',
            },
          ],
        },
        {
          code: 'aicl/trailing-comma',
          codeDescription: { href: ruleUrl('aicl/trailing-comma') },
          tags: [DiagnosticTag.Unnecessary],
          relatedInformation: undefined,
        },
      ],
    );
  });

  it('is sent also to a client that supports it for pulled diagnostics', async () => {
    const diagnostic = { ...SHOWS_ALL };
    const [duplicate, comma] = await show({ textDocument: { diagnostic } });
    assert.equal(duplicate?.relatedInformation?.length, 1);
    assert.deepEqual(comma?.tags, [DiagnosticTag.Unnecessary]);
  });

  it('is less for a client that shows less', async () => {
    const tagSupport = { valueSet: [DiagnosticTag.Deprecated] };
    const found = await show({ textDocument: { diagnostic: {}, publishDiagnostics: { tagSupport } } });
    assert.deepEqual(
      found.map(item => ['tags' in item, 'relatedInformation' in item]),
      [
        [false, false],
        [false, false],
      ],
    );
  });

  it('is at the bracket that is not closed', async () => {
    await withClient({ capabilities: { textDocument: { diagnostic: SHOWS_ALL } } }, async client => {
      const items = await pull(client, await client.open('a.aicl', 'aicl', '[l:[i:1],\n  [l:[i:2]]'));
      const item = items.find(({ code }) => code === 'aicl/missing-bracket');
      assert.deepEqual(item?.relatedInformation, [
        {
          location: {
            uri: 'file:///folder/a.aicl',
            range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } },
          },
          message: 'This bracket stays open',
        },
      ]);
    });
  });
});

describe('severities of rules in the server', () => {
  it('follow the setting, and the log names what is no rule', async () => {
    let rules: unknown = { 'aicf/wrong-case': 'hint', 'aicf/none': 'off' };
    let refreshes = 0;
    const options: ClientOptions = {
      capabilities: {
        ...RICH_CLIENT,
        workspace: { configuration: true, diagnostics: { refreshSupport: true } },
      },
      prepare(connection) {
        connection.onRequest(ConfigurationRequest.type, () => [{ rules }]);
        connection.onRequest(DiagnosticRefreshRequest.type, () => void refreshes++);
      },
    };
    await withClient(options, async client => {
      const uri = await client.open('a.aicf', 'aicf', 'call|a\n');
      const severities = async (): Promise<readonly unknown[]> =>
        (await pull(client, uri)).map(({ severity }) => severity);
      const change = (): Promise<void> =>
        client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
      await until(() => refreshes === 1);
      assert.deepEqual(await severities(), [4]);
      assert.equal(client.log.filter(line => line.includes('aicf/none')).length, 1);
      rules = { 'aicf/wrong-case': 'off' };
      await change();
      await until(() => refreshes === 2);
      assert.deepEqual(await severities(), []);
      rules = { 'aicf/wrong-case': 'off', 'aicf/prefix': 'hint' };
      await change();
      await until(() => refreshes === 3);
      // The same again is no change.
      await change();
      assert.deepEqual([await severities(), refreshes], [[], 3]);
    });
  });
});

describe('workspace diagnostics', () => {
  const inFolder = async (test: (folder: string) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-check-'));
    try {
      await test(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  const check = async (
    client: TestClient,
    before: readonly WorkspaceDocumentDiagnosticReport[] = [],
    partialResultToken?: string,
  ): Promise<WorkspaceDiagnosticReport> =>
    client.connection.sendRequest(WorkspaceDiagnosticRequest.type, {
      previousResultIds: before.map(({ uri, resultId = '' }) => ({ uri, value: resultId })),
      ...(partialResultToken === undefined ? {} : { partialResultToken }),
    });
  const codes = (items: readonly WorkspaceDocumentDiagnosticReport[]): readonly unknown[] =>
    items.map(item => [
      item.uri.slice(item.uri.lastIndexOf('/') + 1),
      item.version,
      item.kind === 'full' ? item.items.map(({ code }) => code) : item.kind,
    ]);

  it('are those of open files and of files on the disk; unchanged ones are named, and lost ones have none', async () => {
    await inFolder(async folder => {
      await writeFile(join(folder, 'disk.aicf'), 'list\n');
      await withClient({ folders: [pathToFileURL(folder).href] }, async client => {
        const uri = await client.open('open.aicf', 'aicf', 'call|a\n');
        const first = await check(client);
        assert.deepEqual(codes(first.items), [
          ['open.aicf', 1, ['aicf/wrong-case']],
          ['disk.aicf', null, ['aicf/wrong-case']],
        ]);
        const second = await check(client, first.items);
        assert.deepEqual(codes(second.items), [
          ['open.aicf', 1, 'unchanged'],
          ['disk.aicf', null, 'unchanged'],
        ]);
        await client.close(uri);
        const third = await check(client, first.items);
        assert.deepEqual(codes(third.items), [
          ['disk.aicf', null, 'unchanged'],
          ['open.aicf', null, []],
        ]);
      });
    });
  });

  it('come in parts to a client that wants parts', async () => {
    await withClient({}, async client => {
      for (let file = 0; file < 120; file++) await client.open(`${file}.aicf`, 'aicf', 'list\n');
      const parts: number[] = [];
      client.connection.onProgress(
        WorkspaceDiagnosticRequest.partialResult,
        'parts',
        part => void parts.push(part.items.length),
      );
      const rest = await check(client, [], 'parts');
      assert.deepEqual([parts, rest.items.length], [[50, 50], 20]);
    });
  });

  it('are announced to a client that polls only while the setting wants them', async () => {
    let isWanted = false;
    const reported: unknown[] = [];
    const options: ClientOptions = {
      capabilities: {
        textDocument: { diagnostic: { dynamicRegistration: true } },
        workspace: { configuration: true, diagnostics: { refreshSupport: true } },
      },
      prepare(connection) {
        connection.onRequest(ConfigurationRequest.type, () => [{ workspaceDiagnostics: isWanted }]);
        connection.onRequest(DiagnosticRefreshRequest.type, () => void reported.push('refresh'));
        connection.onRequest(RegistrationRequest.type, ({ registrations }) => {
          for (const { registerOptions } of registrations) reported.push(registerOptions);
        });
        connection.onRequest(UnregistrationRequest.type, () => void reported.push('taken back'));
      },
    };
    const option = { identifier: 'parley', interFileDependencies: false, documentSelector: null };
    await withClient(options, async client => {
      assert.equal(client.initialized?.capabilities.diagnosticProvider, undefined);
      await until(() => reported.length === 1);
      isWanted = true;
      await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
      await until(() => reported.length === 3);
      assert.deepEqual(reported, [
        { ...option, workspaceDiagnostics: false },
        'taken back',
        { ...option, workspaceDiagnostics: true },
      ]);
    });
  });
});
