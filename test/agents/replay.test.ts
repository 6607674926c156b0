import { OPEN } from './support/open-options.ts';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import type { AgentConfig } from '../../agents/config/agent-config.ts';
import { parseAgentsFile } from '../../agents/config/agents-file.ts';
import type { Variables } from '../../agents/config/variables.ts';
import { startDemoAgents, type DemoAgents } from '../../agents/demo/start.ts';
import type { Outgoing } from '../../agents/connection.ts';
import { openAgent } from '../../agents/open-agent.ts';
import { replayCalls, type ReplayOptions } from '../../cli/src/traces/replay.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { diffTraces } from '../../trace/diff/diff.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { readDiffSide } from '../../trace/diff/diff-side.ts';
import { printDiff } from '../../trace/diff/diff-words.ts';
import { TraceFold } from '../../trace/fold/fold.ts';

const REQUESTS: Readonly<Record<string, { readonly agent: object; readonly text: string }>> = {
  toolbox: { agent: { protocol: 'aicf' }, text: 'CALL|math.add|19|23' },
  analyst: {
    agent: { protocol: 'aicl' },
    text: '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:fail.always],[s:params]:[d:]]',
  },
  storyteller: { agent: { protocol: 'agent-api' }, text: '{"input":"a fox"}' },
  oracle: { agent: { protocol: 'responses' }, text: '{"model":"demo","input":"a fox"}' },
  librarian: {
    agent: { protocol: 'mcp' },
    text: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
  },
  courier: { agent: { protocol: 'aio' }, text: '{"method":"courier::help","params":{}}' },
  herald: {
    agent: { protocol: 'a2a' },
    text: '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"hello"}]}}}',
  },
};

/** Events of recorded calls, as a source of what is replayed. */
class Recording {
  readonly events: TraceEvent[] = [];

  get fold(): TraceFold {
    const fold = new TraceFold();
    for (const event of this.events) fold.add(event);
    return fold;
  }

  payload = (call: string): Promise<readonly (HeadEvent | WireEvent)[]> =>
    Promise.resolve(
      this.events
        .filter(event => event.type === 'head' || event.type === 'wire')
        .filter(each => each.call === call),
    );
}

/** An agent that repeats what it was asked with. */
interface Echo {
  readonly agent: AgentConfig;
  readonly got: { readonly authorization: string | undefined; readonly body: string }[];
  close(): Promise<void>;
}

async function startEcho(): Promise<Echo> {
  const got: { authorization: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    const parts: Buffer[] = [];
    request.on('data', (chunk: Buffer) => parts.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      got.push({ authorization, body });
      response.end(`OK|${body}, ${authorization}`);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const headers = { Authorization: 'Bearer ${secret:token}' };
  const row = { protocol: 'aicf', type: 'http', url, headers };
  const agent = parseAgentsFile(JSON.stringify({ agents: { echo: row } })).agents.get('echo');
  assert.ok(agent);
  return {
    agent,
    got,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

describe('replayCalls', () => {
  let demo: DemoAgents;
  let agents: ReadonlyMap<string, AgentConfig>;
  const variables: Variables = {
    env: () => undefined,
    input: () => undefined,
    secret: name => (name === 'token' ? 'a-secret-token' : undefined),
    demo: name => demo.addresses.get(name),
    workspaceFolder: () => undefined,
  };

  before(async () => {
    demo = await startDemoAgents();
    const rows = Object.entries(REQUESTS).map(
      ([name, { agent }]) => [name, { ...agent, type: 'http', url: `\${demo:${name}}` }] as const,
    );
    agents = parseAgentsFile(JSON.stringify({ agents: Object.fromEntries<object>(rows) })).agents;
  });
  after(() => demo.close());

  function find(name: string): AgentConfig {
    const config = agents.get(name);
    assert.ok(config, name);
    return config;
  }

  async function record(
    recording: Recording,
    config: AgentConfig,
    wireText: string,
    more: Partial<Outgoing> = {},
  ): Promise<void> {
    const opened = await openAgent(config, variables, event => recording.events.push(event), {
      ...OPEN,
      warningPolicy: 'send',
    });
    assert.ok(opened.ok);
    const quiet = {
      head: () => undefined,
      bytes: () => undefined,
      note: () => undefined,
      progress: () => undefined,
    };
    const request = { wireText, title: config.name, warningPolicy: 'send', ...more } as const;
    await opened.send(request, quiet, new AbortController().signal).reply;
    await opened.close();
  }

  /** What a replay says, a line a call; notes first. */
  async function replayed(
    recording: Recording,
    agentOf: ReplayOptions['agentOf'],
    more: Partial<ReplayOptions> = {},
    signal = new AbortController().signal,
  ): Promise<readonly string[]> {
    const lines: string[] = [];
    const outcome = await replayCalls(
      recording.fold.trees(),
      recording.payload,
      {
        ...OPEN,
        agentOf,
        variables,
        secretOf: () => undefined,
        secretAdvice: ({ name }) => `say what ${name} is`,
        gaps: 'none',
        emit: () => undefined,
        note: ({ call }, text) => lines.push(`note ${call.agent}: ${text}`),
        ...more,
      },
      signal,
    );
    if (!outcome.ok) return [outcome.message];
    const refused = outcome.plan.refused.map(
      ({ recorded, reason }) => `refused ${recorded.call.agent}: ${reason}`,
    );
    const diff = [...printDiff(outcome.replayed.diff)].map(line =>
      line.replace(/ {2}[^ ]+ m?s(?: → [^ ]+ m?s)?$/, ''),
    );
    return [...lines, ...refused, ...diff];
  }

  for (const [name, { text }] of Object.entries(REQUESTS))
    it(`sends what ${name} was asked again and gets the same`, async () => {
      const recording = new Recording();
      await record(recording, find(name), text);
      const emitted: TraceEvent[] = [];
      assert.deepEqual(await replayed(recording, () => find(name), { emit: event => emitted.push(event) }), [
        `  ${name}  ${name}`,
        'The traces are the same: 1 call',
      ]);
      const ids = [...recording.events, ...emitted].flatMap(event =>
        event.type === 'call' ? [event.trace] : [],
      );
      assert.equal(new Set(ids).size, 2);
      assert.ok(emitted.some(event => event.type === 'end'));
      const [first] = recording.events;
      assert.ok(first);
      const at = new Date(first.at).toISOString();
      assert.deepEqual(
        emitted.flatMap(event =>
          event.type === 'note' && event.text.includes('replay') ? [event.text] : [],
        ),
        [`A replay of the call '${first.call}', which was recorded at ${at}`],
      );
    });

  it('asks agents of other protocols by conversion, and compares what replies say', async () => {
    const aicf = new Recording();
    await record(aicf, find('toolbox'), 'CALL|math.add|19|23');
    assert.deepEqual(await replayed(aicf, () => find('librarian')), [
      '  librarian  toolbox',
      'The traces are the same: 1 call',
    ]);
    const mcp = new Recording();
    await record(
      mcp,
      find('librarian'),
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.add","arguments":{"a":1,"b":2}}}',
    );
    assert.deepEqual(await replayed(mcp, () => find('analyst')), [
      '~ analyst  librarian  another reply, another outcome (ok → error 3001)',
      '1 of 1 call differs: 1 changed',
    ]);
  });

  it('sends the requests of the caller alone, in order, and refuses a secret without a value', async () => {
    const echo = await startEcho();
    const recording = new Recording();
    for (const text of ['CALL|a', 'CALL|b|a-secret-token', 'CALL|c'])
      await record(recording, echo.agent, text);
    const [first, second, third] = recording.events.filter(event => event.type === 'call');
    assert.ok(first && second && third);
    // The third one was made by the agent while it served the first.
    recording.events[recording.events.indexOf(third)] = { ...third, parent: first.call, trace: first.trace };
    const observed: TraceEvent[] = [];
    assert.deepEqual(await replayed(recording, () => echo.agent, { emit: event => observed.push(event) }), [
      "refused echo: the secret 'token' was in its request at line 1, character 8, and recordings contain no secrets: say what token is",
      '  echo  echo',
      '- echo  echo  (only in the first)',
      '1 of 2 calls differs: 1 only in the first',
    ]);
    const said = observed.flatMap(event =>
      event.type === 'wire' && 'text' in event.bytes ? [event.bytes.text] : [],
    );
    assert.equal(said.join(''), 'CALL|aOK|CALL|a, [redacted]');
    assert.equal(echo.got.at(-1)?.authorization, 'Bearer a-secret-token');
    await echo.close();
  });

  it('fills in secrets that stood in requests, which neither recording holds', async () => {
    const echo = await startEcho();
    const recording = new Recording();
    const secrets = [{ value: 'p|pe "1"', template: '{{secret long}}' }];
    const bearer = [{ value: 'bear-1', template: '{{$env BEAR}}' }];
    await record(recording, echo.agent, 'CALL|a|{"k":"p\\u007cpe \\u00221\\u0022"}', { secrets });
    await record(recording, echo.agent, 'CALL|b|AUTH:Bearer bear-1', { secrets: bearer });
    await record(recording, echo.agent, 'CALL|c|AUTH:unnamed-1');
    // An agent of AICF is asked what it understands, too.
    const listCalls = (): readonly string[] =>
      echo.got.map(({ body }) => body).filter(body => body.startsWith('CALL'));
    const sent = listCalls();
    const observed: TraceEvent[] = [];
    const values = new Map([
      ['secret long', 'p|pe "1"'],
      ['env BEAR', 'bear-1'],
      ['unnamed echo:9', 'unnamed-1'],
    ]);
    const asked = new Set<string>();
    const secretOf = ({ kind, name }: { kind: string; name: string }): string | undefined => {
      asked.add(`${kind} ${name}`);
      return values.get(`${kind} ${name}`);
    };
    const options = { emit: (event: TraceEvent) => observed.push(event), secretOf };
    assert.deepEqual(await replayed(recording, () => echo.agent, options), [
      "note echo: Filled in: the secret 'long'",
      "note echo: Filled in: the environment variable 'BEAR'",
      'note echo: Filled in: a secret of 9 bytes',
      '  echo  echo',
      '  echo  echo',
      '  echo  echo',
      'The traces are the same: 3 calls',
    ]);
    assert.deepEqual([...asked], [...values.keys()]);
    assert.deepEqual(listCalls(), [...sent, ...sent]);
    for (const events of [recording.events, observed])
      assert.doesNotMatch(JSON.stringify(events), /p.{0,4}pe|bear-1|unnamed-1/);
    // The new recording can be sent again as the first one can.
    const marks = [recording.events, observed].map(events =>
      events.flatMap(event =>
        event.type === 'wire' && event.direction === 'out' && event.redacted ? [event.redacted] : [],
      ),
    );
    assert.deepEqual(marks[0], [
      [{ at: 13, length: 23, template: '{{secret long}}' }],
      [{ at: 0, length: 13, template: 'Bearer {{$env BEAR}}' }],
      [{ at: 0, length: 9 }],
    ]);
    assert.deepEqual(marks[1], marks[0]);
    await echo.close();
  });

  it('makes of each recorded trace one trace that is the same as a whole', async () => {
    const recording = new Recording();
    for (const [index, name] of ['toolbox', 'librarian', 'toolbox', 'courier'].entries()) {
      const from = recording.events.length;
      await record(recording, find(name), REQUESTS[name]?.text ?? '');
      // All but the last were recorded as one trace.
      const [call] = recording.events.slice(from);
      const [first] = recording.events;
      assert.ok(call?.type === 'call' && first?.type === 'call');
      if (index < 3) recording.events[from] = { ...call, trace: first.trace, names: [] };
    }
    const observed = new Recording();
    await replayed(recording, ({ recorded }) => find(recorded.call.agent), {
      emit: event => observed.events.push(event),
    });
    const sides = [recording, observed].map(({ fold, payload }) => ({
      protocols: ALL_PROTOCOLS,
      trees: fold.trees(),
      payload,
    }));
    const shapes = sides.map(({ trees }) => trees.map(({ roots }) => roots.map(({ call }) => call.agent)));
    assert.deepEqual(shapes[1], [['toolbox', 'librarian', 'toolbox'], ['courier']]);
    assert.deepEqual(shapes[1], shapes[0]);
    const [before, after] = await Promise.all(sides.map(side => readDiffSide(side, text => text)));
    assert.ok(before && after);
    assert.deepEqual(diffTraces(before, after).counts, { same: 4, changed: 0, added: 0, removed: 0 });
    const notes = sides[1]?.trees.flatMap(({ roots }) => roots.map(root => root.notes.length));
    assert.deepEqual(notes, [1, 1, 1, 1]);
  });

  it('stops: what is left is not sent, with the recorded gaps too', async () => {
    const recording = new Recording();
    for (let count = 0; count < 3; count++) await record(recording, find('toolbox'), 'CALL|math.add|1|2');
    const last = recording.events.findLastIndex(event => event.type === 'call');
    // The last one was recorded an hour later.
    recording.events.splice(
      last,
      Infinity,
      ...recording.events.slice(last).map(event => ({ ...event, at: event.at + 3_600_000 })),
    );
    const stopping = new AbortController();
    let ends = 0;
    const emit = (event: TraceEvent): void => {
      if (event.type === 'end' && ++ends === 2) stopping.abort();
    };
    assert.deepEqual(
      await replayed(recording, () => find('toolbox'), { gaps: 'recorded', emit }, stopping.signal),
      [
        '  toolbox  toolbox',
        '  toolbox  toolbox',
        '- toolbox  toolbox  (only in the first)',
        '1 of 3 calls differs: 1 only in the first',
      ],
    );
  });

  it('sends nothing where an agent cannot be opened', async () => {
    const recording = new Recording();
    await record(recording, find('toolbox'), 'CALL|math.add|1|2');
    const broken = parseAgentsFile(
      '{"agents":{"x":{"protocol":"aicf","type":"http","url":"http://127.0.0.1:1/","headers":{"a":"${secret:none}"}}}}',
    ).agents.get('x');
    assert.ok(broken);
    const observed: TraceEvent[] = [];
    const [message] = await replayed(recording, () => broken, { emit: event => observed.push(event) });
    assert.match(message ?? '', /none/);
    assert.deepEqual(observed, []);
  });
});
