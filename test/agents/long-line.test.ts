import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { KeptFile } from '../../agents/store/kept-file.ts';
import { LongLine } from '../../agents/store/long-line.ts';
import { TraceIndex } from '../../agents/store/trace-index.ts';
import { joinBytes } from '../../core/text/join-bytes.ts';
import { readBytes } from '../../core/events/bytes.ts';
import type { CallEvent, KeptBytes, Redaction, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { printTraceEvent, printTraceHeader } from '../../trace/file.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { picture } from '../unit/trace/support/picture.ts';
import { IS_FULL_SIZE, itAtFullSize, sized } from '../support/size.ts';

const HEADER = printTraceHeader('parley 0');
const MARK = '[redacted]';
const MEGA = 2 ** 20;

const CALL: CallEvent = {
  type: 'call',
  call: 'a',
  trace: 't',
  at: 1,
  agent: 'x',
  protocol: 'aicf',
  title: 'Gruß',
};
const END: TraceEvent = { type: 'end', call: 'a', at: 9, seq: 3, status: 'ok' };

function wire(bytes: KeptBytes, redacted: readonly Redaction[] = []): WireEvent {
  const more = redacted.length === 0 ? {} : { redacted };
  return { type: 'wire', call: 'a', at: 2, seq: 1, direction: 'in', bytes, ...more };
}

/** Bytes of events one after the other, and where secrets were in them. */
function joined(events: readonly TraceEvent[]): { readonly bytes: Uint8Array; readonly redacted: unknown } {
  const wires = events.filter(event => event.type === 'wire');
  let from = 0;
  const redacted = wires.flatMap(event => {
    const found = (event.redacted ?? []).map(each => ({ ...each, at: each.at + from }));
    from += readBytes(event.bytes).length;
    return found;
  });
  return { bytes: joinBytes(wires.map(event => readBytes(event.bytes))), redacted };
}

/** Texts that are hard to cut: all kinds of escapes, characters of one to four bytes, halves of characters. */
const tokens = fc.constantFrom(
  '"',
  '\\',
  '\n',
  'é',
  '漢',
  '🙂',
  '\u0001',
  '\ud83d',
  '\ude42',
  'a',
  '\\u',
  MARK,
);

describe('a long line of a trace file', () => {
  let folder: string;
  let path: string;
  const files: FileHandle[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    path = join(folder, 't.agenttrace.jsonl');
  });
  afterEach(async () => {
    for (const file of files.splice(0)) await file.close();
    await rm(folder, { recursive: true });
  });

  /** Reads a line of its own, beginning somewhere in the file. */
  async function find(line: string | Buffer): Promise<LongLine | undefined> {
    const bytes = Buffer.from(line);
    await writeFile(path, Buffer.concat([Buffer.from('before\n'), bytes, Buffer.from('\nafter')]));
    const file = await open(path, 'r');
    files.push(file);
    return LongLine.find(file, 7, bytes.length);
  }

  async function read(line: string): Promise<readonly WireEvent[] | undefined> {
    const found = await find(line);
    if (!found) return undefined;
    const pieces: WireEvent[] = [];
    for await (const piece of found.pieces()) pieces.push(piece);
    assert.equal(found.kept, joined(pieces).bytes.length);
    return pieces;
  }

  it('is read in pieces that are its bytes, wherever they are cut', async function () {
    this.timeout(60_000);
    const texts = fc.tuple(fc.array(tokens, { minLength: 1, maxLength: 12 }), fc.nat(40));
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async ([some, shift], asBase64) => {
        const unit = some.join('');
        const text = 'x'.repeat(shift) + unit.repeat(Math.ceil((1.8 * MEGA) / Buffer.byteLength(unit)));
        const kept = Buffer.from(text);
        const event = wire(asBase64 ? { base64: kept.toString('base64') } : { text });
        const pieces = await read(printTraceEvent(event).trimEnd());
        assert.ok(pieces && pieces.length > 1);
        assert.deepEqual(
          pieces.map(({ seq, type, call, at, direction }) => ({ seq, type, call, at, direction })),
          pieces.map((_, index) => ({
            seq: index === 0 ? 1 : undefined,
            type: 'wire',
            call: 'a',
            at: 2,
            direction: 'in',
          })),
        );
        assert.ok(Buffer.from(joined(pieces).bytes).equals(kept));
      }),
      { numRuns: sized(12, 1) },
    );
  });

  it('is never cut within the mark of a secret', async () => {
    // Marks of ten bytes without a gap: one lies on every cut.
    const count = 120_000;
    for (const shift of IS_FULL_SIZE ? [1, 2] : [1]) {
      const text = 'é'.repeat(shift) + MARK.repeat(count);
      const redacted = Array.from({ length: count }, (_, at) => ({ at: shift * 2 + at * 10, length: at }));
      const pieces = (await read(printTraceEvent(wire({ text }, redacted)).trimEnd())) ?? [];
      assert.deepEqual(joined(pieces).redacted, redacted);
      for (const piece of pieces) {
        const bytes = Buffer.from(readBytes(piece.bytes));
        const torn = piece.redacted?.find(({ at }) => bytes.toString('latin1', at, at + 10) !== MARK);
        assert.equal(torn, undefined);
      }
      assert.ok(pieces.length > 1);
    }
  });

  it('tells with its first piece what compressed bytes say', async () => {
    const event = { ...wire({ text: 'x'.repeat(3 * MEGA) }), unpacked: { text: 'said' } };
    const pieces = (await read(printTraceEvent(event).trimEnd())) ?? [];
    assert.ok(pieces.length > 1);
    assert.deepEqual(
      pieces.map(({ unpacked }) => unpacked),
      pieces.map((_, at) => ({ text: at === 0 ? 'said' : '' })),
    );
  });

  it('is none where it is broken, or something else', async () => {
    const whole = printTraceEvent(wire({ text: 'x'.repeat(MEGA) })).trimEnd();
    const broken = [
      whole.slice(0, -3),
      whole.slice(0, -1),
      `${whole}}`,
      whole.replace('xx', '\\q'),
      whole.replace('xx', '\u0001'),
      whole.replace('"wire"', '"wires"'),
      whole.replace('"a"', '7'),
      printTraceEvent({ ...END, message: 'x'.repeat(MEGA) }).trimEnd(),
      'x'.repeat(MEGA),
      `"${'x'.repeat(MEGA)}`,
    ];
    for (const line of broken) assert.equal(await read(line), undefined, line.slice(0, 80));
    assert.ok(await read(whole));
  });

  it('is none where its Base64 is none, wherever that is seen', async () => {
    const good = 'QUJD'.repeat(MEGA / 4);
    const BAD = ['?', 'Q', 'QU=?', 'QQ==QUJD', `QQ==${good}`, `?${good}`, `${good}?`, '==='];
    const line = (base64: string): string => printTraceEvent(wire({ base64 })).trimEnd();
    for (const bad of IS_FULL_SIZE ? BAD : BAD.slice(0, 2))
      assert.ok((await read(line(good + bad))) === undefined, bad.slice(0, 8));
    for (const end of IS_FULL_SIZE ? ['', 'QQ==', 'QQ', 'QUI=', 'QUI'] : ['QUI=']) {
      const pieces = (await read(line(good + end))) ?? [];
      assert.ok(Buffer.from(good + end, 'base64').equals(joined(pieces).bytes), end);
    }
  });

  const big = 'Grüße "an" alle\n'.repeat(MEGA / 2 + 1);
  const lines = (): readonly TraceEvent[] => [
    CALL,
    wire({ text: big }, [{ at: 3, length: 17 }]),
    { ...wire({ base64: '/w==' }), seq: 2 },
    END,
  ];

  itAtFullSize('is found by the index of its file, with the rest around it', async () => {
    const events = lines();
    const fold = new TraceFold('counted');
    for (const event of events) fold.add(event);
    // Twice, and cut within the last line, which is the long one.
    const text = HEADER + [...events, ...events].map(printTraceEvent).join('');
    const cut = printTraceEvent(wire({ text: big })).slice(0, -2);
    await writeFile(path, `${text}${cut}`);
    const index = new TraceIndex(path);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    const torn = 'The last line was torn while it was written; it is left out';
    assert.deepEqual([picture(index.fold.trees()), index.notes], [picture(fold.trees()), [torn]]);
    const payload = await index.payload('a');
    assert.deepEqual(
      [Buffer.from(joined(payload).bytes).equals(joined(events).bytes), joined(payload).redacted],
      [true, [{ at: 3, length: 17 }]],
    );
    // The end of the line comes, and with it the event; then its line end, which is no line.
    await writeFile(path, `${text}${cut}}`);
    assert.deepEqual([await index.readOn(), index.notes], [{ ok: true, found: 'more' }, []]);
    await writeFile(path, `${text}${cut}}\n{}\n`);
    await index.readOn();
    assert.deepEqual(index.notes, ["Line 11 is not an event of this format; it is left out: '{}'"]);
  });

  it('that is no event is left out, and said to be', async function () {
    this.timeout(60_000);
    const foreign = 'x'.repeat(9 * MEGA);
    await writeFile(path, `${HEADER}${foreign}\n${printTraceEvent(CALL)}`);
    const index = new TraceIndex(path);
    await index.readOn();
    assert.deepEqual(
      [index.notes, index.fold.trees().length],
      [[`Line 2 has ${9 * MEGA} bytes; it is left out`], 1],
    );
    await writeFile(path, `${foreign}\n`);
    const { ok, message = '' } = { message: undefined, ...(await new TraceIndex(path).readOn()) };
    assert.deepEqual([ok, /^This is not a trace file: .* but is 'xxx/.test(message)], [false, true]);
  });

  itAtFullSize('stays in a file from which others are deleted', async () => {
    const events = lines();
    const other: TraceEvent = { ...CALL, call: 'b' };
    await writeFile(path, HEADER + [other, ...events].map(printTraceEvent).join(''));
    assert.equal(await new KeptFile(path, 'parley 0').remove(new Set(['b'])), undefined);
    const index = new TraceIndex(path);
    await index.readOn();
    assert.deepEqual([index.fold.find('b'), index.notes], [undefined, []]);
    assert.ok(Buffer.from(joined(await index.payload('a')).bytes).equals(joined(events).bytes));
    assert.equal(await new KeptFile(path, 'parley 0').remove(new Set(['a'])), undefined);
    assert.deepEqual((await new TraceIndex(path).readOn()).ok, false);
  });

  itAtFullSize('may be longer than any text that the engine holds', async () => {
    const piece = Buffer.from('x'.repeat(16 * MEGA));
    const [before = '', after = ''] = printTraceEvent(wire({ text: '|' })).split('|');
    const file = await open(path, 'w');
    await file.appendFile(HEADER + printTraceEvent(CALL) + before);
    for (let at = 0; at < 33; at++) await file.appendFile(piece);
    await file.appendFile(after + printTraceEvent({ ...END, seq: 2 }));
    await file.close();
    const index = new TraceIndex(path);
    assert.deepEqual([await index.readOn(), index.notes], [{ ok: true, found: 'more' }, []]);
    const call = index.fold.find('a');
    assert.deepEqual([call?.traffic.bytesIn, call?.status], [33 * 16 * MEGA, 'ok']);
  });
});
