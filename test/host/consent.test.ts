import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { window, workspace, type ExtensionContext, type LogOutputChannel, type Memento } from 'vscode';
import type { CallOutcome } from '../../client/src/agent-service.ts';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import type { TraceEvent } from '../../protocol/src/trace/events.ts';
import { sampleUri } from './support/parley.ts';

const LOG = { debug: () => undefined, info: () => undefined } as unknown as LogOutputChannel;
const REQUEST =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:data_query],[s:query]:[s:x]]';

/** Answers each line with its process id. */
const SCRIPT =
  "require('node:readline').createInterface({input:process.stdin}).on('line',()=>console.log('[d:[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[i:'+process.pid+']]'))";

/** What a window keeps for its workspace. */
function memento(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  } as Memento;
}

interface Question {
  readonly message: string;
  readonly isModal: boolean;
  readonly detail: string;
}

describe('the process of an agent', () => {
  const file = sampleUri('.vscode/agents.json');
  const original = Object.getOwnPropertyDescriptor(window, 'showWarningMessage');
  let before: Uint8Array;
  let questions: Question[];
  let answer: string | undefined;
  let events: TraceEvent[];
  let state: Memento;
  let agents: DesktopAgents;

  const open = (): DesktopAgents =>
    new DesktopAgents(
      { secrets: {}, globalState: {}, workspaceState: state } as unknown as ExtensionContext,
      LOG,
      event => events.push(event),
    );
  const write = (agent: object): Thenable<void> =>
    workspace.fs.writeFile(
      file,
      new TextEncoder().encode(
        JSON.stringify({
          agents: {
            coder: { protocol: 'aicl', type: 'stdio', command: 'node', args: ['-e', SCRIPT], ...agent },
          },
        }),
      ),
    );
  const call = (): Promise<CallOutcome> =>
    agents.call(
      {
        agent: 'coder',
        title: 'x',
        wireText: REQUEST,
        language: 'aicl',
        doubtful: 'hold',
        timeout: undefined,
        source: { uri: 'file:///a.aicl', line: 0 },
      },
      { started: () => undefined, progress: () => undefined },
      new AbortController().signal,
    );

  beforeEach(async () => {
    before = await workspace.fs.readFile(file);
    questions = [];
    events = [];
    answer = undefined;
    state = memento();
    agents = open();
    Object.defineProperty(window, 'showWarningMessage', {
      configurable: true,
      value: (message: string, options: { modal: boolean; detail: string }, ...items: string[]) => {
        questions.push({ message, isModal: options.modal, detail: options.detail });
        assert.deepEqual(items, ['Start it']);
        return Promise.resolve(answer);
      },
    });
  });

  afterEach(async () => {
    if (original) Object.defineProperty(window, 'showWarningMessage', original);
    agents.dispose();
    await workspace.fs.writeFile(file, before);
  });

  it('is shown and confirmed the first time, and again when it changes', async () => {
    await write({ env: { KEY: 'v w' } });
    assert.deepEqual([await call(), events], [{ status: 'cancelled', text: '', isProtocol: false }, []]);
    answer = 'Start it';
    const first = await call();
    assert.equal(first.status, 'ok');
    assert.equal((await call()).text, first.text);
    assert.deepEqual(
      questions,
      Array.from({ length: 2 }, () => ({
        message: "Start this process for the agent 'coder'?",
        isModal: true,
        detail: `node -e ${JSON.stringify(SCRIPT)}\n\nEnvironment: "KEY=v w"\nIt is named in ${file.fsPath} and runs with your rights on this computer. Start it if you know what it does.`,
      })),
    );
    // Another window of the same workspace knows the answer.
    agents.dispose();
    agents = open();
    assert.equal((await call()).status, 'ok');
    assert.equal(questions.length, 2);
    for (const change of [{ env: { KEY: 'v' } }, { args: ['-e', SCRIPT, 'more'] }, { cwd: '/' }]) {
      await write(change);
      assert.equal((await call()).status, 'ok');
    }
    assert.equal(questions.length, 5);
  });

  it('is asked for once by two requests at a time', async () => {
    answer = 'Start it';
    await write({});
    const [one, other] = await Promise.all([call(), call()]);
    assert.deepEqual([one.status, other.status, questions.length], ['ok', 'ok', 1]);
    assert.equal(one.text, other.text);
  });

  it('is listed with its command line', async () => {
    await write({ args: ['a b', '${secret:K}'] });
    const { agents: infos } = await agents.list();
    assert.deepEqual(
      infos.map(({ name, address }) => [name, address]),
      [['coder', 'node "a b" ${secret:K}']],
    );
  });
});
