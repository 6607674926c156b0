import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { keepBytes } from '../../../agents/stored-bytes.ts';
import { readUnpacked } from '../../../agents/store/unpacked-payload.ts';
import { holdsText } from '../../../trace/search.ts';
import type { TraceFormat } from '../../../trace/export/trace-formats.ts';
import { diffTraces } from '../../../trace/diff/diff.ts';
import { readDiffSide } from '../../../trace/diff/diff-side.ts';
import { joinBytes, decodeUtf8, readBytes } from '../../../core/events/bytes.ts';
import type { HeadEvent, TraceEvent, UnpackedBytes, WireEvent } from '../../../core/events/events.ts';
import { exportTraceText } from '../../../trace/export/export.ts';
import type { ExportSource } from '../../../trace/export/source.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { importTrace } from '../../../trace/import/import.ts';
import { printRawReply } from '../../../trace/raw-reply.ts';
import { readRecordedRequest } from '../../../trace/replay/replay-request.ts';

const ASKED =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"key":"[redacted]"}}}';
const SECRET = { at: ASKED.indexOf('[redacted]'), length: 9, template: '{{secret figma}}' };
const ANSWERED = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"naïve sum"}]}}';

/** A call whose both bodies went compressed, the reply in two pieces that cut a character of what it says. */
function compressed(name: string, pack: (text: string) => Buffer, answer = ANSWERED): readonly TraceEvent[] {
  const [asked, answered] = [pack(ASKED), pack(answer)];
  const cut = Buffer.from(answer).indexOf(0xc3) + 1;
  const said = [Buffer.from(answer).subarray(0, cut), Buffer.from(answer).subarray(cut)] as const;
  const headers = [
    { name: 'content-type', value: 'application/json' },
    { name: 'content-encoding', value: name },
  ];
  const withheld = { bytes: { text: '[redacted]' }, redacted: [{ at: 0, length: asked.length }] };
  const unpacked: UnpackedBytes = { text: ASKED, redacted: [SECRET] };
  const common = { call: 'c', at: 1 } as const;
  return [
    { type: 'call', call: 'c', trace: 't', at: 0, agent: 'sums', protocol: 'mcp', title: 'add' },
    { type: 'head', ...common, seq: 1, direction: 'out', line: 'POST http://127.0.0.1:1/mcp', headers },
    { type: 'wire', ...common, seq: 2, direction: 'out', ...withheld, unpacked },
    { type: 'head', ...common, seq: 3, direction: 'in', line: '200 OK', headers },
    {
      type: 'wire',
      ...common,
      seq: 4,
      direction: 'in',
      bytes: keepBytes(answered.subarray(0, 9)),
      unpacked: keepBytes(said[0]),
    },
    {
      type: 'wire',
      ...common,
      seq: 5,
      direction: 'in',
      bytes: keepBytes(answered.subarray(9)),
      unpacked: keepBytes(said[1]),
    },
    { type: 'end', ...common, seq: 6, status: 'ok' },
  ];
}

const GZIP = compressed('gzip', text => gzipSync(text));
const BROTLI = compressed('br', text => brotliCompressSync(text));

function payloadOf(events: readonly TraceEvent[]): Awaited<ReturnType<ExportSource['payload']>> {
  return events.filter(event => event.type === 'head' || event.type === 'wire');
}

function fold(events: readonly TraceEvent[]): TraceFold {
  const made = new TraceFold();
  for (const event of events) made.add(event);
  return made;
}

function sourceOf(events: readonly TraceEvent[]): ExportSource {
  return {
    protocols: ALL_PROTOCOLS,
    trees: fold(events).trees(),
    payload: () => Promise.resolve(payloadOf(events)),
  };
}

async function write(format: TraceFormat): Promise<string> {
  return exportTraceText(format, sourceOf(GZIP));
}

async function compare(one: readonly TraceEvent[], other: readonly TraceEvent[]): Promise<unknown> {
  const sides = [one, other].map(events => readDiffSide(sourceOf(events), text => text));
  const [before, after] = await Promise.all(sides);
  assert.ok(before && after);
  return diffTraces(before, after).roots.map(({ changes }) => changes);
}

describe('what went compressed', () => {
  it('is read by what it says: in exports', async () => {
    const [aio, markdown] = [await write('aio'), await write('markdown')];
    for (const text of [aio, markdown]) assert.match(text, /naïve sum/);
    for (const text of [aio, markdown]) assert.doesNotMatch(text, /H4sI|base64|no text/);
  });

  it('is exported as HAR 1.2 defines it, and is the same after import', async () => {
    const har = await write('har');
    const packed = gzipSync(ANSWERED).length;
    const { log } = JSON.parse(har) as { log: { entries: { request: unknown; response: unknown }[] } };
    const [entry] = log.entries;
    assert.deepEqual((entry?.response as { content: unknown }).content, {
      size: Buffer.byteLength(ANSWERED),
      compression: Buffer.byteLength(ANSWERED) - packed,
      mimeType: 'application/json',
      text: ANSWERED,
    });
    assert.equal((entry?.response as { bodySize: number }).bodySize, packed);
    const imported = importTrace(har, ALL_PROTOCOLS);
    assert.ok(imported.ok);
    const [before, after] = [fold(GZIP).find('c'), fold([...imported.events]).find('c')];
    const facts = (node: typeof before): unknown => [
      node?.traffic.bytesOut,
      node?.traffic.bytesIn,
      node?.status,
    ];
    assert.deepEqual(facts(after), facts(before));
    assert.deepEqual(
      [...imported.events].flatMap(event => (event.type === 'wire' ? [event.unpacked] : [])),
      [{ text: ASKED }, { text: ANSWERED }],
    );
  });

  it('is the same in a file of ours', async () => {
    const imported = importTrace(await write('agenttrace'), ALL_PROTOCOLS);
    assert.ok(imported.ok);
    assert.doesNotMatch(await write('agenttrace'), /naïve sum/, 'only compressed bytes are stored');
    const texts = (events: readonly (HeadEvent | WireEvent)[]): readonly unknown[] =>
      ['out', 'in'].map(direction =>
        decodeUtf8(
          joinBytes(
            events.flatMap(event =>
              event.type === 'wire' && event.direction === direction
                ? [readBytes(event.unpacked ?? event.bytes)]
                : [],
            ),
          ),
        ),
      );
    assert.deepEqual(texts(await readUnpacked(payloadOf([...imported.events]))), [ASKED, ANSWERED]);
  });

  it('is compared by what it says, however it was compressed', async () => {
    assert.deepEqual(await compare(GZIP, BROTLI), [[]]);
    const other = compressed('gzip', text => gzipSync(text), ANSWERED.replace('sum', 'product'));
    assert.deepEqual(await compare(GZIP, other), [['output']]);
  });

  it('is asked again by what it said, with its secrets where they stood', () => {
    const node = fold(GZIP).find('c');
    assert.ok(node);
    assert.deepEqual(
      readRecordedRequest(node, payloadOf(GZIP), { newId: () => 'new', protocols: ALL_PROTOCOLS }),
      {
        kind: 'request',
        protocol: 'mcp',
        text: ASKED.replace('[redacted]', '{{secret-1}}'),
        holes: [{ placeholder: '{{secret-1}}', need: { kind: 'secret', name: 'figma' }, scheme: '' }],
      },
    );
  });

  it('is found by its words, also by one that two pieces share', () => {
    const node = { attributes: [], names: [], call: fold(GZIP).find('c')?.call } as never;
    const holds = (text: string): boolean => holdsText(node, payloadOf(GZIP), text);
    assert.deepEqual(['naïve', '"arguments"', 'h4si', 'product'].map(holds), [true, true, false, false]);
  });

  it('is shown by what it says, with how many bytes it was', () => {
    const size = gzipSync(ANSWERED).length;
    assert.equal(
      printRawReply(GZIP),
      `200 OK\ncontent-type: application/json\ncontent-encoding: gzip\n\n${ANSWERED}\n# Compressed on the wire: ${size} bytes`,
    );
  });
});
