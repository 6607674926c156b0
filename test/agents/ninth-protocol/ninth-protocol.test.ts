import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { openBridge, type Bridge } from '../../../agents/bridge/bridge.ts';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import { Conversations } from '../../../agents/converting/conversations.ts';
import type { HttpAgentConfig } from '../../../agents/config/agent-config.ts';
import { HttpConnection } from '../../../agents/http/http-connection.ts';
import type { Connect } from '../../../agents/connection.ts';
import { startDemoAgents } from '../../../agents/demo/start.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { startHttpProxy, type HttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { Recorder } from '../../../agents/proxy/recording/recorder.ts';
import { replayCalls } from '../../../cli/src/traces/replay.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import { TRACE_FORMATS } from '../../../trace/export/trace-formats.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { convertText } from '../../../protocols/convert/convert.ts';
import { AICF } from '../../../protocols/aicf/protocol.ts';
import { Protocols, type Protocol } from '../../../protocols/protocol.ts';
import { serveAip } from '../../../protocols/servers.ts';
import type { Serve } from '../../../protocols/serving/serving.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import { exportTraceText } from '../../../trace/export/export.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { importTrace } from '../../../trace/import/import.ts';
import { describeProtocol } from '../../../trace/words.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { walkCalls } from '../../../trace/export/source.ts';
import { agentAt, sendTo, senderOf } from '../support/send.ts';
import { startToyAgent, type ToyAgent } from './agent.ts';
import { TOY } from './protocol.ts';
import { serveToy } from './serve.ts';

/** The list that a program with this protocol would pass. */
const PROTOCOLS = new Protocols([...ALL_PROTOCOLS.list, TOY]);

const connect: Connect = (agent, options) =>
  agent.type === 'http' && agent.protocol === 'toy'
    ? new HttpConnection(agent, TOY)
    : connectAgent(agent, options);

const VARIABLES = {
  env: () => undefined,
  demo: () => undefined,
  input: () => undefined,
  secret: () => undefined,
  workspaceFolder: () => undefined,
};

/** The protocol of a call, and those of the calls below it. */
function showProtocols({ call, children }: CallNode): string {
  const below = children.map(showProtocols).join(', ');
  return below === '' ? call.protocol : `${call.protocol} [${below}]`;
}

/** Events with what came of them. */
class Tape {
  readonly events: TraceEvent[] = [];

  fold(): TraceFold {
    const fold = new TraceFold();
    for (const event of this.events) fold.add(event);
    return fold;
  }

  calls(): readonly CallNode[] {
    return [...walkCalls(this.fold().trees())];
  }
}

describe('a ninth protocol, which lives in this folder alone', () => {
  let agent: ToyAgent;
  const proxies: HttpProxy[] = [];

  before(async () => {
    agent = await startToyAgent();
  });
  after(async () => {
    for (const proxy of proxies) await proxy.close();
    await agent.close();
  });

  function configAt(url: string): HttpAgentConfig<string> {
    return {
      type: 'http',
      name: 'toy',
      protocol: 'toy',
      url,
      headers: new Map(),
      tls: {},
      inputs: new Map(),
      span: { start: 0, end: 0 },
    };
  }

  async function record(tape: Tape, guard?: RecursionGuard): Promise<HttpProxy> {
    const recorder = new Recorder({
      protocols: PROTOCOLS,
      agent: 'toy',
      emit: event => void tape.events.push(event),
      now,
      ids: RANDOM_IDS,
      redactor: new Redactor([]),
      guard,
    });
    const started = await startHttpProxy({ url: new URL(agent.origin) }, 0, recorder);
    assert.ok(started.ok);
    proxies.push(started.proxy);
    return started.proxy;
  }

  async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<string> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return response.text();
  }

  it('sends: requests in our languages are converted, and replies back, also in a stream', async () => {
    const config = { ...agentAt('aicf', agent.origin), protocol: 'toy' };
    const ask = async (language: 'aicf' | 'aicl', text: string): Promise<string> => {
      const asked = askIn(connect(config), {
        protocols: PROTOCOLS,
        language,
        tools: new KnownTools(),
        warningPolicy: 'send',
      });
      return (await sendTo(asked, text)).reply.text.trimEnd();
    };
    assert.equal(await ask('aicf', 'CALL|add|19|23'), 'OK|42');
    assert.equal(agent.requests.at(-1), '{"do":"add","with":{"a":19,"b":23}}');
    assert.equal(await ask('aicf', 'CALL|sub|{"a":1}'), 'ERR|404|There is no such tool [toy 404]');
    const task =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:r7],[s:msg_type]:[s:task_request],[s:task]:[s:hi],[s:constraints]:[d:]]';
    assert.match(await ask('aicl', task), /\[s:data\]:\[s:You said: hi\]/);
    assert.equal(agent.requests.at(-1), '{"say":"hi","room":"r7"}');
  });

  it('continues a conversation, by the session that a reply names', async () => {
    const asked = askIn(connect({ ...agentAt('aicf', agent.origin), protocol: 'toy' }), {
      protocols: PROTOCOLS,
      language: 'aicf',
      tools: new KnownTools(),
      warningPolicy: 'send',
      conversations: new Conversations(),
    });
    await sendTo(asked, 'CALL|add|{"a":1,"b":2}', { session: 'trip' });
    await sendTo(asked, 'CALL|add|{"a":3,"b":4}', { session: 'trip' });
    assert.equal(agent.requests.at(-1), '{"do":"add","with":{"a":3,"b":4},"room":"room-1"}');
  });

  it('hides the credential of its messages in the trace of a call', async () => {
    const tape = new Tape();
    const opened = await openAgent(configAt(agent.origin), VARIABLES, event => void tape.events.push(event), {
      protocols: PROTOCOLS,
      connect,
    });
    assert.ok(opened.ok);
    const request = '{"do":"add","with":{"a":1,"b":2},"ticket":"very-secret"}';
    await sendTo(senderOf(opened), request);
    assert.equal(agent.requests.at(-1), request);
    assert.doesNotMatch(JSON.stringify(tape.events), /very-secret/);
    assert.deepEqual(
      tape.calls().map(({ call, status }) => [call.protocol, status]),
      [['toy', 'ok']],
    );
  });

  for (const { name } of PROTOCOLS.formats.filter(({ name: other }) => other !== 'toy'))
    it(`converts to ${name} and back`, () => {
      const options = { protocols: PROTOCOLS, layout: 'compact' } as const;
      const texts = [
        '{"do":"add","with":{"a":1,"b":2}}',
        '{"done":{"sum":3}}',
        '{"failed":{"code":404,"why":"There is no such tool"}}',
      ];
      for (const text of texts) {
        const there = convertText(text, { ...options, from: 'toy', to: name });
        const back = convertText(there.text, { ...options, from: name, to: 'toy' });
        const lost = [...there.losses, ...back.losses].map(({ path, message }) => `${path}: ${message}`);
        if (lost.length === 0) assert.deepEqual(JSON.parse(back.text), JSON.parse(text));
        else if (text.includes('"do"')) assert.match(there.text, /add/, lost.join('\n'));
        else assert.match(there.text, /3|404|no such tool/i, lost.join('\n'));
      }
      const call = convertText(texts[0] ?? '', { ...options, from: 'toy', to: name });
      assert.deepEqual(
        call.messages.map(({ from }) => from),
        ['toy'],
      );
    });

  it('is recognised by what it looks like', () => {
    const { text, messages } = convertText('{"do":"add","with":{"a":1}}\n', {
      protocols: PROTOCOLS,
      to: 'aicf',
      layout: 'compact',
    });
    assert.deepEqual([text, messages.map(({ from }) => from)], ['CALL|add|1\n', ['toy']]);
  });

  it('is recorded, with its title, session and outcome, and without its credential', async () => {
    const tape = new Tape();
    const proxy = await record(tape);
    await post(proxy.address, '{"do":"add","with":{"a":1,"b":2},"room":"r9","ticket":"very-secret"}');
    await post(proxy.address, '{"do":"sub","with":{}}');
    await proxy.close();
    assert.deepEqual(
      tape.calls().map(({ call, status, code }) => [call.protocol, call.title, call.session, status, code]),
      [
        ['toy', 'add', 'r9', 'ok', undefined],
        ['toy', 'sub', undefined, 'error', '404'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(tape.events), /very-secret/);
  });

  it('is guarded: a call too deep gets an error of its own', async () => {
    const proxy = await record(new Tape(), new RecursionGuard(5));
    const asked = agent.requests.length;
    const deep = { 'x-openstarry-trace-id': 't1', 'x-openstarry-trace-depth': '6' };
    const reply = await post(proxy.address, '{"do":"add","with":{},"room":"r1"}', deep);
    assert.match(reply, /^\{"failed":\{"code":508,"why":"Recursion limit reached: .+"\},"room":"r1"\}$/);
    assert.equal(agent.requests.length, asked);
  });

  it('is replayed, exported, loaded again and shown', async () => {
    const tape = new Tape();
    const proxy = await record(tape);
    await post(proxy.address, '{"do":"add","with":{"a":20,"b":22}}');
    await post(proxy.address, '{"say":"hello"}');
    await proxy.close();
    const fold = tape.fold();
    const payloadOf = (call: string): Promise<readonly (TraceEvent & { type: 'head' | 'wire' })[]> =>
      Promise.resolve(
        tape.events.flatMap(event =>
          event.call === call && (event.type === 'head' || event.type === 'wire') ? [event] : [],
        ),
      );

    const outcome = await replayCalls(
      fold.trees(),
      payloadOf,
      {
        protocols: PROTOCOLS,
        connect,
        agentOf: () => configAt(agent.origin),
        variables: VARIABLES,
        secretOf: () => undefined,
        secretAdvice: () => '',
        gaps: 'none',
        emit: () => undefined,
        note: () => undefined,
      },
      new AbortController().signal,
    );
    assert.ok(outcome.ok);
    assert.equal(outcome.plan.requests.length, 2);
    assert.deepEqual(outcome.replayed.diff.counts, { same: 2, changed: 0, added: 0, removed: 0 });

    for (const { name } of TRACE_FORMATS) {
      const text = await exportTraceText(name, {
        protocols: PROTOCOLS,
        trees: fold.trees(),
        payload: payloadOf,
      });
      assert.match(text, /add|toy/i, name);
      if (name !== 'agenttrace' && name !== 'otlp' && name !== 'aio') continue;
      const loaded = importTrace(text, PROTOCOLS);
      assert.ok(loaded.ok);
      const again = new TraceFold();
      for (const event of loaded.events) again.add(event);
      const calls = [...walkCalls(again.trees())].map(({ call }) => [call.protocol, call.title]);
      assert.deepEqual(
        calls,
        [
          ['toy', 'add'],
          ['toy', 'say'],
        ],
        name,
      );
    }

    const said = await payloadOf(tape.calls().find(({ call }) => call.title === 'say')?.call.call ?? '');
    assert.deepEqual(
      readParts(TOY, said, 'ended').parts.map(({ kind, text }) => [kind, text]),
      [['message', 'You said: hello']],
    );
  });

  it('is served and bridged: callers of it reach an agent of AICF, and callers of AICF one of it', async () => {
    const demo = await startDemoAgents();
    const tape = new Tape();
    const emit = (event: TraceEvent): void => void tape.events.push(event);
    const open = async (config: HttpAgentConfig<string>, as: Protocol, serve: Serve): Promise<Bridge> => {
      const opened = await openAgent(config, VARIABLES, emit, { protocols: PROTOCOLS, connect });
      assert.ok(opened.ok);
      const started = await openBridge(opened, { protocols: PROTOCOLS, as, serve, emit, port: 0 });
      assert.ok(started.ok);
      return started.bridge;
    };
    const toolbox = { ...configAt(demo.addresses.get('toolbox') ?? ''), name: 'toolbox', protocol: 'aicf' };
    const toToolbox = await open(toolbox, TOY, serveToy);
    const toToy = await open(configAt(agent.origin), AICF, serveAip);
    const replies = [
      await post(toToolbox.address, '{"do":"text.reverse","with":{"text":"abc"}}'),
      await post(toToolbox.address, '{"do":"nothing","with":{}}'),
      await post(toToolbox.address, 'nonsense'),
      await post(toToy.address, 'CALL|add|19|23'),
      await post(toToy.address, 'CALL|add|many'),
    ];
    await Promise.all([toToolbox.close(), toToy.close(), demo.close()]);
    assert.deepEqual(replies, [
      '{"done":"cba"}',
      `{"failed":{"code":404,"why":"The tool 'nothing' was not found in the agent 'toolbox': call one of its tools 'text.reverse', 'math.add', 'weather.forecast', 'image.gradient', 'slow.count', 'fail.always'"}}`,
      '{"failed":{"why":"Send one request"}}',
      'OK|42',
      'ERR|422|Argument a should be of type integer',
    ]);
    assert.deepEqual(
      tape
        .fold()
        .trees()
        .map(({ roots }) => roots.map(showProtocols).join()),
      // The first call of an agent also asks for its tools.
      ['toy [aicf, aicf]', 'toy', 'other', 'aicf [toy, toy]', 'aicf'],
    );
  });

  it('shows as other where a program does not know it', async () => {
    const tape = new Tape();
    const proxy = await record(tape);
    await post(proxy.address, '{"do":"add","with":{"a":1,"b":1}}');
    await proxy.close();
    const text = await exportTraceText('agenttrace', {
      protocols: PROTOCOLS,
      trees: tape.fold().trees(),
      payload: () => Promise.resolve([]),
    });
    const loaded = importTrace(text, ALL_PROTOCOLS);
    assert.ok(loaded.ok);
    const protocols = loaded.events.flatMap(event => (event.type === 'call' ? [event.protocol] : []));
    assert.deepEqual(protocols, ['toy']);
    assert.deepEqual([describeProtocol('toy'), describeProtocol('other')], ['other', 'other']);
  });
});
