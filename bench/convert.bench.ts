import { ALL_PROTOCOLS } from '../protocols/all.ts';
import assert from 'node:assert/strict';
import { DEFAULT_ENCODING } from '../core/catalog/costs.ts';
import type { ConversionName } from '../core/catalog/conversions.ts';
import { DEFAULT_SETTINGS } from '../core/catalog/settings.ts';
import { convertText } from '../protocols/convert/convert.ts';
import { readMessages } from '../protocols/convert/read-text.ts';
import { Report } from '../core/message/report.ts';
import { LANGUAGE_SUPPORT } from '../language/languages.ts';
import { encodeBase85 } from '../tensor/base85.ts';
import { utf8Length } from '../core/text/utf8.ts';
import { loadEncoding } from '../tokenizers/load.ts';
import { findMedian, medianOf, type Benchmark, type Comparison, type Row } from './benchmark.ts';
import { makeSession } from './support/session.ts';

const RUNS = 3;
const ROUNDS = 5;
const LENGTH = 10_000_000;

/**
 * The minimum ratio of parsing time to conversion time, for the editor's parser and for the message reader: a
 * conversion may take at most twice as long.
 */
const HALF = 0.5;

/** The minimum speed of counting tokens: one megabyte per second. */
const LEAST_BYTES_A_MS = 1_000;

/** Converts 10 MB of messages compared with reading them, and measures the speed of counting tokens. */
export const benchmark: Benchmark = {
  title: 'Converting 10 MB of messages, against parsing them; counting tokens',
  async measure() {
    const { aicl } = makeSession(LENGTH);
    const json = convertText(aicl, {
      protocols: ALL_PROTOCOLS,
      from: 'aicl',
      to: 'json',
      layout: 'compact',
    }).text;
    const aicf = makeAicf();
    return [
      ...(await inTurns(aicl, [
        open('AICL', () => LANGUAGE_SUPPORT.aicl.open(aicl, DEFAULT_SETTINGS)),
        read(aicl, 'aicl'),
        ...(['json', 'mcp', 'json-rpc', 'aio'] as const).map(to =>
          convert(aicl, 'aicl', to, ['open AICL, the editor’s parser', 'read aicl']),
        ),
      ])),
      ...(await inTurns(json, [
        {
          name: 'JSON.parse, a line each',
          kind: 'floor',
          work: () =>
            json
              .trimEnd()
              .split('\n')
              .map(line => JSON.parse(line) as unknown),
        },
        read(json, 'json'),
        convert(json, 'json', 'aicl', ['read json']),
        convert(json, 'json', 'mcp', ['read json']),
      ])),
      ...(await inTurns(aicf, [
        // Opening AICF only finds lines; validation reads them.
        open('AICF', () => LANGUAGE_SUPPORT.aicf.open(aicf, DEFAULT_SETTINGS).validate()),
        read(aicf, 'aicf'),
        convert(aicf, 'aicf', 'json-rpc', ['read aicf']),
      ])),
      ...(await countTokens([['AICL', aicl], ['JSON', json], ['AICF', aicf], ...PATTERNS])),
    ];
  },
};

function makeAicf(): string {
  const lines: string[] = [];
  for (let index = 0, length = 0; length < LENGTH; index++) {
    const line =
      index % 2 === 0
        ? `CALL|weather.forecast|Zürich|${index % 7}|{"units":["metric",1.5,true]}`
        : `OK|{"high":${(index % 40) + 0.5},"low":-${index % 9},"sky":"a few clouds, later rain"}`;
    lines.push(line);
    length += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}

/** A row that is not measured yet. */
interface Measured extends Pick<Row, 'name' | 'kind' | 'against'> {
  readonly work: () => unknown;
}

function open(language: string, work: () => unknown): Measured {
  return { name: `open ${language}, the editor’s parser`, kind: 'peer', work };
}

function read(text: string, from: ConversionName): Measured {
  const work = (): void => {
    const { messages } = readMessages(text, { protocols: ALL_PROTOCOLS, from, report: new Report() });
    assert.ok(messages.length > 1_000);
  };
  return { name: `read ${from}`, kind: 'peer', work };
}

function convert(text: string, from: ConversionName, to: ConversionName, peers: readonly string[]): Measured {
  const work = (): unknown => convertText(text, { protocols: ALL_PROTOCOLS, from, to, layout: 'compact' });
  const against = peers.map((peer): Comparison => ({ row: peer, atLeast: HALF }));
  return { name: `${from} to ${to}`, kind: 'ours', work, against };
}

/** Measures works in turns, round by round, so that other load on the machine affects all of them equally. */
async function inTurns(text: string, works: readonly Measured[]): Promise<readonly Row[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, { work }] of works.entries()) times[index]?.push(await medianOf(1, work));
  return works.map(({ name, kind, against = [] }, index) => {
    const medianMs = findMedian(times[index] ?? []);
    const note = `${(utf8Length(text) / 1_000 / medianMs).toFixed(1)} MB/s`;
    return { name, kind, medianMs, runs: ROUNDS, note, against };
  });
}

async function countTokens(
  texts: readonly (readonly [name: string, text: string])[],
): Promise<readonly Row[]> {
  const encoding = await loadEncoding(DEFAULT_ENCODING);
  const rows: Row[] = [];
  for (const [name, text] of texts) {
    assert.ok(encoding.count(text).isExact);
    const counted = await row(`tokens of ${name}`, 'ours', text, () => encoding.count(text));
    rows.push({ ...counted, maxMs: utf8Length(text) / LEAST_BYTES_A_MS });
  }
  return rows;
}

/** Inputs that are slow for tokenizers: payloads, and long runs without boundaries. */
const PATTERNS: readonly (readonly [name: string, text: string])[] = [
  ['Base85', encodeBase85(makeBytes(8_000_000))],
  ['Base64', Buffer.from(makeBytes(7_500_000)).toString('base64')],
  ['one letter', 'a'.repeat(1_000_000)],
  ['letters', Array.from(makeBytes(1_000_000), byte => String.fromCharCode(97 + (byte % 26))).join('')],
  ['one emoji', '😀'.repeat(250_000)],
  ['blanks', ' '.repeat(1_000_000)],
];

/** Reproducible bytes (xorshift, Marsaglia 2003). */
function makeBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 2_463_534_242;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  return bytes;
}

async function row(name: string, kind: Row['kind'], text: string, work: () => unknown): Promise<Row> {
  const medianMs = await medianOf(RUNS, work);
  const note = `${(utf8Length(text) / 1_000 / medianMs).toFixed(1)} MB/s`;
  return { name, kind, medianMs, runs: RUNS, note };
}
