import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Uri, window, workspace, type ExtensionContext, type LogOutputChannel, type Memento } from 'vscode';
import type { CallOutcome } from '../../client/src/services/agent-service.ts';
import type { AgentConfig, HttpAgentConfig, StdioAgentConfig } from '../../agents/config/agent-config.ts';
import { AgentConsent } from '../../client/src/agents/agent-consent.ts';
import { DesktopAgents } from '../../client/src/agents/desktop-agents.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { outcomeOf, sampleUri } from './support/parley.ts';

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

describe('the word of the user on an agent', () => {
  const file = sampleUri('.vscode/agents.json');
  const original = Object.getOwnPropertyDescriptor(window, 'showWarningMessage');
  let before: Uint8Array;
  let questions: Question[];
  let buttons: string[];
  let answer: string | undefined;
  let onAsked: () => void;
  let events: TraceEvent[];
  let state: Memento;
  let agents: DesktopAgents;

  const open = (): DesktopAgents =>
    new DesktopAgents(
      {
        secrets: {},
        globalState: {},
        workspaceState: state,
        extensionUri: Uri.file('/parley'),
      } as unknown as ExtensionContext,
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
  const call = (signal = new AbortController().signal): Promise<CallOutcome> =>
    outcomeOf(
      agents.call(
        {
          agent: 'coder',
          title: 'x',
          wireText: REQUEST,
          language: 'aicl',
          warningPolicy: 'hold',
          timeout: undefined,
          source: { uri: 'file:///a.aicl', line: 0 },
        },
        () => undefined,
        signal,
      ),
    );

  beforeEach(async () => {
    before = await workspace.fs.readFile(file);
    questions = [];
    buttons = [];
    events = [];
    answer = undefined;
    onAsked = () => undefined;
    state = memento();
    agents = open();
    Object.defineProperty(window, 'showWarningMessage', {
      configurable: true,
      value: (message: string, options: { modal: boolean; detail: string }, ...items: string[]) => {
        questions.push({ message, isModal: options.modal, detail: options.detail });
        buttons.push(items.join());
        onAsked();
        // Nobody answers before a second request could ask.
        return new Promise(resolve => setTimeout(() => resolve(answer), 50));
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
    answer = 'Start';
    const first = await call();
    assert.equal(first.status, 'ok');
    assert.equal((await call()).text, first.text);
    assert.deepEqual(
      questions,
      Array.from({ length: 2 }, () => ({
        message: "Start this process for the agent 'coder'?",
        isModal: true,
        detail: `node -e ${JSON.stringify(SCRIPT)}\n\nEnvironment: "KEY=v w"\nIt is named in ${file.fsPath} and runs with your rights on this computer. Start it only if you know what it does.`,
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
    assert.deepEqual(new Set(buttons), new Set(['Start']));
  });

  it('is asked for once by two requests at a time', async () => {
    answer = 'Start';
    await write({});
    const [one, other] = await Promise.all([call(), call()]);
    assert.deepEqual([one.status, other.status, questions.length], ['ok', 'ok', 1]);
    assert.equal(one.text, other.text);
  });

  it('is asked for before a variable of the environment goes to an address for the first time', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('[d:[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[i:1]]');
    });
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const remote = (url: string, headers: object): Thenable<void> =>
      write({ type: 'http', url, headers, command: undefined, args: undefined });
    process.env['PARLEY_TEST_TOKEN'] = 'tok-en-of-the-test';
    try {
      const headers = { Authorization: 'Bearer ${env:PARLEY_TEST_TOKEN}' };
      await remote(`${origin}/a`, headers);
      assert.deepEqual(
        [await call(), events, seen],
        [{ status: 'cancelled', text: '', isProtocol: false }, [], []],
      );
      answer = 'Send';
      assert.deepEqual([(await call()).status, (await call()).status], ['ok', 'ok']);
      const question = {
        message: `Send a variable of your environment to ${origin}?`,
        isModal: true,
        detail: `'PARLEY_TEST_TOKEN' in the header 'Authorization'\n\nThe agent 'coder' is named in ${file.fsPath}. Your environment may hold passwords and tokens. Send it if you know that address.`,
      };
      assert.deepEqual(
        [questions, buttons],
        [
          [question, question],
          ['Send', 'Send'],
        ],
      );
      // Another path of the same address is not asked for; another address, header or variable is.
      await remote(`${origin}/b`, headers);
      await call();
      assert.equal(questions.length, 2);
      await remote(`${origin}/\${env:PARLEY_TEST_TOKEN}`, headers);
      answer = undefined;
      await call();
      await remote(origin.replace('127.0.0.1', 'localhost'), headers);
      await call();
      await remote(`${origin}/a`, { ...headers, 'X-Home': '${env:HOME}' });
      await call();
      assert.deepEqual(
        questions.slice(2).map(({ message, detail }) => [message, detail.split('\n\n')[0]]),
        [
          [
            `Send variables of your environment to ${origin}?`,
            "'PARLEY_TEST_TOKEN' in the address\n'PARLEY_TEST_TOKEN' in the header 'Authorization'",
          ],
          [
            `Send a variable of your environment to ${origin.replace('127.0.0.1', 'localhost')}?`,
            "'PARLEY_TEST_TOKEN' in the header 'Authorization'",
          ],
          [
            `Send variables of your environment to ${origin}?`,
            "'PARLEY_TEST_TOKEN' in the header 'Authorization'\n'HOME' in the header 'X-Home'",
          ],
        ],
      );
      assert.deepEqual(seen, Array(3).fill('Bearer tok-en-of-the-test'));
      assert.ok(!JSON.stringify(events).includes('tok-en'));
    } finally {
      delete process.env['PARLEY_TEST_TOKEN'];
      server.closeAllConnections();
      server.close();
    }
  });

  it('is not needed where an agent gets nothing of this computer', async () => {
    await write({
      type: 'http',
      url: 'http://127.0.0.1:1/',
      headers: { 'X-Plain': 'v' },
      command: undefined,
      args: undefined,
    });
    assert.equal((await call()).status, 'error');
    assert.deepEqual(questions, []);
  });

  it('is asked for with the paths that run, and with other variables as they are written', async () => {
    await write({ args: ['${demo:clerk}', '${workspaceFolder}/a.js', '${secret:K}'] });
    await call();
    assert.equal(
      questions[0]?.detail.split('\n')[0],
      `node /parley/dist/cli.js ${Uri.joinPath(file, '../..').fsPath}/a.js \${secret:K}`,
    );
  });

  it('is not acted upon where the request was stopped meanwhile', async () => {
    answer = 'Start';
    await write({});
    const stop = new AbortController();
    onAsked = () => stop.abort();
    assert.deepEqual(
      [await call(stop.signal), events],
      [{ status: 'cancelled', text: '', isProtocol: false }, []],
    );
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

describe('what is remembered of the word of the user', () => {
  const common = { name: 'coder', inputs: new Map(), span: { start: 0, end: 0 } };
  const local = (more: Partial<StdioAgentConfig> = {}): StdioAgentConfig => ({
    ...common,
    type: 'stdio',
    protocol: 'aicl',
    command: 'node',
    args: ['a.js'],
    env: new Map([['K', 'v']]),
    cwd: '/work',
    ...more,
  });
  const remote = (more: Partial<HttpAgentConfig> = {}): HttpAgentConfig => ({
    ...common,
    type: 'http',
    protocol: 'aicl',
    url: 'http://127.0.0.1:1/',
    headers: new Map([['X-Key', '${env:KEY}']]),
    tls: {},
    ...more,
  });
  /** Asks for each agent of a file in turn, always with the same answer; tells which of them were asked about. */
  const askFor = async (
    each: readonly (readonly [file: string, agent: AgentConfig])[],
  ): Promise<readonly string[]> => {
    const asked: string[] = [];
    const consent = new AgentConsent(memento(), question => {
      asked.push(question.detail.split('\n').slice(0, -1).join('\n'));
      return Promise.resolve(true);
    });
    for (const [file, agent] of each) assert.equal(await consent.get(file, agent, text => text), true);
    return asked;
  };

  it('is all that decides what runs, and shown', async () => {
    const changed: readonly StdioAgentConfig[] = [
      local({ command: 'deno' }),
      local({ args: ['b.js'] }),
      local({ env: new Map([['K', 'w']]) }),
      local({ cwd: '/home' }),
    ];
    const all = [local(), ...changed].map(agent => ['/a.json', agent] as const);
    const asked = await askFor([...all, ['/b.json', local()], ...all]);
    assert.deepEqual(asked, [
      'node a.js\n\nFolder: /work\nEnvironment: K=v',
      'deno a.js\n\nFolder: /work\nEnvironment: K=v',
      'node b.js\n\nFolder: /work\nEnvironment: K=v',
      'node a.js\n\nFolder: /work\nEnvironment: K=w',
      'node a.js\n\nFolder: /home\nEnvironment: K=v',
      'node a.js\n\nFolder: /work\nEnvironment: K=v',
    ]);
  });

  it('is each variable that requests send to an agent, asked once', async () => {
    const asked: string[] = [];
    let isAllowed = false;
    const consent = new AgentConsent(memento(), question => {
      asked.push(`${question.text} ${question.button}\n${question.detail}`);
      return Promise.resolve(isAllowed);
    });
    const ask = (names: readonly string[], receiver = 'http://a'): Promise<boolean> =>
      consent.getVariables(names, 'coder', receiver);
    assert.equal(await ask(['A', 'B']), false);
    isAllowed = true;
    assert.equal(await ask(['A', 'B']), true);
    assert.equal(await ask(['B']), true);
    assert.equal(await ask(['A', 'C']), true);
    assert.equal(await ask(['A'], 'http://b'), true);
    const end = "The request is for the agent 'coder'. Your environment may hold passwords and tokens. Send";
    const both = `Send variables of your environment to http://a? Send\n'A' in the request\n'B' in the request\n\n${end} them if you know that agent.`;
    assert.deepEqual(asked, [
      both,
      both,
      `Send a variable of your environment to http://a? Send\n'C' in the request\n\n${end} it if you know that agent.`,
      `Send a variable of your environment to http://b? Send\n'A' in the request\n\n${end} it if you know that agent.`,
    ]);
  });

  it('is who gets which variables of the environment, by which file', async () => {
    const all = [
      ['/a.json', remote()],
      ['/b.json', remote()],
      ['/a.json', remote({ url: 'http://127.0.0.1:2/' })],
      ['/a.json', remote({ headers: new Map([['X-Key', '${env:OTHER}']]) })],
      ['/a.json', remote({ tls: { allowSelfSigned: true } })],
      ['/a.json', remote({ oauth: { clientId: '${env:KEY}' } })],
    ] as const;
    assert.equal((await askFor([...all, ...all])).length, all.length);
  });
});
