import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import {
  AICF_DOCUMENT_JSON,
  AICF_DOCUMENT_LINE,
  AICF_DUAL_HEADS,
  AICF_DUAL_JSON,
  AICF_DUAL_LINE,
  OUR_MESSAGES,
  TASK_IN_AICL,
  TASK_IN_WORDS,
} from '../../../bench/support/cost-examples.ts';
import { itAtFullSize } from '../../support/size.ts';
import { CONVERSIONS } from '../../../core/catalog/conversions.ts';
import type { EncodingName } from '../../../core/catalog/costs.ts';
import { costTable } from '../../../protocols/cost/cost-table.ts';
import type { Encoding } from '../../../protocols/cost/encoding.ts';
import { printTensor } from '../../../tensor/read-tensor.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import { ROOT } from '../../../scripts/root.ts';
import { loadEncoding } from '../../../tokenizers/load.ts';

const DOCUMENT = readFileSync(join(ROOT, 'docs/cost.md'), 'utf8');

/** How much less one number is than another, as the document says it. */
function less(more: number, fewer: number): string {
  return `${((1 - fewer / more) * 100).toFixed(1)} %`;
}

function has(sentence: string): void {
  assert.ok(DOCUMENT.includes(sentence), `docs/cost.md does not say: ${sentence}`);
}

const pretty = (value: unknown): string => JSON.stringify(value, undefined, 2);
const minified = (value: unknown): string => JSON.stringify(value);

describe('docs/cost.md', () => {
  const encodings = new Map<EncodingName, Encoding>();
  before(async () => {
    for (const name of ['o200k_base', 'cl100k_base'] as const) encodings.set(name, await loadEncoding(name));
  });

  function count(text: string, name: EncodingName = 'o200k_base'): number {
    const counted = encodings.get(name)?.count(text);
    assert.ok(counted?.isExact);
    return counted.tokens;
  }

  it('says of the claims of AICF what its own examples take', () => {
    const [wide, narrow, line] = [
      pretty(AICF_DOCUMENT_JSON),
      minified(AICF_DOCUMENT_JSON),
      AICF_DOCUMENT_LINE,
    ];
    const [a, b, c] = [count(wide), count(narrow), count(line)];
    has(
      `| ${a} to ${c} tokens, ${less(a, c)} fewer. Against minified JSON ${b} to ${c}, ${less(b, c)} fewer. `,
    );
    const [d, e, f] = [wide, narrow, line].map(text => count(text, 'cl100k_base')) as [
      number,
      number,
      number,
    ];
    has(` With cl100k_base ${d} to ${f} (${less(d, f)}) and ${e} to ${f} (${less(e, f)}) `);
    const [g, h, i] = [count(pretty(AICF_DUAL_JSON)), count(minified(AICF_DUAL_JSON)), count(AICF_DUAL_LINE)];
    has(`| ${g} to ${i} tokens, ${less(g, i)} fewer, against JSON as the document prints it. `);
    has(` Against minified JSON, which is what is sent, ${h} to ${i}, ${less(h, i)}. `);
    const [j, k] = [
      count(AICF_DUAL_HEADS[0] + pretty(AICF_DUAL_JSON)),
      count(AICF_DUAL_HEADS[1] + AICF_DUAL_LINE),
    ];
    has(` With the HTTP heads that stand there ${j} to ${k}, ${less(j, k)} |`);
  });

  it('says of the claim of AICL what a task of ours takes', () => {
    const [words, aicl] = [utf8Length(TASK_IN_WORDS), utf8Length(TASK_IN_AICL)];
    const [more, fewer] = [count(TASK_IN_WORDS), count(TASK_IN_AICL)];
    has(
      ` ${words} to ${aicl} bytes, ${less(words, aicl)} smaller, but only ${less(more, fewer)} fewer tokens, ${more} to ${fewer} `,
    );
  });

  it('an image takes less in AICL than as lists in JSON, but for a picture of zeros as float32', () => {
    const [uint8, float32] = (['uint8', 'float32'] as const).map(dtype => imageSizes(dtype, [16, 16, 3]));
    assert.ok(uint8 && float32);
    assert.deepEqual(
      [uint8, float32].map(({ aicl, minified }) => minified.map(size => aicl < size)),
      [
        [true, true, true],
        [false, true, true],
      ],
    );
  });

  itAtFullSize('says what an image takes, in AICL and as lists in JSON', () => {
    const uint8 = imageSizes('uint8', SHAPE);
    const float32 = imageSizes('float32', SHAPE);
    const kilobytes = (bytes: number): number => Math.round(bytes / 1000);
    const range = (sizes: readonly number[]): string =>
      `${kilobytes(Math.min(...sizes))} to ${kilobytes(Math.max(...sizes))} KB`;
    has(
      ` As uint8 ${kilobytes(uint8.aicl)} KB against ${range(uint8.spaced)} in JSON (${range(uint8.minified)} minified). `,
    );
    const most = (Math.max(...float32.spaced) / 1_000_000).toFixed(1);
    has(` As float32 ${kilobytes(float32.aicl)} KB against up to ${most} MB. `);
    has(` a picture of zeros is shorter in JSON (${kilobytes(float32.spaced[0] ?? 0)} KB) `.trimStart());
  });

  it('lists what a request and ten messages take in every protocol, the least first', () => {
    const rows = [...DOCUMENT.matchAll(/^\| ([\w -]+?) +\| +([\d,]+) \| +([\d,]+) \| +(\d+) \|$/gm)];
    const reported = rows.map(([, name, ...numbers]) => [
      name,
      ...numbers.map(number => Number(number.replace(',', ''))),
    ]);
    const encoding = encodings.get('o200k_base');
    assert.ok(encoding);
    const sent = [minified(AICF_DOCUMENT_JSON), OUR_MESSAGES].map(text => {
      const { rows: all } = runAtOnce(
        costTable(text, { protocols: ALL_PROTOCOLS, name: 'o200k_base', encoding }),
      );
      return new Map(
        all
          .filter(({ layout }) => layout === 'compact' || layout === 'single')
          .map(row => [row.protocol, row] as const),
      );
    });
    const found = CONVERSIONS.map(({ name, short }) => {
      const [request, ten] = sent.map(table => table.get(name));
      return [short, request?.tokens, ten?.tokens, ten?.losses];
    });
    assert.deepEqual(
      reported,
      found.toSorted(([, , one], [, , other]) => Number(one) - Number(other)),
    );
  });
});

const SHAPE = [224, 224, 3] as const;

/** Black, a gradient and noise: the pixels of the benchmark. */
const PICTURES: readonly ((index: number) => number)[] = [
  () => 0,
  index => Math.floor(index / 3) % 224,
  index => (Math.imul(index + 1, 2_654_435_761) >>> 13) & 255,
];

/** Bytes of pictures of a size: of one as AICL, of each as JSON as Python's json.dumps has it, and without blanks. */
function imageSizes(
  dtype: 'uint8' | 'float32',
  shape: typeof SHAPE | readonly [16, 16, 3],
): {
  readonly aicl: number;
  readonly spaced: readonly number[];
  readonly minified: readonly number[];
} {
  const [height, width, channels] = shape;
  const texts = PICTURES.map(pixel => {
    const bytes = Uint8Array.from({ length: height * width * channels }, (_, index) => pixel(index));
    const values = dtype === 'uint8' ? bytes : Float32Array.from(bytes, value => value / 255);
    const lists = Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => [
        ...values.slice((y * width + x) * 3, (y * width + x + 1) * 3),
      ]),
    );
    const json = minified(lists);
    const data = new Uint8Array(values.buffer);
    return { json, aicl: printTensor({ dtype, shape, bytes: data }).length };
  });
  return {
    aicl: texts[0]?.aicl ?? 0,
    spaced: texts.map(({ json }) => json.replaceAll(',', ', ').length),
    minified: texts.map(({ json }) => json.length),
  };
}
