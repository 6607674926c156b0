import assert from 'node:assert/strict';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { describe, it } from 'mocha';
import { OTLP_PROTOBUF } from '../../../agents/collector/otlp-messages.ts';
import { importOtlp } from '../../../trace/import/otlp-json.ts';
import { recordTeam } from './support.ts';

const utf8 = new TextDecoder();

describe('protocol buffers of telemetry, beside the serializers of the official SDK', () => {
  it('reads of the bytes what the JSON of the same spans says', async () => {
    const spans = await recordTeam();
    const json: unknown = JSON.parse(utf8.decode(JsonTraceSerializer.serializeRequest(spans)));
    const decoded = OTLP_PROTOBUF.decode(
      'Export',
      ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array(),
    );
    assert.equal(decoded.ok, true);
    const read = decoded.ok ? importOtlp([decoded.value]) : undefined;
    assert.deepEqual(read, importOtlp([json]));
    assert.equal(read?.ok && read.events.filter(event => event.type === 'call').length, 3);
  });

  it('writes bytes that say what the official ones say', async () => {
    const spans = await recordTeam();
    const json: unknown = JSON.parse(utf8.decode(JsonTraceSerializer.serializeRequest(spans)));
    const own = OTLP_PROTOBUF.encode('Export', json);
    const official = ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array();
    assert.deepEqual(
      stripDefaults(OTLP_PROTOBUF.decode('Export', own)),
      stripDefaults(OTLP_PROTOBUF.decode('Export', official)),
    );
  });

  it('lets the official SDK read our answers', () => {
    const answer = { partialSuccess: { rejectedSpans: '3', errorMessage: 'no ids' } };
    const read = ProtobufTraceSerializer.deserializeResponse(OTLP_PROTOBUF.encode('Answer', answer));
    assert.deepEqual(
      { rejected: Number(read.partialSuccess?.rejectedSpans), message: read.partialSuccess?.errorMessage },
      { rejected: 3, message: 'no ids' },
    );
  });

  it('keeps integers of 64 bits and what JSON has no number for', () => {
    const values = [
      { intValue: '9223372036854775807' },
      { intValue: '-9223372036854775808' },
      { doubleValue: 'NaN' },
      { doubleValue: '-Infinity' },
      { bytesValue: 'AP8=' },
      { kvlistValue: { values: [{ key: '__proto__', value: { boolValue: true } }] } },
    ];
    const list = { values };
    assert.deepEqual(OTLP_PROTOBUF.decode('ArrayValue', OTLP_PROTOBUF.encode('ArrayValue', list)), {
      ok: true,
      value: list,
    });
  });

  it('passes fields over that it does not know, of every kind', () => {
    // Fields 90 to 93: a number, 8 bytes, text, 4 bytes; then field 2, the message of a status.
    const bytes = Buffer.from(
      'd005ffffffffffffffffff01d9050102030405060708e205026869ed0501020304120178',
      'hex',
    );
    assert.deepEqual(OTLP_PROTOBUF.decode('SpanStatus', bytes), { ok: true, value: { message: 'x' } });
  });

  it('says of every cut where it is, and never throws', async () => {
    const bytes = ProtobufTraceSerializer.serializeRequest(await recordTeam()) ?? new Uint8Array();
    const faults = new Set<string>();
    for (let length = 1; length < bytes.length; length++) {
      const decoded = OTLP_PROTOBUF.decode('Export', bytes.subarray(0, length));
      if (!decoded.ok) faults.add(decoded.message.replace(/\d+/g, 'N'));
      else assert.deepEqual([length, decoded.value], [length, undefined]);
    }
    assert.deepEqual([...faults].sort(), [
      'The body is not a valid OTLP protocol buffer: it is cut off or broken, at byte N',
    ]);
  });

  it('refuses what is nested without end, and writes none of it', () => {
    // Field 5 of a value, which holds field 1 of a list, which holds a value.
    let bytes = Buffer.alloc(0);
    for (let depth = 0; depth < 300; depth++)
      bytes = Buffer.concat([Buffer.from([depth % 2 === 0 ? 0x0a : 0x2a]), lengthOf(bytes), bytes]);
    const decoded = OTLP_PROTOBUF.decode('AnyValue', bytes);
    assert.equal(
      !decoded.ok && decoded.message.replace(/at byte \d+/, 'at N'),
      'The body is not a valid OTLP protocol buffer: its messages are nested more than 200 deep, at N',
    );
    let value: object = { stringValue: 'x' };
    for (let depth = 0; depth < 50_000; depth++) value = { arrayValue: { values: [value] } };
    const written = OTLP_PROTOBUF.decode('AnyValue', OTLP_PROTOBUF.encode('AnyValue', value));
    assert.deepEqual([written.ok, JSON.stringify(written).split('values').length - 1], [true, 100]);
  });
});

function lengthOf({ length }: Buffer): Buffer {
  return length < 128 ? Buffer.from([length]) : Buffer.from([(length & 0x7f) | 0x80, length >> 7]);
}

/** Version 3 has no difference between a default and nothing. */
function stripDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripDefaults);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, member]) => name.endsWith('Value') || (member !== 0 && member !== '' && !isEmpty(member)),
      )
      .map(([name, member]) => [name, stripDefaults(member)]),
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
