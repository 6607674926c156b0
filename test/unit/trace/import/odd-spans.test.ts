import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TraceEvent } from '../../../../core/events/events.ts';
import { importOtlp } from '../../../../trace/import/otlp-json.ts';

const SPAN = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'x',
  startTimeUnixNano: '1000000',
  endTimeUnixNano: '2000000',
};

const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } });

/** The events and the notes of a span with other members. */
function read(
  span: object,
  resource: readonly object[] = [],
): { readonly events: readonly TraceEvent[]; readonly notes: readonly string[] } {
  const imported = importOtlp([
    {
      resourceSpans: [
        { resource: { attributes: resource }, scopeSpans: [{ spans: [{ ...SPAN, ...span }] }] },
      ],
    },
  ]);
  assert.ok(imported.ok);
  return imported;
}

function attributesOf({ events }: { readonly events: readonly TraceEvent[] }): readonly unknown[] {
  return events.flatMap(event =>
    event.type === 'attributes' ? event.attributes.map(({ name, json }) => [name, json]) : [],
  );
}

function notesOf({ events }: { readonly events: readonly TraceEvent[] }): readonly string[] {
  return events.flatMap(event => (event.type === 'note' ? [event.text] : []));
}

describe('a span of OpenTelemetry', () => {
  it('goes on where it has no end, or one at zero', () => {
    for (const endTimeUnixNano of ['0', undefined, 'soon'])
      assert.deepEqual(
        read({ endTimeUnixNano }).events.map(event => event.type),
        ['call'],
      );
  });

  it('has no parent whose id is all zeros, and is none itself with such an id', () => {
    const [call] = read({ parentSpanId: '0'.repeat(16) }).events;
    assert.deepEqual(call?.type === 'call' && call.parent, undefined);
    for (const unexpected of [{ traceId: '0'.repeat(32) }, { spanId: 'AAAAAAAAAAA=' }, { spanId: 7 }]) {
      const { events, notes } = read(unexpected);
      assert.deepEqual([events.length, notes.length], [0, 1], JSON.stringify(unexpected));
    }
  });

  it('tells no credential, in its attributes or in those of its events', () => {
    const reported = read({
      attributes: [
        text('url.query', 'token=secret1&a=b'),
        text('url.fragment', 'access_token=secret6&state=b'),
        text('url.full', 'http://me:secret2@h/?api_key=secret3'),
        text('http.request.header.x_api_key', 'secret4'),
      ],
      events: [{ name: 'asked', attributes: [text('http.request.header.authorization', 'secret5')] }],
    });
    assert.deepEqual(attributesOf(reported), [
      ['url.query', '"token=[redacted]&a=b"'],
      ['url.fragment', '"access_token=[redacted]&state=b"'],
      ['url.full', '"http://[redacted]@h/?api_key=[redacted]"'],
      ['http.request.header.x_api_key', '"[redacted]"'],
    ]);
    assert.deepEqual(notesOf(reported), ['asked: http.request.header.authorization "[redacted]"']);
  });

  it('has an attribute of its resource once, in its own words', () => {
    const reported = read({ attributes: [text('host.name', 'own')] }, [
      text('host.name', 'other'),
      text('os.type', 'linux'),
    ]);
    assert.deepEqual(attributesOf(reported), [
      ['host.name', '"own"'],
      ['os.type', '"linux"'],
    ]);
  });

  it('tells a hundred events and a hundred links, and how many more there are', () => {
    const notes = notesOf(
      read({
        events: Array.from({ length: 103 }, (_, at) => ({ name: `e${at}` })),
        links: Array.from({ length: 102 }, () => ({ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) })),
      }),
    );
    assert.deepEqual(
      [notes.length, notes[99], notes.at(-1)],
      [201, 'e99', '5 more events and links of this span are left out'],
    );
  });

  it('keeps a zero below zero, and says where values are nested deep', () => {
    const nest = (depth: number): object =>
      depth === 0 ? { intValue: '1' } : { arrayValue: { values: [nest(depth - 1)] } };
    const attributes = attributesOf(
      read({
        attributes: [
          { key: 'zero', value: { doubleValue: -0 } },
          { key: 'text', value: { doubleValue: '-0' } },
          { key: 'deep', value: nest(100) },
        ],
      }),
    );
    const left = '"nested more than 64 deep; left out"';
    assert.deepEqual(attributes, [
      ['zero', '-0.0'],
      ['text', '-0.0'],
      ['deep', `${'['.repeat(65)}${left}${']'.repeat(65)}`],
    ]);
  });
});
