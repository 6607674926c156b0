import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { importTrace } from '../../../../trace/import/import.ts';

describe('HAR', () => {
  /** An entry as browsers write it: a POST to an MCP server, with its token. */
  const entry = {
    startedDateTime: '2026-01-02T03:04:05.250+01:00',
    time: 41.5,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3000/mcp?token=abcdef',
      httpVersion: 'HTTP/1.1',
      headers: [
        { name: 'Authorization', value: 'Bearer secret-token' },
        { name: 'mcp-session-id', value: 's1' },
        { name: 'traceparent', value: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      ],
      postData: {
        mimeType: 'application/json',
        text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"key":"secret-token"}}}',
      },
    },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: {
        size: 60,
        mimeType: 'application/json',
        encoding: 'base64',
        text: Buffer.from(
          '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}',
        ).toString('base64'),
      },
    },
    timings: { send: 0, wait: 40, receive: 1.5 },
  };
  const at = Date.UTC(2026, 0, 2, 2, 4, 5, 250);

  it('is read as calls, without credentials', () => {
    const imported = importTrace(
      JSON.stringify({ log: { version: '1.2', entries: [entry, { request: {} }] } }),
      ALL_PROTOCOLS,
    );
    assert.deepEqual(imported, {
      ok: true,
      events: [
        {
          type: 'call',
          call: 'har#1',
          at,
          trace: 'a'.repeat(32),
          agent: '127.0.0.1:3000',
          protocol: 'mcp',
          title: 'weather',
          session: 's1',
          names: [{ scheme: 'w3c', trace: 'a'.repeat(32), parent: 'b'.repeat(16) }],
        },
        { type: 'end', call: 'har#1', at: at + 41.5, status: 'error', message: 'no' },
        {
          type: 'head',
          call: 'har#1',
          at,
          direction: 'out',
          line: 'POST http://127.0.0.1:3000/mcp?token=[redacted]',
          headers: [
            { name: 'Authorization', value: '[redacted]', redacted: 19 },
            { name: 'mcp-session-id', value: 's1' },
            { name: 'traceparent', value: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
          ],
        },
        {
          type: 'wire',
          call: 'har#1',
          at,
          direction: 'out',
          bytes: {
            text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"key":"[redacted]"}}}',
          },
        },
        {
          type: 'head',
          call: 'har#1',
          at: at + 40,
          direction: 'in',
          line: '200 OK',
          headers: [{ name: 'content-type', value: 'application/json' }],
        },
        {
          type: 'wire',
          call: 'har#1',
          at: at + 41.5,
          direction: 'in',
          bytes: {
            text: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}',
          },
        },
      ],
      notes: ['Entry 2 has no request or no time; it is left out'],
    });
  });

  /** The events and notes of an entry with other members. */
  function observe(request: object, response: object, more: object = {}): readonly unknown[] {
    const imported = importTrace(
      JSON.stringify({
        log: {
          entries: [
            {
              ...entry,
              ...more,
              request: { method: 'POST', url: 'http://h/x', headers: [], ...request },
              response: { status: 200, ...response },
            },
          ],
        },
      }),
      ALL_PROTOCOLS,
    );
    assert.ok(imported.ok);
    return imported.events.flatMap((event): readonly unknown[] => {
      if (event.type === 'wire') return [[event.direction, event.bytes]];
      return event.type === 'note' ? [event.text] : [];
    });
  }

  it('has the bytes of what did not go compressed, and takes a time without a zone for one of UTC', () => {
    assert.deepEqual(observe({}, { bodySize: 3, content: { text: 'abcdef' } }), [['in', { text: 'abcdef' }]]);
    const imported = importTrace(
      JSON.stringify({ log: { entries: [{ ...entry, startedDateTime: '2026-01-02T02:04:05.25' }] } }),
      ALL_PROTOCOLS,
    );
    assert.equal(imported.ok && imported.events[0]?.at, at);
  });

  it('describes a form by its fields, without credentials, if its text is not stored', () => {
    const params = [
      { name: 'user', value: 'bob' },
      { name: 'access_token', value: 'abcdef' },
      { name: 'file', fileName: 'a.txt' },
    ];
    assert.deepEqual(observe({ postData: { mimeType: 'multipart/form-data', params } }, {}), [
      "The file keeps 3 fields of a form instead of the request's text: they are shown as one text",
      ['out', { text: 'user=bob&access_token=[redacted]&file=a.txt' }],
    ]);
  });

  it('keeps a body that is not Base64 unchanged, and says that a WebSocket is left out', () => {
    assert.deepEqual(
      observe(
        {},
        { content: { encoding: 'base64', text: '%%%' } },
        { _webSocketMessages: [{ type: 'send' }] },
      ),
      [
        'A body is declared as Base64 and is not: it is shown as in the file',
        '1 message of this WebSocket were in the file and is left out',
        ['in', { text: '%%%' }],
      ],
    );
  });

  it('replaces what each of several headers of one name carries, and AUTH: of AICF, wherever it occurs', () => {
    const headers = ['Bearer first-token', 'Bearer other-token'].map(value => ({
      name: 'Authorization',
      value,
    }));
    const text = 'CALL|a|first-token|AUTH:third-token';
    assert.deepEqual(
      observe(
        { headers, postData: { text } },
        {
          headers: [{ name: 'Set-Cookie', value: 'a=b' }],
          content: { text: 'OK|other-token third-token' },
        },
      ),
      [
        ['out', { text: 'CALL|a|[redacted]|AUTH:[redacted]' }],
        ['in', { text: 'OK|[redacted] [redacted]' }],
      ],
    );
    const har = {
      log: {
        entries: [
          { ...entry, response: { ...entry.response, headers: [{ name: 'Set-Cookie', value: 'a=b' }] } },
        ],
      },
    };
    const imported = importTrace(JSON.stringify(har), ALL_PROTOCOLS);
    assert.deepEqual(
      imported.ok &&
        imported.events.flatMap(event =>
          event.type === 'head' && event.direction === 'in' ? event.headers : [],
        ),
      [{ name: 'Set-Cookie', value: '[redacted]', redacted: 3 }],
    );
  });

  const form = 'grant_type=client_credentials&client_id=bob&client_secret=s%26cret-one';
  const tokens =
    '{"access_token":"access-two","refresh_token":"refresh-3","expires_in":60,"said":"access-two s&cret-one"}';
  const masked = [
    ['out', { text: 'grant_type=client_credentials&client_id=bob&client_secret=[redacted]' }],
    [
      'in',
      {
        text: '{"access_token":"[redacted]","refresh_token":"[redacted]","expires_in":60,"said":"[redacted] [redacted]"}',
      },
    ],
  ];
  const FORM = 'application/x-www-form-urlencoded; charset=utf-8';

  it('leaves out credentials in a request for tokens and in its reply, as the recorder does', () => {
    const type = (value: string) => ({ headers: [{ name: 'Content-Type', value }] });
    assert.deepEqual(
      observe(
        { ...type(FORM), postData: { text: form } },
        { ...type('application/json'), content: { text: tokens } },
      ),
      masked,
    );
    // Headers may be missing, and bodies may be Base64.
    const content = { mimeType: 'application/json', encoding: 'base64', text: btoa(tokens) };
    assert.deepEqual(
      observe({ headers: [], postData: { mimeType: FORM, text: form } }, { headers: [], content }),
      masked,
    );
  });

  it('leaves them out of fields of a form, and credentials for push notifications out of Base64', () => {
    const fields = { grant_type: 'password', password: 'p&ss word', client_id: 'bob' };
    const params = Object.entries(fields).map(([name, value]) => ({ name, value }));
    const settings = '{"result":{"url":"https://a.test/","token":"push-token"}}';
    assert.deepEqual(
      observe(
        { headers: [], postData: { mimeType: FORM, params } },
        { content: { encoding: 'base64', text: btoa(settings) } },
      ),
      [
        "The file keeps 3 fields of a form instead of the request's text: they are shown as one text",
        ['out', { text: 'grant_type=password&password=[redacted]&client_id=bob' }],
        ['in', { text: '{"result":{"url":"https://a.test/","token":"[redacted]"}}' }],
      ],
    );
  });

  it('leaves out of the reply to a sign-in all that has a secret name', () => {
    const content = { mimeType: 'application/json', text: '{"sessionToken":"a-secret","page":"b"}' };
    const shown = '{"sessionToken":"[redacted]","page":"b"}';
    for (const postData of [
      { mimeType: FORM, text: 'grant_type=x' },
      { mimeType: FORM, params: [{ name: 'grant_type', value: 'x' }] },
      { mimeType: 'application/json', text: '{"grant_type":"x"}' },
    ])
      assert.deepEqual(observe({ headers: [], postData }, { headers: [], content }).at(-1), [
        'in',
        { text: shown },
      ]);
    const other = observe(
      { headers: [], postData: { mimeType: FORM, text: 'a=x' } },
      { headers: [], content },
    );
    assert.deepEqual(other.at(-1), ['in', { text: content.text }]);
  });

  it('tells where no reply was recorded', () => {
    const request = { method: 'GET', url: 'https://example.invalid/', headers: [] };
    const imported = importTrace(
      JSON.stringify({ log: { entries: [{ startedDateTime: '2026-01-02T03:04:05Z', request }] } }),
      ALL_PROTOCOLS,
    );
    assert.deepEqual(imported.ok && imported.events[1], {
      type: 'end',
      call: 'har#1',
      at: Date.UTC(2026, 0, 2, 3, 4, 5),
      status: 'incomplete',
      message: 'No reply was recorded',
    });
  });
});
