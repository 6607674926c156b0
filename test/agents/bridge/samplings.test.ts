import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { parseJson } from '../../../core/text/json.ts';
import { agentOf, at, bridge, notesOf, type TestBridge } from './support.ts';

/** What the demo agent says in the three steps of a sampling. */
const SAID = ['I have read Hello.', 'It has a beginning, a middle and an end.', 'That is all.'];

/** A process that answers line by line, whose sampling ends when the request says so. */
const LINES = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id, method, params, trace_id } = JSON.parse(line);
    const said = params?.input?.value;
    const name = method.split('::').pop();
    const methods = ['help', 'sampling.start', 'sampling.step'];
    const result = name === 'help'
      ? { name: 'lines', version: '1', type: 'mcp', methods, modalities: ['text'], mcp: { sampling: true } }
      : { id: 's-1', output: { type: 'text', value: [name, params?.id ?? '-', said].join(' ') }, done: said === 'end' };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, trace_id, result }) + '\\n');
  });
`;

describe('a sampling of an AIO agent', () => {
  let demo: DemoAgents;
  const open: TestBridge[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await demo.close();
  });

  const serve = async (as: ProtocolName): Promise<TestBridge> => {
    const url = demo.addresses.get('curator');
    const bridged = await bridge(agentOf({ protocol: 'aio', type: 'http', url }, 'curator'), as);
    open.push(bridged);
    return bridged;
  };

  const post = async (
    { address }: TestBridge,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ readonly text: string; readonly value: unknown; readonly headers: Headers }> => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { text, value: parseJson(text), headers: response.headers };
  };

  const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params });

  it('is a task of A2A that asks for input until it is done', async () => {
    const bridged = await serve('a2a');
    const states: unknown[] = [];
    let names = {};
    for (const text of ['Hello', 'go on', 'go on']) {
      const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text }], ...names };
      const { value } = await post(bridged, rpc('SendMessage', { message }));
      const task = at(value, 'result', 'task');
      names = { taskId: at(task, 'id'), contextId: at(task, 'contextId') };
      const words =
        at(task, 'status', 'message', 'parts', 0, 'text') ?? at(task, 'artifacts', 0, 'parts', 0, 'text');
      states.push(at(task, 'status', 'state'), words);
    }
    assert.deepEqual(states, [
      'TASK_STATE_INPUT_REQUIRED',
      SAID[0],
      'TASK_STATE_INPUT_REQUIRED',
      SAID[1],
      'TASK_STATE_COMPLETED',
      SAID[2],
    ]);
    assert.deepEqual(notesOf(bridged), []);
  });

  it('goes on with the next response', async () => {
    const bridged = await serve('responses');
    const texts: unknown[] = [];
    let more = {};
    for (const input of ['Hello', 'go on', 'go on']) {
      const { value } = await post(bridged, { model: 'curator', input, ...more });
      more = { previous_response_id: at(value, 'id') };
      texts.push(at(value, 'output', 0, 'content', 0, 'text'), at(value, 'output', 0, 'content', 1, 'text'));
    }
    const advice = 'The agent waits for the answer: send it as the next message';
    assert.deepEqual(texts, [SAID[0], advice, SAID[1], advice, SAID[2], undefined]);
  });

  it('goes on in a session of the Agent API', async () => {
    const bridged = await serve('agent-api');
    const texts: unknown[] = [];
    for (const text of ['Hello', 'go on', 'go on']) {
      const input = [{ role: 'user', type: 'message', content: [{ type: 'text', text }] }];
      const { value } = await post(bridged, { input, stream: false, session_id: 's' });
      texts.push(at(value, 'output', 0, 'content', 0, 'text'));
    }
    assert.deepEqual(texts, SAID);
  });

  it('asks its caller in LightAICL', async () => {
    const bridged = await serve('aicl');
    const said: string[] = [];
    for (const fields of [
      '[s:msg_type]:[s:task_request],[s:task]:[s:Hello],[s:constraints]:[d:]',
      '[s:msg_type]:[s:result],[s:data]:[s:go on]',
      '[s:msg_type]:[s:result],[s:data]:[s:go on]',
    ]) {
      const { text } = await post(bridged, `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],${fields}]`);
      said.push(text.replace(/^.*\[s:msg_type\]:/, ''));
    }
    assert.deepEqual(said, [
      `[s:data_query],[s:query]:[s:${SAID[0]}]]`,
      `[s:data_query],[s:query]:[s:${SAID[1]}]]`,
      `[s:result],[s:data]:[s:${SAID[2]}]]`,
    ]);
  });

  it('goes on with a step of a caller of AIO, and is noted where a task has none', async () => {
    const bridged = await serve('aio');
    const { value } = await post(bridged, rpc('agent::sampling.start', { input: 'Hello' }));
    const id = at(value, 'result', 'id');
    const text = (index: number): object => ({ type: 'text', value: SAID[index] });
    assert.deepEqual(at(value, 'result'), { id, output: text(0), done: false });
    for (const [index, done] of [
      [1, false],
      [2, true],
    ] as const) {
      const next = await post(bridged, rpc('agent::sampling.step', { id, input: 'go on' }));
      assert.deepEqual(at(next.value, 'result'), { id, output: text(index), done });
    }
    assert.deepEqual(notesOf(bridged), []);
    await post(bridged, rpc('agent::input', { input: 'Hello' }));
    assert.deepEqual(notesOf(bridged), [
      `The agent asks before it goes on, and AIO's 'input' has no place for the answer: ${SAID[0]}`,
    ]);
  });

  it('goes on in a session of MCP, and with the answer to a form', async () => {
    const bridged = await serve('mcp');
    const initialize = async (capabilities: object): Promise<Record<string, string>> => {
      const clientInfo = { name: 'test', version: '1' };
      const parameters = { protocolVersion: '2025-11-25', capabilities, clientInfo };
      const { headers } = await post(bridged, rpc('initialize', parameters), ACCEPT);
      return { ...ACCEPT, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    };
    const ask = rpc('tools/call', { name: 'ask', arguments: { task: 'Hello' } });
    const plain = await initialize({});
    for (const said of SAID) {
      const { text } = await post(bridged, ask, plain);
      assert.ok(text.includes(`"content":[{"type":"text","text":"${said}"}]`), text);
    }
    assert.match(
      notesOf(bridged)[0] ?? '',
      /declined: the caller did not declare the capability elicitation/,
    );
    const asking = await initialize({ elicitation: {} });
    const response = await fetch(bridged.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...asking },
      body: JSON.stringify(ask),
    });
    let received = '';
    for await (const piece of response.body ?? []) {
      received += Buffer.from(piece).toString();
      const { id, method } = lastEvent(received);
      if (method !== 'elicitation/create') continue;
      const answer = { action: 'accept', content: { answer: 'go on' } };
      await post(bridged, { jsonrpc: '2.0', id, result: answer }, asking);
    }
    assert.match(received, /"message":"I have read Hello\."[\s\S]*"message":"It has a beginning/);
    assert.match(received, /"content":\[\{"type":"text","text":"That is all\."\}\]/);
  });

  for (const [as, body, said] of [
    ['aicf', 'CALL|ask|Hello', `OK|${SAID[0]}`],
    ['json-rpc', rpc('ask', { task: 'Hello' }), `{"jsonrpc":"2.0","id":1,"result":"${SAID[0]}"}`],
  ] as const)
    it(`is noted for callers of ${as}, which have no place for the next input`, async () => {
      const bridged = await serve(as);
      assert.equal((await post(bridged, body)).text, said);
      assert.match(notesOf(bridged).join(), /^The agent asks before it goes on, and \S+ has no place/);
    });

  it('goes on in a process that answers line by line', async () => {
    const entry = { protocol: 'aio', type: 'stdio', command: 'node', args: ['-e', LINES] };
    const bridged = await bridge(agentOf(entry), 'responses');
    open.push(bridged);
    const texts: unknown[] = [];
    let more = {};
    for (const input of ['begin', 'end', 'again']) {
      const { value } = await post(bridged, { model: 'target', input, ...more });
      more = { previous_response_id: at(value, 'id') };
      texts.push(at(value, 'output', 0, 'content', 0, 'text'));
    }
    assert.deepEqual(texts, ['sampling.start - begin', 'sampling.step s-1 end', 'sampling.start - again']);
  });
});

const ACCEPT = { accept: 'application/json, text/event-stream' };

/** The last whole event of a stream, as JSON. */
function lastEvent(received: string): { readonly id?: unknown; readonly method?: unknown } {
  const data = received.split('\n\n').findLast(event => event.includes('data: {')) ?? '';
  const value = parseJson(/^data: (.*)$/m.exec(data)?.[1] ?? '');
  return { id: at(value, 'id'), method: at(value, 'method') };
}
