import type { DtypeName } from '../core/catalog/dtypes.ts';
import { DEFAULT_SETTINGS } from '../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../language/languages.ts';
import { decodeBase85, encodeBase85 } from '../tensor/base85.ts';
import { medianOf, type Benchmark, type Row } from './benchmark.ts';

const RUNS = 9;
/** The duration in milliseconds above which a hover is noticeably slow. */
const MAX_MS = 100;
const BYTES = 10_000_000;
const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],\n[s:data]:';

/** A hover on a tensor of 10 MB with its picture, compared with decoding all of its data. */
export const benchmark: Benchmark = {
  title: 'Hover on a tensor of 10 MB, with statistics and picture',
  async measure() {
    const payload = encodeBase85(makeBytes());
    const wrapped = payload.replace(/.{120}/g, line => `${line}\n`);
    return [
      await measureHover('float32', '500,5000', payload, 'one line'),
      await measureHover('float32', '500,5000', wrapped, 'wrapped'),
      await measureHover('uint8', '2000,5000', payload, 'one line'),
      await measureHover('int64', '250,5000', payload, 'one line'),
      await measureHover('float32', '2500000', payload, 'one line'),
      await measureHints(wrapped),
      {
        name: 'Base85 decoded as a whole',
        kind: 'floor',
        medianMs: await medianOf(RUNS, () => decodeBase85(payload)),
        runs: RUNS,
      },
    ];
  },
};

/** Float32 waves, similar to weights and signals. */
function makeBytes(): Uint8Array {
  const numbers = Float32Array.from({ length: BYTES / 4 }, (_, at) => Math.sin(at / 100) * (1 + at / BYTES));
  return new Uint8Array(numbers.buffer);
}

async function measureHover(dtype: DtypeName, shape: string, payload: string, how: string): Promise<Row> {
  const text = `${HEAD}[t:${dtype}:${shape}:${payload}]]\n`;
  const document = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
  let note = '';
  const hover = (): void => {
    const found = document.hover(text.length / 2);
    const picture = found?.draw?.();
    if (!picture) throw new Error('the tensor has no picture');
    note = `${/a sample of [\d,]+/.exec(found?.markdown ?? '')?.[0] ?? 'all elements'}, picture of ${picture.png.length} bytes`;
  };
  const medianMs = await medianOf(RUNS, hover);
  return {
    name: `Parley, ${dtype} ${shape}, ${how}`,
    kind: 'ours',
    medianMs,
    runs: RUNS,
    note,
    maxMs: MAX_MS,
  };
}

/** Measures the hint of a tensor while keys are typed next to it; the result is cached. */
async function measureHints(payload: string): Promise<Row> {
  const text = `${HEAD}[t:float32:500,5000:${payload}],[s:note]:[s:a]]\n`;
  let document = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
  const screen = { start: 0, end: HEAD.length + 10_000 };
  const first = performance.now();
  document.hints(screen);
  const firstMs = performance.now() - first;
  const type = (): void => {
    document = document.edit({ span: { start: text.length - 4, end: text.length - 4 }, newText: 'x' });
    const [hint] = document.hints(screen);
    if (!hint?.label.includes('mean')) throw new Error('the tensor has no hint');
  };
  const medianMs = await medianOf(RUNS, type);
  const note = `the first hint took ${firstMs.toFixed(0)} ms`;
  return { name: 'Parley, a key beside it, and its hint', kind: 'ours', medianMs, runs: RUNS, note };
}
