import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { protocolOf } from '../../../support/protocol.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PROTOCOLS, type ProtocolName } from '../../../../core/catalog/protocols.ts';
import { runAtOnce } from '../../../../core/text/slices.ts';
import {
  readConvertibleSteps,
  writeConverted,
} from '../../../../protocols/convert/calls/convertible-request.ts';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { Report } from '../../../../core/message/report.ts';
import { nameAiclSession, readAiclSession } from '../../../../protocols/aicl/session.ts';
import type { Carried } from '../../../../protocols/protocol.ts';

const NO_TOOLS = { isComplete: false, tools: new Map() };
const TASK =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:mine],[s:msg_type]:[s:task_request],[s:task]:[s:go],[s:constraints]:[d:]]';

function ask(protocol: ProtocolName, carried: Carried): string {
  const asked = runAtOnce(readConvertibleSteps(TASK, 'aicl', { protocols: ALL_PROTOCOLS, tools: NO_TOOLS }));
  assert.ok(asked.ok);
  const { conversations } = protocolOf(protocol);
  const carriedOn = conversations?.carryOn(asked.message, carried) ?? asked.message;
  return writeConverted(carriedOn, protocolOf(protocol), NO_TOOLS).text;
}

const sse = (...values: readonly string[]): string => values.map(value => `data: ${value}\n\n`).join('');
const a2a = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;

/** What the reader of replies finds for the next request. */
function readCarried(protocol: ProtocolName, reply: string): Carried {
  const context = { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report: new Report() };
  const reader = new ReplyReader(protocolOf(protocol), context, 'outcome');
  reader.push(reply);
  reader.end();
  return reader.carried;
}

/** Replies to the letter, and what goes on from them. */
const REPLIES: readonly (readonly [title: string, ProtocolName, reply: string, Carried])[] = [
  [
    'the session of the last message of AICL',
    'aicl',
    '[d:[s:session_id]:[s:one],[s:msg_type]:[s:result]]\n[d:[s:session_id]:[s:t\\u005Dwo],[s:msg_type]:[s:result]]',
    { session: 't]wo' },
  ],
  ['no session', 'aicl', '[d:[s:msg_type]:[s:result],[s:data]:[s:x]]', { session: undefined }],
  [
    'the session of a response of the Agent API, which null does not take back',
    'agent-api',
    sse('{"object":"response","session_id":"s9"}', '{"object":"response","session_id":null}'),
    { session: 's9', response: undefined },
  ],
  [
    'a response that is completed, as events',
    'responses',
    sse(
      '{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress"}}',
      '{"type":"response.completed","response":{"id":"resp_1","object":"response","status":"completed"}}',
    ),
    { response: 'resp_1' },
  ],
  [
    'a response that is one body, whose items have ids as well',
    'responses',
    '{"id":"resp_2","object":"response","status":"incomplete","output":[{"id":"msg_1"}]}',
    { response: 'resp_2' },
  ],
  [
    'a response that failed',
    'responses',
    '{"id":"resp_3","object":"response","status":"failed"}',
    { response: undefined },
  ],
  [
    'a response of which the end is missing',
    'responses',
    sse('{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress"}}'),
    { response: undefined },
  ],
  [
    'a task of A2A 0.3 that waits',
    'a2a',
    a2a('{"kind":"task","id":"t1","contextId":"c1","status":{"state":"input-required"}}'),
    { session: 'c1', task: 't1' },
  ],
  [
    'a task of A2A 1.0 that ends in its stream',
    'a2a',
    sse(
      a2a('{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}'),
      a2a('{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{}}}'),
      a2a('{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}'),
    ),
    { session: 'c1', task: undefined },
  ],
  [
    'a task of A2A 1.0 that asks in its stream',
    'a2a',
    sse(
      a2a('{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}'),
      a2a('{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}'),
    ),
    { session: 'c1', task: 't1' },
  ],
  [
    'a message of A2A, which is no task',
    'a2a',
    a2a('{"kind":"message","messageId":"m","contextId":"c2","role":"agent","parts":[]}'),
    { session: 'c2', task: undefined },
  ],
  [
    'an error of A2A',
    'a2a',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no task"}}',
    { session: undefined, task: undefined },
  ],
  ['nothing', 'mcp', a2a('{"contextId":"c"}'), {}],
];

describe('a conversation', () => {
  for (const [title, protocol, reply, carried] of REPLIES)
    it(`goes on from ${title} (${protocol})`, () => {
      assert.deepEqual({ ...readCarried(protocol, reply) }, carried);
    });

  it('is known to the protocols that have a word for it', () => {
    const names = PROTOCOLS.map(row => row.name).filter(name => protocolOf(name).conversations);
    assert.deepEqual(names, ['aicl', 'aio', 'agent-api', 'responses', 'a2a']);
  });

  it('is in each request where its protocol requires it', () => {
    const carried = { session: 'S', task: 'T', response: 'R' };
    assert.equal(ask('aicl', carried), TASK.replace('mine', 'S'));
    const [agentApi, responses, a2aText, mcp] = (['agent-api', 'responses', 'a2a', 'mcp'] as const).map(
      protocol => JSON.parse(ask(protocol, carried)) as Record<string, unknown>,
    );
    assert.equal(agentApi?.['session_id'], 'S');
    assert.equal(responses?.['previous_response_id'], 'R');
    const { message } = a2aText?.['params'] as { readonly message: Record<string, unknown> };
    assert.deepEqual([message['contextId'], message['taskId']], ['S', 'T']);
    assert.doesNotMatch(JSON.stringify(mcp), /"[STR]"/);
  });

  it('changes nothing of a request where nothing is carried', () => {
    for (const { name } of PROTOCOLS) {
      const asked = runAtOnce(
        readConvertibleSteps(TASK, 'aicl', { protocols: ALL_PROTOCOLS, tools: NO_TOOLS }),
      );
      assert.ok(asked.ok);
      assert.equal(ask(name, {}), writeConverted(asked.message, protocolOf(name), NO_TOOLS).text);
    }
  });

  it('is named in a message of AICL, of which nothing else changes', () => {
    const wide =
      '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id] : [s:mine] ,\n  [s:x]:[t:int8:1:0~]\n]';
    const name = (text: string): string => nameAiclSession(text, 'a]b').text;
    const pair = '[s:session_id]:[s:a\\u005Db]';
    assert.equal(name(wide), wide.replace('[s:session_id] : [s:mine]', pair));
    assert.equal(nameAiclSession(wide, 'mine').text, wide);
    assert.equal(
      name('[d:[s:protocol]:[s:LightAICL],[s:msg_type]:[s:result]]'),
      `[d:[s:protocol]:[s:LightAICL],${pair},[s:msg_type]:[s:result]]`,
    );
    assert.equal(name('[d:[s:task]:[s:x]]'), `[d:${pair},[s:task]:[s:x]]`);
    assert.equal(name('[s:text]'), '[s:text]');
    assert.deepEqual([wide, '[d:]', '[d:[s:session_id]:[s:]]'].map(readAiclSession), [
      'mine',
      undefined,
      undefined,
    ]);
  });
});
