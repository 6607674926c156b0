import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { checkBase85, decodeBase85, encodeBase85 } from '../tensor/base85.ts';
import { Payload } from '../tensor/payload.ts';
import { SourceText } from '../core/text/source-text.ts';
import { findMedian, medianOf, type Benchmark, type Comparison, type Row } from './benchmark.ts';
import { timePython } from './support/python.ts';

const RUNS = 15;
const PYTHON_RUNS = 3;
const BYTES = 16_000_000;
const SLICE = 65_536;

const PYTHON_DECODE = "Python's base64.b85decode";
const PYTHON_ENCODE = "Python's base64.b85encode";
const NODE_DECODE = "Node's Buffer.from(text, 'base64')";
const NODE_ENCODE = "Node's toString('base64')";

/** Base85 in both directions compared with Python's implementation, and with native Base64 as the lower bound. */
export const benchmark: Benchmark = {
  title: `Base85 of ${BYTES / 1e6} MB: decode, encode, check, a slice`,
  async measure() {
    const bytes = makeBytes();
    const text = encodeBase85(bytes);
    assert.deepEqual(decodeBase85(text), bytes);
    return [
      ...(await measureWhole(bytes, text)),
      ...(await measureParts(text)),
      ...measurePython(bytes, text),
      ...(await measureNode(bytes)),
    ];
  },
};

async function measureWhole(bytes: Uint8Array, text: string): Promise<readonly Row[]> {
  return [
    await measureRow('Parley, decode', () => decodeBase85(text), {
      atLeast: 400,
      against: [{ row: PYTHON_DECODE, atLeast: 30 }, { row: NODE_DECODE }],
    }),
    await measureRow('Parley, encode', () => encodeBase85(bytes), {
      atLeast: 150,
      against: [{ row: PYTHON_ENCODE, atLeast: 10 }, { row: NODE_ENCODE }],
    }),
  ];
}

/** Work as in the editor: chunked text, wrapped lines, a slice of a large tensor. */
async function measureParts(text: string): Promise<readonly Row[]> {
  const source = SourceText.of(text);
  const wrapped = SourceText.of(text.replace(/.{120}/g, '$&\n'));
  const payload = Payload.of(wrapped, { start: 0, end: wrapped.length });
  return [
    await measureRow('Parley, check, a document', () => checkBase85(source, 0, source.length)),
    await measureRow('Parley, check and index, wrapped at 120', () =>
      Payload.of(wrapped, { start: 0, end: wrapped.length }),
    ),
    await measureRow('Parley, decode, wrapped at 120', () => decodeBase85(wrapped)),
    {
      name: 'Parley, a slice of 64 KiB, wrapped at 120',
      kind: 'ours',
      medianMs: await medianOf(RUNS, () => payload?.read(BYTES / 2, BYTES / 2 + SLICE)),
      runs: RUNS,
    },
  ];
}

async function measureRow(
  name: string,
  work: () => unknown,
  held: { readonly atLeast?: number; readonly against?: readonly Comparison[] } = {},
): Promise<Row> {
  const medianMs = await medianOf(RUNS, work);
  const { atLeast, against } = held;
  return {
    name,
    kind: 'ours',
    medianMs,
    runs: RUNS,
    note: atLeast ? `${showRate(medianMs)} (at least ${atLeast})` : showRate(medianMs),
    ...(atLeast && { maxMs: BYTES / 1e3 / atLeast }),
    ...(against && { against }),
  };
}

/** Runs the same work in Python, which must produce the same bytes. */
function measurePython(bytes: Uint8Array, text: string): readonly Row[] {
  const rows = [
    {
      name: PYTHON_DECODE,
      run: timePython('work = lambda: base64.b85decode(given)', text, PYTHON_RUNS),
      answer: bytes,
    },
    {
      name: PYTHON_ENCODE,
      run: timePython('work = lambda: base64.b85encode(given)', bytes, PYTHON_RUNS),
      answer: text,
    },
  ].flatMap(({ name, run, answer }): readonly Row[] => {
    if (!run) return [];
    assert.equal(run.digest, createHash('sha256').update(answer).digest('hex'), `${name} differs`);
    const medianMs = findMedian(run.times);
    return [{ name, kind: 'peer', medianMs, runs: PYTHON_RUNS, note: showRate(medianMs) }];
  });
  if (rows.length === 0) console.log('\nNo python3: its rows are left out');
  return rows;
}

async function measureNode(bytes: Uint8Array): Promise<readonly Row[]> {
  const buffer = Buffer.from(bytes.buffer);
  const text = buffer.toString('base64');
  const works = [
    [NODE_DECODE, () => Buffer.from(text, 'base64')],
    [NODE_ENCODE, () => buffer.toString('base64')],
  ] as const;
  const rows: Row[] = [];
  for (const [name, work] of works) {
    const medianMs = await medianOf(RUNS, work);
    rows.push({ name, kind: 'floor', medianMs, runs: RUNS, note: showRate(medianMs) });
  }
  return rows;
}

function showRate(medianMs: number): string {
  return `${(BYTES / 1e3 / medianMs).toFixed(0)} MB/s`;
}

/** Reproducible bytes without a pattern that the processor could predict (xorshift, Marsaglia 2003). */
function makeBytes(): Uint8Array {
  const words = new Uint32Array(BYTES / 4);
  let state = 2_463_534_242;
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer);
}
