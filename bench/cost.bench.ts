import { ALL_PROTOCOLS } from '../protocols/all.ts';
import { ENCODINGS } from '../core/catalog/costs.ts';
import { convertText } from '../protocols/convert/convert.ts';
import { readMessages } from '../protocols/convert/read-text.ts';
import { Report } from '../core/message/report.ts';
import type { ConversionName } from '../core/catalog/conversions.ts';
import { costTable, type CostTable } from '../protocols/cost/cost-table.ts';
import type { Encoding } from '../protocols/cost/encoding.ts';
import { runAtOnce } from '../core/text/slices.ts';
import { printTensor } from '../tensor/read-tensor.ts';
import { utf8Length } from '../core/text/utf8.ts';
import { loadEncoding } from '../tokenizers/load.ts';
import { medianOf, type Benchmark, type Row } from './benchmark.ts';
import {
  AICF_DOCUMENT_JSON,
  AICF_DOCUMENT_LINE,
  AICF_DUAL_HEADS,
  AICF_DUAL_JSON,
  AICF_DUAL_LINE,
  AICL_DOCUMENT,
  OUR_MESSAGES,
  TASK_IN_AICL,
  TASK_IN_WORDS,
} from './support/cost-examples.ts';

const RUNS = 15;
/** The number of requests that makes reading long enough to measure. */
const REQUESTS = 2_000;

/** Checks the claims of the protocol documents about tokens, sizes and times, with their examples and ours. */
export const benchmark: Benchmark = {
  title: `The claims of the protocol documents; reading ${REQUESTS} of their requests`,
  async measure() {
    for (const { name } of ENCODINGS) {
      const encoding = await loadEncoding(name);
      console.log(`\nTokens of ${name}`);
      printClaims(encoding);
      for (const [title, text] of SETS) {
        const work = costTable(text, {
          protocols: ALL_PROTOCOLS,
          name,
          encoding,
          now: () => performance.now(),
        });
        printTable(title, runAtOnce(work));
      }
    }
    printImages();
    return measureReading();
  },
};

const SETS: readonly (readonly [title: string, text: string])[] = [
  ["the AICF document's request", JSON.stringify(AICF_DOCUMENT_JSON)],
  ["the whitepaper's tool call", AICL_DOCUMENT],
  ['ten messages of our own', OUR_MESSAGES],
];

/** Prints the claims: what is compared, and by how much it is smaller. */
function printClaims(encoding: Encoding): void {
  const count = (text: string): number => encoding.count(text).tokens;
  const pairs: readonly (readonly [name: string, more: string, less: string])[] = [
    [
      '87.5 %: AICF against JSON-RPC, pretty',
      JSON.stringify(AICF_DOCUMENT_JSON, null, 2),
      AICF_DOCUMENT_LINE,
    ],
    ['87.5 %: AICF against JSON-RPC, minified', JSON.stringify(AICF_DOCUMENT_JSON), AICF_DOCUMENT_LINE],
    ['80 %: AICF against JSON-RPC, pretty', JSON.stringify(AICF_DUAL_JSON, null, 2), AICF_DUAL_LINE],
    ['80 %: AICF against JSON-RPC, minified', JSON.stringify(AICF_DUAL_JSON), AICF_DUAL_LINE],
    [
      '80 %: the same with the heads that are printed',
      AICF_DUAL_HEADS[0] + JSON.stringify(AICF_DUAL_JSON, null, 2),
      AICF_DUAL_HEADS[1] + AICF_DUAL_LINE,
    ],
    ['57.1 %: AICL against words, a task of ours', TASK_IN_WORDS, TASK_IN_AICL],
  ];
  for (const [name, more, less] of pairs) {
    const tokens = [count(more), count(less)] as const;
    const bytes = [utf8Length(more), utf8Length(less)] as const;
    console.log(
      `  ${name.padEnd(50)} ${describeLess('tokens', ...tokens)}   ${describeLess('bytes', ...bytes)}`,
    );
  }
}

function describeLess(unit: string, more: number, less: number): string {
  return `${String(more).padStart(4)} to ${String(less).padStart(4)} ${unit}, ${((1 - less / more) * 100).toFixed(1).padStart(5)} % fewer`;
}

function printTable(title: string, { rows }: CostTable): void {
  console.log(`\n  ${title}`);
  for (const { protocol, layout, bytes, byteRatio, tokens, tokenRatio, parseRatio = 0, losses } of rows) {
    const cells = [
      (protocol ?? 'mixed').padEnd(10),
      layout.padEnd(8),
      `${bytes} bytes`.padStart(12),
      byteRatio.toFixed(2).padStart(6),
      `${tokens} tokens`.padStart(12),
      tokenRatio.toFixed(2).padStart(6),
      `parse ${parseRatio.toFixed(2)}`.padStart(12),
      `${losses} losses`,
    ];
    console.log(`    ${cells.join('  ')}`);
  }
}

/** The size of an RGB image of 224 × 224 pixels: `json.dumps(tensor.tolist())` compared with Base85. */
function printImages(): void {
  console.log(
    '\nA picture of 224 × 224 × 3: nested lists in JSON against AICL (claimed: 150 KB against 110 KB)',
  );
  for (const [name, pixel] of PICTURES) {
    for (const dtype of ['uint8', 'float32'] as const) {
      const bytes = Uint8Array.from({ length: SIDE * SIDE * CHANNELS }, (_, index) => pixel(index));
      const values = dtype === 'uint8' ? bytes : Float32Array.from(bytes, value => value / 255);
      const data = new Uint8Array(values.buffer);
      const aicl = printTensor({ dtype, shape: [SIDE, SIDE, CHANNELS], bytes: data });
      const [spaced, minified] = [', ', ','].map(comma => printLists(values, comma).length);
      const cells = [`json.dumps ${spaced}`, `minified JSON ${minified}`, `AICL ${aicl.length}`];
      console.log(`  ${`${name}, ${dtype}`.padEnd(18)}  ${cells.join('   ')} bytes`);
    }
  }
}

const SIDE = 224;
const CHANNELS = 3;

/** Pixel values by index. */
const PICTURES: readonly (readonly [name: string, pixel: (index: number) => number])[] = [
  ['black', () => 0],
  ['a gradient', index => Math.floor(index / CHANNELS) % SIDE],
  ['noise', index => (Math.imul(index + 1, 2_654_435_761) >>> 13) & 255],
];

/**
 * Rows of pixels of channels in the format of Python's `json.dumps`;
 * floats are the shortest text that reads back as the same double.
 */
function printLists(values: ArrayLike<number>, comma: string): string {
  const list = (from: number, sizes: readonly number[]): string => {
    const [size = 1, ...inner] = sizes;
    const step = inner.reduce((product, each) => product * each, 1);
    const items = Array.from({ length: size }, (_, at) =>
      inner.length === 0 ? String(values[from + at]) : list(from + at * step, inner),
    );
    return `[${items.join(comma)}]`;
  };
  return list(0, [SIDE, SIDE, CHANNELS]);
}

/**
 * The claims "10x faster than JSON" (AICF) and "320 to 85 ms" (AICL, a task): the same requests in both notations, read by
 * our readers and by minimal ones.
 */
async function measureReading(): Promise<readonly Row[]> {
  const aicf = Array.from({ length: REQUESTS }, (_, id) => `CALL|figma.getFile|abc${id}|1.0`);
  const json = aicf.map((_, id) =>
    JSON.stringify({
      ...AICF_DOCUMENT_JSON,
      params: { tool: 'figma.getFile', arguments: { fileKey: `abc${id}`, version: '1.0' } },
      id,
    }),
  );
  const engine = 'JSON-RPC, JSON.parse';
  const ours = 'JSON-RPC, Parley';
  return [
    await time('AICF, split at its bars', 'floor', () => aicf.map(splitLine), [engine]),
    await time(engine, 'floor', () => json.map(line => JSON.parse(line) as unknown), []),
    await time('AICF, Parley', 'ours', () => read(aicf, 'aicf'), [ours]),
    await time(ours, 'peer', () => read(json, 'json-rpc'), []),
    ...(await measureTask()),
  ];
}

/** The task of the size claim; JSON is what Parley converts it to. */
async function measureTask(): Promise<readonly Row[]> {
  const aicl = Array.from({ length: REQUESTS }, () => TASK_IN_AICL.trim());
  const options = { protocols: ALL_PROTOCOLS, from: 'aicl', to: 'json', layout: 'compact' } as const;
  const json = convertText(aicl.join('\n'), options).text.trimEnd().split('\n');
  const engine = 'a task in JSON, JSON.parse';
  const ours = 'a task in JSON, Parley';
  return [
    await time(engine, 'floor', () => json.map(line => JSON.parse(line) as unknown), []),
    await time('a task in AICL, Parley', 'ours', () => read(aicl, 'aicl'), [engine, ours]),
    await time(ours, 'peer', () => read(json, 'json'), []),
  ];
}

async function time(
  name: string,
  kind: Row['kind'],
  work: () => unknown,
  against: readonly string[],
): Promise<Row> {
  const medianMs = await medianOf(RUNS, work);
  return { name, kind, medianMs, runs: RUNS, against: against.map(row => ({ row })) };
}

function read(lines: readonly string[], from: ConversionName): void {
  readMessages(`${lines.join('\n')}\n`, { protocols: ALL_PROTOCOLS, from, report: new Report() });
}

/** A minimal reader of the documented line format: fields and their escapes. */
function splitLine(line: string): readonly string[] {
  const fields: string[] = [];
  let field = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '|') {
      fields.push(field);
      field = '';
    } else if (character === '\\') {
      const next = line.charAt(++at);
      field += next === 'n' ? '\n' : next;
    } else field += character;
  }
  return [...fields, field];
}
