import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HeadEvent, TraceProtocol, WireEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { readRecordedRequest, type RecordedRequest } from '../../../trace/replay/replay-request.ts';

/** What is read of a call that sent these texts, over HTTP each with a head before it. */
function read(
  protocol: TraceProtocol,
  texts: readonly string[],
  way: 'http' | 'stdio',
  line = 'POST /',
): RecordedRequest {
  const fold = new TraceFold();
  fold.add({ type: 'call', call: 'c', trace: 't', at: 0, agent: 'a', protocol, title: 'x' });
  const node = fold.find('c');
  assert.ok(node);
  const common = { call: 'c', at: 1, direction: 'out' } as const;
  const payload = texts.flatMap((text): readonly (HeadEvent | WireEvent)[] => [
    ...(way === 'http' ? [{ ...common, type: 'head', line, headers: [] } as const] : []),
    ...(text === '' ? [] : [{ ...common, type: 'wire', bytes: { text } } as const]),
  ]);
  return readRecordedRequest(node, payload, { newId: () => 'new-id', protocols: ALL_PROTOCOLS });
}

describe('readRecordedRequest', () => {
  const cases: readonly (readonly [string, TraceProtocol, 'http' | 'stdio', readonly string[], string])[] = [
    [
      'finds the request among what a connection says itself',
      'mcp',
      'stdio',
      [
        '{"jsonrpc":"2.0","id":0,"method":"initialize"}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}\n{"jsonrpc":"2.0","id":9,"result":{}}\n',
      ],
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}',
    ],
    [
      'takes out what the library writes, and keeps numbers as they were written',
      'mcp',
      'http',
      [
        '{"id":1,"method":"tools/call","params":{"n":1.0,"big":9007199254740993,"_meta":{"progressToken":3,"own":1}}}',
      ],
      '{"id":1,"method":"tools/call","params":{"n":1.0,"big":9007199254740993,"_meta":{"own":1}}}',
    ],
    [
      'takes the message and not the questions after its task, under a new id',
      'a2a',
      'http',
      [
        '{"id":1,"method":"message/send","params":{"message":{"messageId":"m1","parts":[]}}}',
        '{"id":2,"method":"tasks/get","params":{"id":"t1"}}',
      ],
      '{"id":1,"method":"message/send","params":{"message":{"messageId":"new-id","parts":[]}}}',
    ],
    [
      'lets the trace be named anew',
      'aio',
      'http',
      ['{"method":"a::help"}', '{"method":"a::x","trace_id":"AIO-TR-20250101-0001","id":1}'],
      '{"method":"a::x","id":1}',
    ],
    [
      'takes the request and not the leave that was given after it',
      'responses',
      'http',
      ['{"input":"x"}', '{"input":[{"type":"mcp_approval_response"}]}'],
      '{"input":"x"}',
    ],
    ['changes nothing of a text', 'aicf', 'http', ['CALL|a|[redacted] \n'], 'CALL|a|[redacted] \n'],
  ];
  for (const [name, protocol, way, texts, text] of cases)
    it(name, () =>
      assert.deepEqual(read(protocol, texts, way), { kind: 'request', text, protocol, holes: [] }),
    );

  /** A message of each version over HTTP+JSON, and the same over JSON-RPC. */
  const overHttp: readonly (readonly [line: string, body: string, text: string])[] = [
    [
      'POST /message:send HTTP/1.1',
      '{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"a"},{"data":{"data":1.0}}]}}',
      '{"jsonrpc":"2.0","method":"SendMessage","params":{"message":{"messageId":"new-id","role":"ROLE_USER","parts":[{"text":"a"},{"data":{"data":1.0}}]}},"id":1}',
    ],
    [
      'POST /v1/message:stream HTTP/1.1',
      '{"request":{"messageId":"m1","role":"ROLE_USER","content":[{"text":"a"},{"data":{"data":{"n":1.0}}},{"file":{"fileWithUri":"https://a.example/b","mimeType":"image/png"}},{"file":{"fileWithBytes":"QQ=="}}]},"configuration":{"blocking":true,"pushNotification":{"url":"https://c.example/"}}}',
      '{"jsonrpc":"2.0","method":"message/stream","params":{"message":{"kind":"message","messageId":"new-id","role":"user","parts":[{"kind":"text","text":"a"},{"kind":"data","data":{"n":1.0}},{"kind":"file","file":{"uri":"https://a.example/b","mimeType":"image/png"}},{"kind":"file","file":{"bytes":"QQ=="}}]},"configuration":{"blocking":true,"pushNotificationConfig":{"url":"https://c.example/"}}},"id":1}',
    ],
  ];
  for (const [line, body, text] of overHttp)
    it(`reads ${line} as the JSON-RPC that agents are sent`, () =>
      assert.deepEqual(read('a2a', [body], 'http', line), {
        kind: 'request',
        text,
        protocol: 'a2a',
        holes: [],
      }));

  it('knows what is no request, and what cannot be sent', () => {
    assert.deepEqual(read('mcp', [''], 'http'), { kind: 'own' });
    assert.deepEqual(read('mcp', ['{"id":0,"method":"initialize"}'], 'http'), { kind: 'own' });
    assert.deepEqual(read('other', ['x'], 'http'), {
      kind: 'refused',
      reason: 'it speaks no protocol that can be sent',
    });
  });
});
