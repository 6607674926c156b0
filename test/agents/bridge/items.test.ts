import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { closeA2aAgents, startA2aAgent } from '../support/a2a-agent.ts';
import { startEverything, type EverythingServer } from '../support/everything-server.ts';
import { closeRawAgents, reply, startRawAgent, until } from '../support/raw-agent.ts';
import { agentOf, bridge, notesOf, showTrees, startListener, type TestBridge } from './support.ts';

type Items = 'responses' | 'agent-api';

interface Item {
  readonly type: string;
  readonly result?: string;
  readonly content?: readonly Readonly<Record<string, unknown>>[];
}

interface Whole {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Item[];
}

/** A request with one text of the user, in each protocol whose messages are items. */
const REQUESTS: Readonly<Record<Items, (text: string, more: object) => object>> = {
  responses: (text, more) => ({ input: text, ...more }),
  'agent-api': (text, more) => ({
    input: [{ role: 'user', content: [{ type: 'text', text }] }],
    stream: false,
    ...more,
  }),
};

async function post(bridged: TestBridge, body: object): Promise<Whole> {
  const response = await fetch(bridged.address, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as Whole;
}

/** The types of the items, with those of their contents. */
function shapeOf({ output }: Whole): readonly string[] {
  return output.map(({ type, content }) => [type, ...(content ?? []).map(each => each['type'])].join(' '));
}

function textsOf({ output }: Whole): readonly unknown[] {
  return output.flatMap(({ content }) => (content ?? []).flatMap(each => each['text'] ?? []));
}

describe('replies that an agent gives to callers of protocols with items', () => {
  let everything: EverythingServer;
  const open: TestBridge[] = [];
  before(async () => (everything = await startEverything()));
  afterEach(async () => {
    await Promise.all(open.splice(0).map(each => each.close()));
    await closeRawAgents();
    await closeA2aAgents();
  });
  after(() => everything.close());

  const serve = async (protocol: string, url: string, as: Items): Promise<TestBridge> => {
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }), as);
    open.push(bridged);
    return bridged;
  };

  const call = (as: Items, name: string, given: object): object =>
    REQUESTS[as](JSON.stringify(given), { tool_choice: { type: 'function', name } });

  for (const [as, image, data] of [
    [
      'responses',
      ['message output_text', 'image_generation_call', 'message output_text'],
      ['message output_text'],
    ],
    ['agent-api', ['message text image text'], ['message data']],
  ] as const) {
    it(`has images, resources and data of a tool as ${as} has them`, async () => {
      const bridged = await serve('mcp', everything.url, as);
      assert.deepEqual(shapeOf(await post(bridged, call(as, 'get-tiny-image', {}))), image);
      const resource = await post(
        bridged,
        call(as, 'get-resource-reference', { resourceType: 'Text', resourceId: 1 }),
      );
      assert.match(String(textsOf(resource)[1]), /^Resource 1: This is a plaintext resource/);
      const structured = await post(bridged, call(as, 'get-structured-content', { location: 'New York' }));
      assert.deepEqual(shapeOf(structured), data);
      const notes = notesOf(bridged).join('\n');
      assert.match(notes, /content\[0\]\.uri: .* has no place for the address of such a part/);
      assert.equal(/has no data; it is written as a text/.test(notes), as === 'responses');
    });

    it(`declines what the caller of ${as} cannot be asked, with a note`, async () => {
      const bridged = await serve('mcp', everything.url, as);
      const received = await post(bridged, call(as, 'trigger-elicitation-request', {}));
      assert.match(textsOf(received).join(), /User declined/);
      assert.match(
        notesOf(bridged).join(),
        /elicitation\); no user is present to answer, so it was declined/,
      );
    });

    it(`notes what reasoning has besides its streamed texts, for a caller of ${as}`, async () => {
      const item = { id: 'r', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] };
      const whole = { ...item, encrypted_content: 'secret thoughts' };
      const events = [
        { type: 'response.output_item.added', output_index: 0, item: { ...item, summary: [] } },
        {
          type: 'response.reasoning_summary_text.delta',
          item_id: 'r',
          output_index: 0,
          summary_index: 0,
          delta: 'hm',
        },
        { type: 'response.output_item.done', output_index: 0, item: whole },
        {
          type: 'response.completed',
          response: { id: 'r1', object: 'response', status: 'completed', output: [whole] },
        },
      ];
      const agent = await startListener((request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
        response.end();
      });
      const bridged = await serve('responses', `${agent.address}v1/responses`, as);
      await fetch(bridged.address, {
        method: 'POST',
        body: JSON.stringify({ ...REQUESTS[as]('Hi', {}), stream: true }),
      }).then(response => response.text());
      await agent.close();
      assert.match(
        notesOf(bridged).join('\n'),
        /of its reasoning the caller receives the texts, without 'encrypted_content'/,
      );
    });

    it(`goes on with a task that needs input, for a caller of ${as}`, async () => {
      const { origin } = await startA2aAgent({ version: '1.0', streaming: true });
      const bridged = await serve('a2a', origin, as);
      const first = await post(bridged, REQUESTS[as]('ask', { session_id: 'trip' }));
      const continued = as === 'responses' ? { previous_response_id: first.id } : { session_id: 'trip' };
      const second = await post(bridged, REQUESTS[as]('Paris', continued));
      assert.deepEqual([first.status, second.status], ['completed', 'completed']);
      assert.notEqual(textsOf(first).join(), '');
      assert.match(textsOf(second).join(), /Paris/);
      assert.doesNotMatch(showTrees(bridged.events).join(), /error/);
    });

    it(`has the same reply as a whole and as events, and what came before an error, for a caller of ${as}`, async () => {
      const ends: unknown[] = [];
      for (const body of [
        'STREAM|Hel\nSTREAM|lo\nEND\n',
        'OK|[1]\n',
        'STREAM|Hel\nSTREAM|lo\nERR|500|broke\n',
      ]) {
        const lines = ['TOOLS|any', 'TOOL|any|Anything|'];
        const agent = await startRawAgent(socket => void socket.end(reply(lines.shift() ?? body)));
        const bridged = await serve('aicf', `${agent.origin}/aip/v1/aicf`, as);
        const request = (more: { readonly stream: boolean }): RequestInit => ({
          method: 'POST',
          body: JSON.stringify({ ...call(as, 'any', {}), ...more }),
        });
        const streamed = await (await fetch(bridged.address, request({ stream: true }))).text();
        const last = JSON.parse(
          /^data: (.*)$/m.exec(streamed.trim().split('\n\n').at(-1) ?? '')?.[1] ?? '',
        ) as Whole | { readonly response: Whole };
        const whole = (await (
          await fetch(bridged.address, request({ stream: false }))
        ).json()) as Partial<Whole>;
        const final = 'response' in last ? last.response : last;
        ends.push([
          final.status,
          textsOf(final),
          whole.output && textsOf({ ...final, output: whole.output }),
        ]);
      }
      const hello = ['Hello'];
      assert.deepEqual(ends, [
        ['completed', hello, hello],
        ['completed', ['[1]'], ['[1]']],
        ['failed', hello, as === 'responses' ? undefined : hello],
      ]);
    });

    it(`ends the call of the agent when a caller of ${as} goes, and answers the next one`, async () => {
      const agent = await startRawAgent((socket, index) => {
        if (index === 0) socket.end(reply('TOOLS|any'));
        else if (index === 1) socket.end(reply('TOOL|any|Anything|'));
        else if (index === 2)
          socket.write(
            'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nSTREAM|a\n\r\n',
          );
        else socket.end(reply('OK|b'));
      });
      const bridged = await serve('aicf', `${agent.origin}/aip/v1/aicf`, as);
      const stop = new AbortController();
      const response = await fetch(bridged.address, {
        method: 'POST',
        body: JSON.stringify({ ...call(as, 'any', {}), stream: true }),
        signal: stop.signal,
      });
      let seen = '';
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      while (reader && !seen.includes('"a"')) seen += (await reader.read()).value ?? '';
      stop.abort();
      await until('the agent is left', () => agent.countSockets() === 0);
      assert.deepEqual(textsOf(await post(bridged, call(as, 'any', {}))), ['b']);
      await until('both calls have ended', () => !showTrees(bridged.events).join().includes('open'));
      assert.match(showTrees(bridged.events).join(), /any \(target, cancelled\)/);
    });
  }
});
