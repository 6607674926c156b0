import { LANGUAGES } from '../../core/catalog/languages.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  CallHierarchyIncomingCallsRequest,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  DefinitionRequest,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  FileChangeType,
  ReferencesRequest,
  RegistrationRequest,
  RenameRequest,
  WorkspaceSymbolRequest,
  type CallHierarchyItem,
  type Registration,
} from 'vscode-languageserver/node';
import { NODE_RUNTIME } from '../../server/src/node-runtime.ts';
import type { Disk, Runtime } from '../../server/src/runtime.ts';
import { TestClient, until, type ClientOptions } from './support/test-client.ts';

const CALL = 'CALL|sum|1\n';

let folder: string;
let client: TestClient | undefined;

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return uriOf(name);
}

function uriOf(name: string): string {
  return pathToFileURL(join(folder, name)).href;
}

async function start(options: ClientOptions = {}): Promise<TestClient> {
  client = await TestClient.start({ folders: [pathToFileURL(folder).href], ...options });
  return client;
}

async function openFile(server: TestClient, uri: string, text: string): Promise<void> {
  const languageId = uri.slice(-4);
  await server.connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId, version: 7, text },
  });
}

/** The files, by their paths in the folder, and lines that name the tool of the open file's first line. */
async function referencesFrom(server: TestClient, uri: string): Promise<readonly string[]> {
  const found = await server.connection.sendRequest(ReferencesRequest.type, {
    textDocument: { uri },
    position: { line: 0, character: 5 },
    context: { includeDeclaration: true },
  });
  return (found ?? []).map(
    location =>
      `${decodeURIComponent(location.uri.slice(uriOf('').length + 1))}:${location.range.start.line}`,
  );
}

describe('workspace', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley workspace '));
  });
  afterEach(async () => {
    await client?.stop();
    client = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  it('finds names in files that are not open, and leaves hidden folders and installed packages out', async () => {
    await write('sub dir/b ü.aicf', '\uFEFF\r\nTOOL|sum|Adds\n');
    await write('c.AICL', '[d:[s:tool]:[s:sum]]');
    for (const name of ['.git/x.aicf', 'node_modules/x.aicf', 'x.txt']) await write(name, CALL);
    const server = await start();
    const uri = await write('a.aicf', 'CALL|other\n');
    await openFile(server, uri, CALL);
    assert.deepEqual(await referencesFrom(server, uri), ['a.aicf:0', 'c.AICL:0', 'sub dir/b ü.aicf:1']);
    const definition = await server.connection.sendRequest(DefinitionRequest.type, {
      textDocument: { uri },
      position: { line: 0, character: 5 },
    });
    assert.deepEqual(definition, [
      {
        uri: uriOf('sub dir/b ü.aicf'),
        range: { start: { line: 1, character: 5 }, end: { line: 1, character: 8 } },
      },
    ]);
    assert.deepEqual(server.log, []);
  });

  it('prefers the text of the editor, also under another spelling of the URI', async () => {
    await write('a b.aicf', 'CALL|sum\nCALL|sum\n');
    const server = await start();
    const uri = uriOf('a b.aicf').replace('a%20b', '%61%20b');
    await openFile(server, uri, CALL);
    const found = await server.connection.sendRequest(ReferencesRequest.type, {
      textDocument: { uri },
      position: { line: 0, character: 5 },
      context: { includeDeclaration: true },
    });
    assert.deepEqual(
      found?.map(one => [one.uri, one.range.start.line]),
      [[uri, 0]],
    );
  });

  it('renames in closed files, without a version', async () => {
    const closed = await write('b.aicf', CALL);
    const server = await start({
      capabilities: { workspace: { workspaceEdit: { documentChanges: true } } },
    });
    const uri = uriOf('a.aicf');
    await openFile(server, uri, CALL);
    const range = { start: { line: 0, character: 5 }, end: { line: 0, character: 8 } };
    assert.deepEqual(
      await server.connection.sendRequest(RenameRequest.type, {
        textDocument: { uri },
        position: range.end,
        newName: 'add',
      }),
      {
        documentChanges: [
          { textDocument: { uri, version: 7 }, edits: [{ range, newText: 'add' }] },
          { textDocument: { uri: closed, version: null }, edits: [{ range, newText: 'add' }] },
        ],
      },
    );
  });

  it('reads nothing before it is asked, and then only what changed', async () => {
    const read: string[] = [];
    let listed = 0;
    const { disk } = NODE_RUNTIME;
    assert.ok(disk);
    const counting: Disk = {
      list(...parameters) {
        listed++;
        return disk.list(...parameters);
      },
      read(uri, most) {
        read.push(uri);
        return disk.read(uri, most);
      },
    };
    const first = await write('b.aicf', CALL);
    const server = await start({ runtime: { ...NODE_RUNTIME, disk: counting } });
    const uri = uriOf('a.aicf');
    await openFile(server, uri, CALL);
    await server.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line: 0, character: 0 },
    });
    assert.deepEqual([listed, read], [0, []]);
    await referencesFrom(server, uri);
    await referencesFrom(server, uri);
    assert.deepEqual([listed, read], [1, [first]]);

    const second = await write('c.aicf', CALL);
    await server.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [{ uri: second, type: FileChangeType.Created }],
    });
    assert.deepEqual(await referencesFrom(server, uri), ['a.aicf:0', 'b.aicf:0', 'c.aicf:0']);
    assert.deepEqual([listed, read], [2, [first, second]]);

    await write('b.aicf', `${CALL}${CALL}`);
    await server.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } });
    assert.deepEqual(await referencesFrom(server, uri), ['a.aicf:0', 'b.aicf:0', 'b.aicf:1', 'c.aicf:0']);
    assert.deepEqual([listed, read], [3, [first, second, first]]);

    await rm(join(folder, 'b.aicf'));
    await server.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [{ uri: first, type: FileChangeType.Deleted }],
    });
    assert.deepEqual(await referencesFrom(server, uri), ['a.aicf:0', 'c.aicf:0']);
  });

  it('follows the folders, and asks a client that can watch files to do so', async () => {
    await write('one/b.aicf', CALL);
    await write('two/c.aicf', CALL);
    const registered: Registration[] = [];
    const server = await start({
      folders: [uriOf('one')],
      capabilities: {
        workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
      },
      prepare: connection =>
        connection.onRequest(RegistrationRequest.type, ({ registrations }) => {
          registered.push(...registrations);
        }),
    });
    await until(() => registered.length > 0);
    assert.deepEqual(
      registered.map(({ method, registerOptions }): unknown => ({
        method,
        registerOptions: registerOptions as unknown,
      })),
      [
        {
          method: DidChangeWatchedFilesNotification.method,
          registerOptions: {
            watchers: ['.aicl', '.aicf', `{${LANGUAGES[2].extensions.join(',')}}`].map(end => ({
              globPattern: `**/*${end}`,
            })),
          },
        },
      ],
    );
    const uri = uriOf('a.aicf');
    await openFile(server, uri, CALL);
    assert.deepEqual(await referencesFrom(server, uri), ['a.aicf:0', 'one/b.aicf:0']);
    await server.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
      event: { added: [{ uri: uriOf('two'), name: 'two' }], removed: [{ uri: uriOf('one'), name: 'one' }] },
    });
    assert.deepEqual(await referencesFrom(server, uri), ['a.aicf:0', 'two/c.aicf:0']);
  });

  it('reads so many files and bytes, and says once in the log that there are more', async () => {
    const disk: Disk = {
      list: async (_roots, _isWanted, most) => ({
        files: Array.from({ length: most }, (_, index) => ({
          uri: `file:///${index}.aicf`,
          size: index === 0 ? 20_000_000 : 10,
          stamp: '',
        })),
        isWhole: false,
      }),
      read: async uri => (uri.endsWith('/7.aicf') ? undefined : CALL),
    };
    const server = await start({ runtime: { ...NODE_RUNTIME, disk } });
    const uri = uriOf('a.aicf');
    await openFile(server, uri, CALL);
    // The open file, and all but the one that is too large and the one that cannot be read.
    assert.equal((await referencesFrom(server, uri)).length, 1999);
    await server.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } });
    assert.equal((await referencesFrom(server, uri)).length, 1999);
    assert.deepEqual(server.log, [
      'This workspace holds more .aicl and .aicf files than are searched (2000 files, 16 MB): ' +
        'open a file to have it searched too',
    ]);
  });

  it('reads only regular files of a limited size, also if they have changed since they were listed', async () => {
    const { disk } = NODE_RUNTIME;
    assert.ok(disk);
    const text = await write('text.aicf', CALL);
    const pipe = join(folder, 'pipe.aicf');
    execFileSync('mkfifo', [pipe]);
    const device = join(folder, 'device.aicf');
    await symlink('/dev/null', device);
    assert.deepEqual(
      [
        await disk.read(text, CALL.length),
        await disk.read(text, CALL.length - 1),
        await disk.read(pathToFileURL(pipe).href, 100),
        await disk.read(pathToFileURL(device).href, 100),
      ],
      [CALL, undefined, undefined, undefined],
    );
  });

  it('is the open files alone where there is no disk, as in a web worker', async () => {
    await write('b.aicf', CALL);
    const runtime: Runtime = {
      languages: NODE_RUNTIME.languages,
      yieldToQueue: () => NODE_RUNTIME.yieldToQueue(),
      startTimer: (milliseconds, callback) => NODE_RUNTIME.startTimer(milliseconds, callback),
      now: () => NODE_RUNTIME.now(),
      loadEncoding: (name, ask) => NODE_RUNTIME.loadEncoding(name, ask),
    };
    const server = await start({ runtime });
    const uri = uriOf('a.aicf');
    await openFile(server, uri, CALL);
    assert.deepEqual(await referencesFrom(server, uri), ['a.aicf:0']);
  });

  it('lists symbols of open and closed files by a part of their names', async () => {
    await write('b.aicl', '[d:[s:session_id]:[s:sums],[s:msg_type]:[s:tool_call],[s:tool]:[s:mean]]');
    const server = await start();
    await openFile(server, uriOf('a.aicf'), 'TOOL|stats.sum|Adds\nCALL|stats.sum|1\n');
    const find = async (query: string): Promise<readonly (readonly unknown[])[]> => {
      const found = await server.connection.sendRequest(WorkspaceSymbolRequest.type, { query });
      return (found ?? []).map(({ name, kind, containerName, location }) => [
        name,
        kind,
        containerName,
        location.uri.slice(uriOf('').length + 1),
        'range' in location && location.range.start.line,
      ]);
    };
    assert.deepEqual(await find('SUM'), [
      ['stats.sum', 11, undefined, 'a.aicf', 0],
      ['stats.sum', 12, undefined, 'a.aicf', 1],
      ['sums', 2, undefined, 'b.aicl', 0],
    ]);
    assert.deepEqual(await find('m an'), [['mean', 12, 'sums', 'b.aicl', 0]]);
    assert.equal((await find('')).length, 4);
    assert.deepEqual(await find('nothing like this'), []);
  });

  describe('call hierarchy', () => {
    const say = (type: string, session: string, more: string): string =>
      `[d:[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}]${more}]\n`;
    const TOOL = ',[s:tool]:[s:sum]';
    const AICL = [
      say('tool_call', 's1', TOOL),
      say('task_request', 's1', ',[s:task]:[s:report]'),
      say('tool_call', 's1', TOOL),
      '# @agent coder\n',
      say('tool_call', 's1', TOOL),
      say('data_query', 's1', ',[s:query]:[s:all]'),
      say('result', 's1', ''),
    ].join('');

    async function prepare(uri: string, line: number, character = 0): Promise<CallHierarchyItem[] | null> {
      assert.ok(client);
      const position = { line, character };
      return client.connection.sendRequest(CallHierarchyPrepareRequest.type, {
        textDocument: { uri },
        position,
      });
    }

    function show({ name, detail, uri, range }: CallHierarchyItem): string {
      return `${name} (${detail ?? ''}) ${uri.slice(uriOf('').length + 1)}:${range.start.line}`;
    }

    async function incoming(item: CallHierarchyItem | undefined): Promise<readonly string[]> {
      assert.ok(client && item);
      const found = await client.connection.sendRequest(CallHierarchyIncomingCallsRequest.type, { item });
      return (found ?? []).map(
        ({ from, fromRanges }) => `${show(from)} at ${fromRanges.map(({ start: at }) => at.line).join()}`,
      );
    }

    async function outgoing(item: CallHierarchyItem | undefined): Promise<readonly string[]> {
      assert.ok(client && item);
      const found = await client.connection.sendRequest(CallHierarchyOutgoingCallsRequest.type, { item });
      return (found ?? []).map(
        ({ to, fromRanges }) => `${show(to)} at ${fromRanges.map(({ start: at }) => at.line).join()}`,
      );
    }

    it('shows who asks for a tool, in all files', async () => {
      await write('b.aicf', '# x\nCALL|sum|1\nOK|1\nCALL|sum|2\n');
      const server = await start();
      const uri = uriOf('a.aicl');
      await openFile(server, uri, AICL);
      const [tool, ...more] = (await prepare(uri, 0)) ?? [];
      assert.deepEqual([tool && show(tool), more], ['sum (call) a.aicl:0', []]);
      assert.deepEqual(await incoming(tool), [
        's1 (session) a.aicl:0 at 0',
        'report (task · s1) a.aicl:1 at 2',
        'b.aicf (session) b.aicf:1 at 1,3',
      ]);
      assert.deepEqual(await outgoing(tool), []);
    });

    it('shows what a session and a task ask for, and of which agent', async () => {
      const server = await start();
      const uri = uriOf('a.aicl');
      await openFile(server, uri, AICL);
      const [session] = (await prepare(uri, 0, 22)) ?? [];
      assert.deepEqual(session && show(session), 's1 (session) a.aicl:0');
      assert.deepEqual(await incoming(session), []);
      assert.deepEqual(await outgoing(session), [
        'sum (call) a.aicl:0 at 0',
        'report (task · s1) a.aicl:1 at 1',
      ]);
      const [task] = (await prepare(uri, 1)) ?? [];
      assert.deepEqual(await incoming(task), ['s1 (session) a.aicl:0 at 1']);
      assert.deepEqual(await outgoing(task), [
        'sum (call) a.aicl:2 at 2',
        'sum (call · to coder) a.aicl:4 at 4',
        'all (query) a.aicl:5 at 5',
      ]);
    });

    it('takes a reply for its request, and knows no item elsewhere', async () => {
      const server = await start();
      const uri = uriOf('a.aicl');
      await openFile(server, uri, AICL);
      const [asked] = (await prepare(uri, 6)) ?? [];
      assert.deepEqual(asked && show(asked), 'sum (call) a.aicl:0');
      assert.equal(await prepare(uri, 3), null);
      assert.equal(await prepare(uri, 99), null);
      const empty = uriOf('empty.aicf');
      await openFile(server, empty, '');
      assert.equal(await prepare(empty, 0), null);
      assert.ok(asked);
      assert.deepEqual(await incoming({ ...asked, data: { kind: 'toString' } }), []);
      assert.deepEqual(await outgoing({ ...asked, uri: uriOf('gone.aicl') }), []);
      assert.deepEqual(server.log, []);
    });
  });
});
