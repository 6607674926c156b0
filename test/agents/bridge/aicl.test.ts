import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, before, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { message } from '../../../core/message/message.ts';
import { textIn, textValue } from '../../../core/values/value.ts';
import { readAiclPieces } from '../../../language/values/aicl-reader.ts';
import { splitMessage } from '../../../protocols/aicl/chunks.ts';
import { serveAicl } from '../../../protocols/aicl/serve.ts';
import type { CallerReply, ServedAgent } from '../../../protocols/serving/serving.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { agentAt, sendTo } from '../support/send.ts';
import { agentOf, bridge, notesOf, showTrees, type TestBridge, startListener } from './support.ts';

/** A message of a session. */
function aicl(type: string, fields: string, session = 's1'): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}]${fields}]`;
}

const call = (tool: string, params: string): string =>
  aicl('tool_call', `,[s:tool]:[s:${tool}],[s:params]:[d:${params}]`);
const task = (text: string, constraints = ''): string =>
  aicl('task_request', `,[s:task]:[s:${text}],[s:constraints]:[d:${constraints}]`);
const query = (text: string): string => aicl('data_query', `,[s:query]:[s:${text}]`);
const result = (fields: string): string => aicl('result', `,${fields}`);
const error = (code: number, reason: string, detail: string, session = 's1'): string =>
  aicl('error', `,[s:code]:[i:${code}],[s:reason]:[s:${reason}],[s:detail]:[s:${detail}]`, session);

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function post(address: string, body: string): Promise<Answer> {
  const response = await fetch(address, { method: 'POST', body });
  return { status: response.status, body: await response.text() };
}

describe('an agent served as LightAICL', () => {
  let demo: DemoAgents;
  const open: (() => Promise<void>)[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(async () => {
    await Promise.all(open.map(close => close()));
    await demo.close();
  });

  const serve = async (protocol: ProtocolName, name: string, more: object = {}): Promise<TestBridge> => {
    const url = (demo.addresses.get(name) ?? name).replace(/aicf$/, protocol === 'json-rpc' ? 'rpc' : 'aicf');
    const bridged = await bridge(agentOf({ protocol, type: 'http', url, ...more }, name), 'aicl');
    open.push(() => bridged.close());
    return bridged;
  };

  const startAgent = async (listener: RequestListener): Promise<string> => {
    const agent = await startListener(listener);
    open.push(agent.close);
    return agent.address;
  };

  const SUM = call('math.add', '[s:a]:[i:1],[s:b]:[i:2]');
  const SKY = task('Tell me of the sky');
  for (const [protocol, name, request, body] of [
    ['aicf', 'toolbox', SUM, /^\[d:.*\[s:data\]:\[d:\[s:sum\]:\[i:3\]\]\]$/],
    ['json-rpc', 'toolbox', SUM, /\[s:data\]:\[d:\[s:sum\]:\[i:3\]\]\]$/],
    ['mcp', 'librarian', SUM, /\[s:data\]:\[d:\[s:sum\]:\[i:3\]\]\]$/],
    ['aicl', 'analyst', call('text.reverse', '[s:text]:[s:abc]'), /\[s:data\]:\[s:cba\]/],
    ['agent-api', 'storyteller', SKY, /\[s:stream_id\]:\[s:reply-[0-9a-f]{8}_1\/2\]\]\n\[d:/],
    ['responses', 'oracle', SKY, /\[s:stream_id\]:\[s:reply-[0-9a-f]{8}_1\/2\]\]\n\[d:/],
    ['aio', 'courier', call('text.reverse', '[s:text]:[s:abc]'), /\[s:data\]:\[s:cba\]\]$/],
    ['a2a', 'herald', SKY, /\[s:is_final\]:\[b:true\]\]$/],
  ] as const)
    it(`answers for ${name} of ${protocol}, also to Parley's own client`, async () => {
      const bridged = await serve(protocol, name);
      const answer = await post(bridged.address, request);
      assert.equal(answer.status, 200);
      assert.match(answer.body, body);
      const connection = connectAgent(agentAt('aicl', bridged.address));
      const { reply, observed } = await sendTo(connection, request);
      await connection.close();
      assert.deepEqual([reply.status, observed.filter(each => each.startsWith('note'))], ['ok', []]);
    });

  it('answers the messages of a request in order, each as soon as its answer is there, in one tree', async () => {
    const bridged = await serve('aicf', 'toolbox');
    const body = [SUM, call('slow.count', '[s:seconds]:[i:1]'), call('text.reverse', '[s:text]:[s:ab]')].join(
      '\n',
    );
    const response = await fetch(bridged.address, { method: 'POST', body });
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece).toString());
    assert.match(pieces[0] ?? '', /\[i:3\]\]\]$/);
    assert.match(
      pieces.join(''),
      /\[i:3\]\]\]\n.*\[s:1\].*_1\/2\]\]\n.*_2\/2\],\[s:is_final\]:\[b:true\]\]\n.*\[s:ba\]\]$/s,
    );
    assert.match(
      showTrees(bridged.events).join('\n'),
      /math\.add \(toolbox, ok\).*slow\.count \(toolbox, ok\)/,
    );
  });

  it('passes on tensors, numbers and constraints with their types', async () => {
    const requests: string[] = [];
    const url = await startAgent((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      request.on('end', () => {
        requests.push(text);
        const isTask = text.includes('task_request');
        response.end(
          isTask
            ? result('[s:data]:[t:uint8:2,2:009CJ],[s:metadata]:[d:[s:f]:[f:3.0]]')
            : error(5000, 'TOOL_FAILED', 'none'),
        );
      });
    });
    const bridged = await serve('aicl', url);
    const { body } = await post(bridged.address, task('Look', '[s:video]:[t:uint8:2,2:009CJ],[s:f]:[f:3.0]'));
    assert.equal(body, result('[s:data]:[t:uint8:2,2:009CJ],[s:metadata]:[d:[s:f]:[f:3.0]]'));
    assert.match(
      requests.at(-1) ?? '',
      /\[s:constraints\]:\[d:\[s:video\]:\[t:uint8:2,2:009CJ\],\[s:f\]:\[f:3\.0\]\]/,
    );
  });

  it('answers queries about the agent, and says which there are', async () => {
    const bridged = await serve('mcp', 'librarian');
    assert.match((await post(bridged.address, query('tools'))).body, /\[s:data\]:\[l:\[d:\[s:name\]:/);
    assert.match(
      (await post(bridged.address, query('tool math.add'))).body,
      /\[s:data\]:\[d:\[s:name\]:\[s:math\.add\].*\[s:inputSchema\]:/,
    );
    assert.match(
      (await post(bridged.address, query('capabilities'))).body,
      /\[s:versions\]:\[l:\[s:LightAICL_v1\]\],\[s:tools\]:\[l:/,
    );
    assert.match(
      (await post(bridged.address, query('weather'))).body,
      /\[i:5000\].*There is no data 'weather'; ask for one of: tools, tool NAME, capabilities/,
    );
    assert.match(
      (await post(bridged.address, query('tool nope'))).body,
      /\[i:5000\].*There is no tool 'nope'/,
    );
    const own = await serve('aicl', 'analyst');
    assert.match((await post(own.address, query('cities'))).body, /\[s:Lisbon\],\[s:Nairobi\]/);
    assert.match((await post(own.address, query('embedding'))).body, /\[t:float32:2,4:/);
  });

  it('passes on the chunks of an agent of LightAICL', async () => {
    const bridged = await serve('aicl', 'analyst');
    const { body } = await post(bridged.address, query('stream'));
    const ids = [...body.matchAll(/_(\d\/\d)\]/g)].map(([, id]) => id);
    assert.deepEqual(ids, ['1/2', '2/3', '3/4', '4/4']);
    assert.match(body, /\[l:\[i:7\],\[i:8\]\].*\[s:is_final\]:\[b:true\]\]$/);
  });

  it('selects the version that it writes', async () => {
    const bridged = await serve('mcp', 'librarian');
    const offer = (...versions: readonly string[]): string =>
      aicl('protocol_negotiate', `,[s:supported]:[l:${versions.map(each => `[s:${each}]`).join(',')}]`);
    assert.equal(
      (await post(bridged.address, offer('LightAICL_v2', 'LightAICL_v1'))).body,
      aicl('protocol_negotiate', ',[s:supported]:[l:[s:LightAICL_v1]],[s:selected]:[s:LightAICL_v1]'),
    );
    assert.equal(
      (await post(bridged.address, offer('LightAICL_v2'))).body,
      error(1000, 'PROTOCOL_ERROR', "This agent speaks LightAICL_v1 alone; offer it in 'supported'"),
    );
  });

  it('joins a request that comes in chunks, and refuses chunks that do not fit', async () => {
    const bridged = await serve('mcp', 'librarian');
    const text = 'x'.repeat(3_000);
    const split = splitMessage(call('text.reverse', `[s:text]:[s:${text}y]`), 1_500, 'parts');
    assert.ok(split.ok && split.chunks.length > 1);
    const { chunks } = split;
    assert.equal((await post(bridged.address, chunks.join('\n'))).body, result(`[s:data]:[s:y${text}]`));
    const open = await post(bridged.address, chunks.slice(0, -1).join('\n'));
    assert.match(open.body, /\[i:1000\].*The request ends before the chunks of 'parts' do/);
    const hole = await post(bridged.address, [chunks[0], ...chunks.slice(2), SUM].join('\n'));
    assert.match(hole.body, /\[i:1000\].*Chunk 2 of 'parts' should be here, not 3.*\n.*\[i:3\]\]\]$/s);
  });

  it('refuses what a strict receiver must refuse', async () => {
    const bridged = await serve('mcp', 'librarian');
    for (const [body, code, session] of [
      ['', 1000, 'unknown'],
      ['Please reverse this', 1000, 'unknown'],
      [`${SUM} # please`, 1000, 'unknown'],
      [aicl('tool_cal', ''), 1000, 's1'],
      [aicl('tool_call', ',[s:tool]:[s:x]'), 2001, 's1'],
      [result('[s:data]:[t:float32:2,3:9Yq<Q*]'), 1001, 's1'],
      [
        '[d:[s:session_id]:[s:s1],[s:protocol]:[s:LightAICL],[s:msg_type]:[s:data_query],[s:query]:[s:tools]]',
        1000,
        's1',
      ],
      [SUM.replace('[s:s1]', '[s:]'), 1000, 'unknown'],
      [SUM.replace('LightAICL', 'HeavyAICL'), 1000, 's1'],
      [call('math.add', '[s:a]:[s:one],[s:b]:[i:2]'), 2001, 's1'],
      [call('nope', ''), 3001, 's1'],
      [result('[s:data]:[i:1]'), 1000, 's1'],
      ['['.repeat(10_000), 1000, 'unknown'],
    ] as const) {
      const answer = await post(bridged.address, body);
      const found =
        /\[s:session_id\]:\[s:(\w*)\],\[s:msg_type\]:\[s:error\],\[s:code\]:\[i:(\d+)\],\[s:reason\]:\[s:[A-Z_]+\],\[s:detail\]:\[s:./.exec(
          answer.body.split('\n').at(-1) ?? '',
        );
      assert.deepEqual(
        [answer.status, found?.[1], found?.[2]],
        [200, session, String(code)],
        `${body.slice(0, 80)}: ${answer.body.slice(0, 300)}`,
      );
    }
    const many = await post(
      bridged.address,
      Array.from({ length: 101 }, () => query('tool nope')).join('\n'),
    );
    assert.match(many.body, /Only the first 100 messages of the request were read\]\]$/);
    assert.equal((await fetch(bridged.address)).status, 405);
    assert.match((await post(bridged.address, SUM)).body, /\[i:3\]/);
  });

  it("asks back in the caller's session, and takes the next message as the answer", async () => {
    const bridged = await serve('aicl', 'analyst');
    const asked = await post(bridged.address, task('Write a report'));
    assert.equal(asked.body, aicl('data_query', ',[s:query]:[s:temperatures],[s:data_format]:[s:list]'));
    const other = await post(bridged.address, aicl('result', ',[s:data]:[l:[i:1]]', 's2'));
    assert.match(other.body, /\[s:s2\].*\[i:1000\].*waits for nothing in this session/);
    const called = await post(bridged.address, result('[s:data]:[l:[i:18],[i:24]]'));
    assert.match(called.body, /\[s:s1\].*\[s:tool_call\],\[s:tool\]:\[s:stats\.mean\]/);
    const reported = await post(bridged.address, result('[s:data]:[i:21]'));
    assert.match(reported.body, /2 temperatures with a mean of 21 degrees/);
    assert.match((await post(bridged.address, result('[s:data]:[i:21]'))).body, /\[i:1000\]/);
  });

  it('answers for an agent that is down, with its status where that is the only answer', async () => {
    const bridged = await serve('mcp', 'http://127.0.0.1:1/');
    const { status, body } = await post(bridged.address, SUM);
    assert.equal(status, 502);
    assert.match(
      body,
      /^\[d:.*\[s:error\],\[s:code\]:\[i:\d{4}\],\[s:reason\]:\[s:[A-Z_]+\],\[s:detail\]:\[s:[^\]]+\]\]$/,
    );
    const mixed = await post(bridged.address, `${SUM}\n${SUM}`);
    assert.deepEqual([mixed.status, mixed.body.split('\n').length], [200, 2]);
  });

  it('names the error of another protocol in the detail', async () => {
    const bridged = await serve('aicf', 'toolbox');
    const { body } = await post(bridged.address, call('fail.always', '[s:reason]:[s:no luck]'));
    assert.match(
      body,
      /\[s:code\]:\[i:5000\].*\[s:protocol\]:\[s:aicf\],\[s:code\]:\[i:500\],\[s:text\]:\[s:no luck\]/,
    );
    assert.deepEqual(notesOf(bridged), []);
  });
});

describe('the server of LightAICL', () => {
  /** Sends texts one after another to a server of an agent. */
  const run = async (
    agent: Partial<ServedAgent>,
    ...texts: readonly (string | (() => void))[]
  ): Promise<readonly string[]> => {
    const bodies: string[] = [];
    const offer = {
      name: 'a',
      tools: [],
      resources: [],
      prompts: [],
      takesTasks: true,
      isOpen: true,
    } as unknown;
    const served = { name: 'a', offer: () => Promise.resolve(offer), ...agent } as unknown as ServedAgent;
    let now = 0;
    let ids = 0;
    const host = {
      protocols: ALL_PROTOCOLS,
      origin: '',
      newId: () => String(++ids).padStart(8, '0'),
      now: () => now,
    };
    const server = serveAicl(served, host);
    for (const text of texts) {
      if (typeof text !== 'string') {
        now += 30_001;
        continue;
      }
      let body = '';
      const reply: CallerReply = {
        send: (_status, _type, sent) => void (body += sent),
        write: (_type, piece) => void (body += piece),
        end: () => undefined,
        drained: () => undefined,
        note: () => undefined,
      };
      const gone = { aborted: false, addEventListener: () => undefined };
      await server.answer({ method: 'POST', path: '/', header: () => undefined, body: text, gone }, reply);
      bodies.push(body);
    }
    return bodies;
  };

  const waitLong = (): void => undefined;

  it('ends a session after 30 s without traffic', async () => {
    const sessions: (string | undefined)[] = [];
    const agent: Partial<ServedAgent> = {
      call(asked, { session }) {
        sessions.push(session);
        const question = asked.kind === 'task' ? 'Which day?' : undefined;
        const sent = message('result', { data: textValue(question ?? 'Thanks') });
        return {
          reply: Promise.resolve({ status: 'ok', message: sent, unsent: undefined, question }),
          cancel: () => undefined,
        };
      },
    };
    const answer = result('[s:data]:[s:Monday]');
    const bodies = await run(agent, task('Book'), answer, task('Book'), waitLong, answer, task('Book'));
    const kinds = bodies.map(body => /msg_type\]:\[s:(\w+)/.exec(body)?.[1]);
    assert.deepEqual(kinds, ['data_query', 'data_query', 'data_query', 'error', 'data_query']);
    assert.equal(bodies[0], query('Which day?'));
    const [first, second, third, last] = sessions;
    assert.deepEqual([second, third], [first, first]);
    assert.notEqual(last, first);
  });

  it('sends a reply above the size limit in chunks', async () => {
    const text = 'x'.repeat(10_000_100);
    const agent: Partial<ServedAgent> = {
      call: () => ({
        reply: Promise.resolve({
          status: 'ok',
          message: message('result', { data: textValue(text) }),
          unsent: undefined,
        }),
        cancel: () => undefined,
      }),
    };
    const [body = ''] = await run(agent, task('Write'));
    const messages = body.split('\n');
    assert.equal(messages.length, 2);
    assert.ok(messages.every(each => each.length <= 10_000_000));
    const said = messages.map(each => {
      const [piece] = readAiclPieces(each).pieces;
      return piece?.value.kind === 'dict'
        ? textIn(piece.value.entries.find(({ key }) => key === 'data')?.value)
        : undefined;
    });
    assert.equal(said.join(''), text);
  });
});
