import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import OpenAI from 'openai';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { closeRawAgents, reply, startRawAgent, until } from '../support/raw-agent.ts';
import { agentOf, bridge, notesOf, startListener, type TestBridge } from './support.ts';

interface Refused {
  readonly status: number;
  readonly type?: string;
  readonly code?: string | null;
  readonly param?: string | null;
  readonly message?: string;
}

async function refused(response: Response): Promise<Refused> {
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  const { error } = (await response.json()) as { readonly error: Omit<Refused, 'status'> };
  return { status: response.status, ...error };
}

describe('requests that an agent served as Responses refuses', () => {
  let demo: DemoAgents;
  let herald: TestBridge;
  let toolbox: TestBridge;
  before(async () => {
    demo = await startDemoAgents();
    const at = (name: string): string | undefined => demo.addresses.get(name);
    herald = await bridge(
      agentOf({ protocol: 'a2a', type: 'http', url: at('herald') }, 'herald'),
      'responses',
    );
    toolbox = await bridge(
      agentOf({ protocol: 'aicf', type: 'http', url: at('toolbox') }, 'toolbox'),
      'responses',
    );
  });
  afterEach(closeRawAgents);
  after(async () => {
    await herald.close();
    await toolbox.close();
    await demo.close();
  });

  const post = (bridged: TestBridge, body: unknown, path = ''): Promise<Response> =>
    fetch(bridged.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  for (const [what, body, param, message] of [
    ['text that is no JSON', '{"input":', null, /not a JSON object/],
    ['JSON that is no object', '[1]', null, /not a JSON object/],
    ['a request of another protocol', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, 'input', /'input'/],
    ['no input', { model: 'herald' }, 'input', /^Missing required parameter: 'input'$/],
    ['an input of a wrong type', { input: 7 }, 'input', /a text or a list of items/],
    ['an empty input', { input: [] }, 'input', /the list is empty/],
    ['an item that is no object', { input: ['Hi'] }, 'input[0]', /must be an object/],
    ['an item of no type', { input: [{ text: 'Hi' }] }, 'input[0]', /a 'role' and a 'content'/],
    ['an item by its id', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]', /not stored/],
    ['an unknown role', { input: [{ role: 'robot', content: 'Hi' }] }, 'input[0].role', /is one of user/],
    ['a message without content', { input: [{ role: 'user' }] }, 'input[0].content', /a text or a list/],
    [
      'a part of an unknown type',
      { input: [{ role: 'user', content: [{ type: 'input_dance', steps: 3 }] }] },
      'input[0].content[0]',
      /'input_image' with 'image_url'/,
    ],
    ['a stream that is no boolean', { input: 'Hi', stream: 'yes' }, 'stream', /true or false/],
    ['a temperature in words', { input: 'Hi', temperature: 'hot' }, 'temperature', /must be a number/],
    ['a response in the background', { input: 'Hi', background: true }, 'background', /with 'stream'/],
    ['a conversation', { input: 'Hi', conversation: 'conv_1' }, 'conversation', /'previous_response_id'/],
    ['a template', { input: 'Hi', prompt: { id: 'pmpt_1' } }, 'prompt', /not stored/],
    [
      'a schema for the answer',
      { input: 'Hi', text: { format: { type: 'json_schema', name: 'a', schema: {} } } },
      'text.format',
      /'json_schema' is not supported/,
    ],
    ['a required tool', { input: 'Hi', tool_choice: 'required' }, 'tool_choice', /leave out 'tool_choice'/],
    [
      'the choice of its tools',
      { input: 'Hi', tool_choice: 'auto' },
      'tool_choice',
      /leave out 'tool_choice'/,
    ],
    [
      'a tool of another type',
      { input: 'Hi', tool_choice: { type: 'file_search' } },
      'tool_choice',
      /"type":"function"/,
    ],
    [
      'a tool that is not listed',
      {
        input: '{}',
        tools: [{ type: 'function', name: 'a' }],
        tool_choice: { type: 'function', name: 'b' },
      },
      'tool_choice',
      /'b' of 'tool_choice' is not in 'tools'/,
    ],
    [
      'arguments in words',
      { input: 'Add one and two', tool_choice: { type: 'function', name: 'math.add' } },
      'input',
      /the last text of the user must be their JSON object/,
    ],
    [
      'an unknown response before it',
      { input: 'Hi', previous_response_id: 'resp_9' },
      'previous_response_id',
      /^Previous response with id 'resp_9' not found$/,
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      const got = await refused(await post(herald, body));
      assert.deepEqual([got.status, got.type, got.param], [400, 'invalid_request_error', param]);
      assert.match(got.message ?? '', message);
    });

  it('says what is possible where a task, a tool or an address is not', async () => {
    const task = await refused(await post(toolbox, { input: 'Hi', stream: true }));
    assert.equal(task.status, 400);
    assert.match(task.message ?? '', /takes no tasks: call one of its tools 'text\.reverse'/);
    const missing = { input: '{}', tool_choice: { type: 'function', name: 'fly' } };
    const tool = await refused(await post(toolbox, missing));
    assert.deepEqual([tool.status, tool.param, task.param], [404, 'tool_choice', 'input']);
    assert.match(tool.message ?? '', /^Tool not found|The tool 'fly' was not found/);
    const place = await refused(await post(herald, {}, '/resp_1/input_items'));
    assert.deepEqual([place.status, place.code], [404, 'unknown_url']);
  });

  it('answers a failure of the tool with its text and the code of the agent', async () => {
    const failing = {
      input: '{"reason":"No stars"}',
      tool_choice: { type: 'function', name: 'fail.always' },
    };
    const whole = await post(toolbox, failing);
    assert.equal(whole.headers.get('x-should-retry'), 'false');
    const got = await refused(whole);
    assert.deepEqual([got.status, got.type, got.code], [500, 'server_error', '500']);
    assert.match(got.message ?? '', /No stars/);
    const streamed = await (await post(toolbox, { ...failing, stream: true })).text();
    assert.match(
      streamed,
      /"type":"response\.failed".*"status":"failed","error":\{"code":"500","message":"[^"]*No stars/,
    );
  });

  const serveRaw = async (
    answer: Parameters<typeof startRawAgent>[0],
    timeout: number,
  ): Promise<readonly [TestBridge, { readonly requests: readonly string[] }]> => {
    const agent = await startRawAgent(answer);
    const entry = { protocol: 'aicf', type: 'http', url: `${agent.origin}/aip/v1/aicf`, timeout };
    return [await bridge(agentOf(entry, 'raw'), 'responses'), agent];
  };
  const CALL = { input: '{}', tool_choice: { type: 'function', name: 'any' } };

  it('answers 502 for an agent that is down or answers nonsense, and 504 for one that is too slow', async () => {
    const [bridged] = await serveRaw((socket, index) => {
      if (index === 0) socket.end(reply('TOOLS|any'));
      else if (index === 1) socket.end(reply('TOOL|any|Anything|'));
      else if (index === 2) socket.end(reply('<html>', '200 OK', 'text/html'));
      else if (index === 3) socket.destroy();
    }, 1);
    const statuses: (number | string | null | undefined)[] = [];
    while (statuses.length < 6) {
      const { status, code } = await refused(await post(bridged, CALL));
      statuses.push(status, code);
    }
    await bridged.close();
    assert.deepEqual(statuses, [502, 'agent_unreachable', 502, 'agent_unreachable', 504, 'timeout']);
  });

  it('answers 429 with Retry-After where the agent is busy', async () => {
    const [bridged, agent] = await serveRaw((socket, index) => {
      if (index === 0) socket.end(reply('TOOLS|any'));
      else if (index === 1) socket.end(reply('TOOL|any|Anything|'));
      else if (index === 2) socket.end(reply('OK|1'));
    }, 600);
    await post(bridged, CALL);
    const stop = new AbortController();
    const held = Array.from({ length: 64 }, () =>
      fetch(bridged.address, { method: 'POST', body: JSON.stringify(CALL), signal: stop.signal }).catch(
        () => undefined,
      ),
    );
    await until('64 calls are open', () => agent.requests.length === 3 + 64);
    const busy = await post(bridged, { ...CALL, stream: true });
    assert.equal(busy.headers.get('retry-after'), '1');
    const got = await refused(busy);
    assert.deepEqual([got.status, got.type, got.code], [429, 'rate_limit_error', 'rate_limit_exceeded']);
    stop.abort();
    await Promise.all(held);
    await bridged.close();
    assert.equal(agent.requests.length, 3 + 64);
  });

  it('answers 429 with the Retry-After of an agent that takes no more requests', async () => {
    const agent = await startListener((request, response) => {
      request.resume();
      request.on('end', () => {
        const error = { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' };
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '37' });
        response.end(JSON.stringify({ error }));
      });
    });
    const entry = { protocol: 'responses', type: 'http', url: `${agent.address}v1/responses` };
    const bridged = await bridge(agentOf(entry), 'responses');
    const refusal = await post(bridged, { model: 'target', input: 'Hi' });
    await bridged.close();
    await agent.close();
    assert.deepEqual([refusal.status, refusal.headers.get('retry-after')], [429, '37']);
  });

  it('notes what the agent does not receive', async () => {
    const at = demo.addresses.get('herald');
    const bridged = await bridge(agentOf({ protocol: 'a2a', type: 'http', url: at }, 'herald'), 'responses');
    const client = new OpenAI({ apiKey: 'none', baseURL: bridged.address.replace(/\/responses$/, '') });
    await client.responses.create({
      model: 'herald',
      input: 'Hi',
      reasoning: { effort: 'low' },
      truncation: 'auto',
      metadata: { job: '7' },
      tools: [{ type: 'function', name: 'mine', parameters: {}, strict: false }],
    });
    await bridged.close();
    assert.deepEqual(notesOf(bridged), [
      "The tools of the request are not passed on: the agent calls its own tools, not the caller's",
      "The agent does not receive 'reasoning' and 'truncation'",
    ]);
  });
});
