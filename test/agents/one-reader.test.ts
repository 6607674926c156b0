import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { connectAgent } from '../../agents/all.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import { askIn } from '../../agents/converting/converting-connection.ts';
import { startDemoAgents, type DemoAgents } from '../../agents/demo/start.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { agentAt, sendTo } from './support/send.ts';

interface Case {
  readonly protocol: ProtocolName;
  readonly agent: string;
  readonly language: LanguageId;
  readonly request: string;
  /** A part of what the caller reads. */
  readonly shown: string;
}

const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]';
const TASK = `[d:${HEAD}:[s:task_request],[s:task]:[s:The sky?]]`;

const CASES: readonly Case[] = [
  {
    protocol: 'aicf',
    agent: 'toolbox',
    language: 'aicl',
    request: `[d:${HEAD}:[s:tool_call],[s:tool]:[s:text.reverse],[s:params]:[d:[s:text]:[s:abc]]]`,
    shown: 'cba',
  },
  {
    protocol: 'aicl',
    agent: 'analyst',
    language: 'aicf',
    request: 'CALL|text.reverse|abc',
    shown: 'OK|cba',
  },
  { protocol: 'agent-api', agent: 'storyteller', language: 'aicl', request: TASK, shown: 'The sky?' },
  {
    protocol: 'responses',
    agent: 'oracle',
    language: 'aicl',
    request: TASK,
    shown: '[s:model]:[s:oracle-1]',
  },
  {
    protocol: 'mcp',
    agent: 'librarian',
    language: 'aicf',
    request: 'CALL|text.reverse|abc',
    shown: 'cba',
  },
  {
    protocol: 'aio',
    agent: 'courier',
    language: 'aicf',
    request: 'CALL|text.reverse|abc',
    shown: 'cba',
  },
  { protocol: 'a2a', agent: 'herald', language: 'aicl', request: TASK, shown: 'sky' },
];

describe('the reply to a converted request', () => {
  let demo: DemoAgents;
  const pushed = new Map<ReplyReader, string>();
  const original = Object.getOwnPropertyDescriptor(ReplyReader.prototype, 'push') ?? {};
  const counting = function (this: ReplyReader, text: string): unknown {
    pushed.set(this, (pushed.get(this) ?? '') + text);
    return Reflect.apply(original.value as (text: string) => unknown, this, [text]);
  };
  before(async () => {
    demo = await startDemoAgents();
    Object.defineProperty(ReplyReader.prototype, 'push', { ...original, value: counting });
  });
  after(async () => {
    Object.defineProperty(ReplyReader.prototype, 'push', original);
    await demo.close();
  });

  for (const { protocol, agent, language, request, shown } of CASES)
    it(`of ${protocol} has one reader, which gets each character once`, async () => {
      const connection = connectAgent(agentAt(protocol, demo.addresses.get(agent) ?? ''));
      const tools = new KnownTools();
      const sender = askIn(connection, { protocols: ALL_PROTOCOLS, language, tools, warningPolicy: 'send' });
      // The first request also causes a handshake and a list of tools.
      await sendTo(sender, request);
      pushed.clear();
      const { reply, pieces } = await sendTo(sender, request);
      await connection.close();
      assert.ok(reply.text.includes(shown), reply.text);
      const [read = '', ...others] = pushed.values();
      assert.deepEqual(others, []);
      const received = pieces.join('');
      // The client library of MCP splits the stream of events itself.
      if (protocol === 'mcp') assert.ok(read !== '' && received.includes(read));
      else assert.equal(read, received);
    });
});
