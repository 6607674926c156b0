import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  commands,
  Uri,
  window,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
  type Memento,
} from 'vscode';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import { writeAgent } from '../../client/src/agents/write-agent.ts';
import { openSourceLine } from '../../client/src/features/traces/timeline/source-line.ts';
import { activateParley, sampleUri } from './support/parley.ts';

const LOG = { debug: () => undefined, info: () => undefined } as unknown as LogOutputChannel;

const KINDS: readonly (readonly [make: (path: string) => void, reason: string])[] = [
  [path => execFileSync('mkfifo', [path]), 'is a pipe, not a regular file'],
  [path => symlinkSync('/dev/null', path), 'is a device, not a regular file'],
  [path => mkdirSync(path), 'is a folder, not a regular file'],
  [
    path => {
      writeFileSync(path, '');
      truncateSync(path, 5 * 2 ** 30);
    },
    'has 5,368,709,120 bytes, and at most 4,194,304 are read',
  ],
];

describe('a folder whose configuration is no regular file', () => {
  // A folder of its own: VS Code rereads files that other tests opened, and a thread of its server that opens a pipe waits
  // for a writer.
  const folder = sampleUri('irregular');
  const regular = sampleUri('hello.aicf');
  const file = Uri.joinPath(folder, '.vscode/agents.json');
  const environments = Uri.joinPath(folder, '.vscode/parley.env.json');
  const warn = Object.getOwnPropertyDescriptor(window, 'showWarningMessage');
  const folders = Object.getOwnPropertyDescriptor(workspace, 'workspaceFolders');
  const state = { keys: () => [], get: () => undefined, update: () => Promise.resolve() } as Memento;
  const context = { secrets: {}, globalState: state, workspaceState: state } as unknown as ExtensionContext;
  let agents: DesktopAgents;
  let warnings: string[];

  const clear = (): void => {
    for (const { fsPath } of [file, environments]) rmSync(fsPath, { recursive: true, force: true });
  };

  before(async () => {
    await activateParley();
    mkdirSync(dirname(file.fsPath), { recursive: true });
    const value = [{ uri: folder, name: 'irregular', index: 0 }];
    Object.defineProperty(workspace, 'workspaceFolders', { configurable: true, value });
    agents = new DesktopAgents(context, LOG, () => undefined);
    warnings = [];
    const showWarningMessage = (message: string): Promise<undefined> => {
      warnings.push(message);
      return Promise.resolve(undefined);
    };
    Object.defineProperty(window, 'showWarningMessage', { configurable: true, value: showWarningMessage });
  });
  afterEach(() => {
    clear();
    warnings = [];
  });
  after(() => {
    agents.dispose();
    rmSync(folder.fsPath, { recursive: true, force: true });
    if (warn) Object.defineProperty(window, 'showWarningMessage', warn);
    if (folders) Object.defineProperty(workspace, 'workspaceFolders', folders);
  });

  for (const [make, reason] of KINDS) {
    it(`is not read, and the window says that it ${reason}`, async () => {
      clear();
      for (const { fsPath } of [file, environments]) make(fsPath);
      const { agents: infos, problems } = await agents.list();
      assert.deepEqual(
        [
          infos.filter(info => info.file.path === file.path),
          problems.map(({ line, message }) => [line, message]),
        ],
        [[], [[0, `.vscode/agents.json ${reason}; replace it with a text file of at most 4 MiB`]]],
      );
      assert.deepEqual((await agents.environments.list()).problems, [`.vscode/parley.env.json ${reason}`]);
      const place = { type: 'http', url: 'http://127.0.0.1:9/' } as const;
      assert.deepEqual(await writeAgent({ name: 'new', protocol: 'aicf', place }), {
        ok: false,
        message: `The agents file ${reason}.`,
      });
      // Other files are read all the same.
      assert.ok((await workspace.fs.readFile(regular)).length > 0);
    });
  }

  it('opens no pipe and no device as a document, whether a row or a trace names it', async () => {
    for (const [make] of KINDS.slice(0, 2)) {
      clear();
      make(file.fsPath);
      await commands.executeCommand('parley.openAgentsFile', { file });
      await openSourceLine({ uri: file.toString(), line: 0 });
      const open = workspace.textDocuments.filter(each => each.uri.path === file.path);
      assert.deepEqual(open, []);
    }
    const warning = 'The file of this request is a pipe or a device, not a regular file.';
    assert.deepEqual(warnings, [warning, warning]);
  });
});
