import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';
import { resolveAgent } from '../../../agents/config/resolve-agent.ts';
import { connectAgent } from '../../../agents/all.ts';
import type { Reply } from '../../../agents/connection.ts';
import type { AgentQuestions } from '../../../core/message/message.ts';
import { DEMO_PROCESS, startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { ROOT } from '../../../scripts/root.ts';
import { CLI } from '../../support/built-cli.ts';

const SAMPLES = join(ROOT, 'samples');

interface Heard {
  readonly reply: Reply;
  readonly progress: readonly string[];
  readonly notes: readonly string[];
}

/** What the storyteller says in the end, without ids and times. */
const STORY = `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:team],
  [s:msg_type]:[s:result],
  [s:reasoning]:[s:Somebody wants to know: "What is the sky like?". I look at the sky first.],
  [s:data]:[s:You asked: "What is the sky like?". Here is the sky over Lisbon, in one picture.],
  [s:metadata]:[d:
    [s:id]:[s:response],
    [s:created_at]:[i:0],
    [s:completed_at]:[i:0],
    [s:usage]:[d:[s:input_tokens]:[i:21],[s:output_tokens]:[i:42]],
    [s:output]:[l:
      [d:[s:id]:[s:msg],[s:type]:[s:reasoning]],
      [d:
        [s:id]:[s:msg],
        [s:type]:[s:plugin_call],
        [s:call_id]:[s:call_1],
        [s:name]:[s:weather.forecast],
        [s:arguments]:[s:{"city":"Lisbon","days":1}]
      ],
      [d:
        [s:id]:[s:msg],
        [s:type]:[s:plugin_call_output],
        [s:call_id]:[s:call_1],
        [s:name]:[s:weather.forecast],
        [s:output]:[s:{"city":"Lisbon","unit":"celsius","days":[{"day":1,"sky":"clear","high":16,"low":6}\\u005D}]
      ],
      [d:
        [s:id]:[s:msg],
        [s:type]:[s:message],
        [s:role]:[s:assistant]
      ],
      [d:
        [s:id]:[s:msg],
        [s:type]:[s:message],
        [s:role]:[s:assistant],
        [s:content]:[l:
          [d:
            [s:type]:[s:image],
            [s:data]:[s:…],
            [s:mimeType]:[s:image/png]
          ]
        ]
      ]
    ]
  ]
]
`;

/** A user who agrees to everything. */
const WILLING: AgentQuestions = {
  fillForm: () => Promise.resolve({ action: 'accept', content: { days: 3 } }),
  openAddress: () => Promise.resolve('accept'),
  writeText: ({ messages }) => Promise.resolve(`I was told: ${messages[0]?.text ?? ''}`),
  approve: () => Promise.resolve(true),
  listRoots: () => Promise.resolve([]),
};

describe('the team of demo agents, asked by the samples', () => {
  let demo: DemoAgents;
  before(async () => {
    demo = await startDemoAgents();
  });
  after(() => demo.close());

  /** Sends the requests of a sample that are for an agent, in order. */
  async function ask(name: 'team.aicf' | 'team.aicl', agent: string): Promise<readonly Heard[]> {
    const id = name === 'team.aicf' ? 'aicf' : 'aicl';
    const file = parseAgentsFile(readFileSync(join(SAMPLES, '.vscode/agents.json'), 'utf8'));
    const config = file.agents.get(agent);
    assert.ok(config);
    const none = (): undefined => undefined;
    const resolution = await resolveAgent(config, {
      env: none,
      input: none,
      secret: none,
      workspaceFolder: () => SAMPLES,
      demo: wanted => (wanted === DEMO_PROCESS ? CLI : demo.addresses.get(wanted)),
    });
    assert.ok(resolution.ok, resolution.ok ? '' : resolution.message);
    const connection = connectAgent(resolution.agent);
    const asked = askIn(connection, {
      protocols: ALL_PROTOCOLS,
      language: id,
      tools: new KnownTools(),
      warningPolicy: 'hold',
    });
    const observed: Heard[] = [];
    const document = LANGUAGE_SUPPORT[id].open(readFileSync(join(SAMPLES, name), 'utf8'), DEFAULT_SETTINGS);
    for (const request of document.requests()) {
      if (request.directives.agent !== agent) continue;
      const progress: string[] = [];
      const notes: string[] = [];
      const reply = await asked.send(
        { wireText: request.wireText, questions: WILLING },
        {
          head: () => undefined,
          bytes: () => undefined,
          note: text => void notes.push(text),
          progress: text => void progress.push(text),
        },
        new AbortController().signal,
      );
      assert.equal(progress.join(''), reply.text);
      observed.push({ reply, progress, notes });
    }
    await connection.close();
    return observed;
  }

  const texts = (observed: readonly Heard[]): readonly string[] => observed.map(({ reply }) => reply.text);

  it('librarian: tools, a tool, and questions to the user and to a model', async () => {
    const observed = await ask('team.aicf', 'librarian');
    assert.deepEqual(texts(observed), [
      'TOOLS|text.reverse|math.add|weather.forecast|image.gradient|slow.count|fail.always|book.borrow|book.review\n',
      'TOOL|weather.forecast|A forecast for the next days, made up from the name of the city|city:string|days:integer?\n',
      observed[2]?.reply.text,
      'OK|Emma is yours for 3 days\n',
      'OK|A critic says: I was told: Review Emma in one sentence.\n',
    ]);
    assert.match(observed[2]?.reply.text ?? '', /^OK\|\{"city":"Lisbon","unit":"celsius",/);
  });

  it('librarian: a tool call of AICL', async () => {
    const [observed] = await ask('team.aicl', 'librarian');
    assert.match(observed?.reply.text ?? '', /\[s:data\]:\[s:1 2 3\]/);
  });

  it('clerk, a process for each request', async () => {
    assert.deepEqual(texts(await ask('team.aicf', 'clerk')), ['OK|{"sum":23}\n']);
  });

  it('courier and curator', async () => {
    assert.deepEqual(
      [texts(await ask('team.aicf', 'courier')), texts(await ask('team.aicf', 'curator'))],
      [['OK|{"sum":42}\n'], ['OK|Hello\n']],
    );
  });

  it('chain: A asks B, and B asks C', async () => {
    assert.deepEqual(texts(await ask('team.aicf', 'chain')), [
      'OK|chain-a asked on. chain-b asked on. chain-c says: 42, if the question was "What is six times seven?"\n',
    ]);
  });

  it('loop: six calls pass, the seventh is refused', async () => {
    const [observed] = await ask('team.aicf', 'loop');
    assert.deepEqual(
      [observed?.reply.status, observed?.reply.code, observed?.reply.message],
      ['error', '-33007', 'Recursion limit reached: depth 6, limit 5. loop-a made no further call'],
    );
  });

  it('storyteller: thoughts, a call, a text and an image in one message that grows', async () => {
    const [observed] = await ask('team.aicl', 'storyteller');
    const head =
      '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:team],\n  [s:msg_type]:[s:result],\n  [s:reasoning]:[s:Somebody ';
    assert.deepEqual(observed?.progress.slice(0, 3), [head, 'wants ', 'to ']);
    const text = observed?.reply.text.replace(/_[0-9a-f-]{36}/g, '').replace(/\[i:\d{10}\]/g, '[i:0]');
    assert.equal(text?.replace(/iVBOR[^\]]+/, '…'), STORY);
  });

  it('herald: a task whose artifact grows', async () => {
    const [observed] = await ask('team.aicl', 'herald');
    const head =
      '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:team-news],\n  [s:msg_type]:[s:result],\n  [s:data]:[s:Hear ';
    assert.deepEqual(observed?.progress.slice(0, 3), [head, 'ye! ', 'The ']);
    assert.equal(observed.reply.text, `${head}ye! The bridge is open again]\n]\n`);
  });

  it('oracle: a riddle, and what it says when it is given leave', async () => {
    const observed = await ask('team.aicl', 'oracle');
    const data = texts(observed).map(text =>
      [...text.matchAll(/\[s:(?:data|name|type)\]:\[s:(.*)\],$/gm)].map(([, value]) => value),
    );
    assert.deepEqual(data, [
      ['What you look for is in the line above the one that you read.'],
      ['mcp_approval_request', 'look_ahead', 'It will rain, and then it will not.'],
    ]);
    assert.deepEqual(observed[1]?.notes, [
      'session: Responses has no place for a session',
      "Approval to run 'look_ahead' was given",
    ]);
  });
});

describe('parley demo --stdio', () => {
  it('answers each line when it arrives, so that the mode may be lines as well', async () => {
    const child = spawn(process.execPath, [CLI, 'demo', '--stdio']);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (method: string): Promise<unknown> => {
      child.stdin.write(`{"id":1,"method":"clerk::${method}"}\n`);
      return JSON.parse(String((await lines.next()).value));
    };
    const said = [await ask('tools.nothing'), await ask('input')] as {
      readonly error: { readonly code: number };
    }[];
    assert.deepEqual(
      said.map(each => each.error.code),
      [-32601, -32602],
    );
    child.stdin.end();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('is an AIO agent in the one-shot mode', async () => {
    const child = spawn(process.execPath, [CLI, 'demo', '--stdio']);
    child.stdin.end(
      '{"jsonrpc":"2.0","id":1,"method":"clerk::help"}\n{"id":2,"method":"clerk::tools.call","params":{"tool":"math.add","args":{"a":1,"b":2}},"trace_id":"AIO-TR-20260101-0001"}\n',
    );
    let out = '';
    for await (const piece of child.stdout) out += String(piece);
    const [help, call] = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { readonly result?: { readonly type: string } });
    assert.deepEqual(
      [help?.result?.type, call],
      ['stdio', { jsonrpc: '2.0', id: 2, result: { sum: 3 }, trace_id: 'AIO-TR-20260101-0001' }],
    );
  });
});
