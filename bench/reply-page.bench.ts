import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Benchmark, Row } from './benchmark.ts';

/** A separate program, because it uses a browser with the tests' support code. */
const FIGURES = fileURLToPath(new URL('../test/ui/support/reply-figures.ts', import.meta.url));

/** A long reply in its page, in Chromium, measured with the last build. */
export const benchmark: Benchmark = {
  title: 'The page of a reply of 10 MB in 50,000 chunks, in Chromium; run `npm run build` before',
  async measure() {
    const { stdout } = await promisify(execFile)(process.execPath, [FIGURES]);
    const rows = JSON.parse(stdout) as readonly Omit<Row, 'kind'>[];
    return rows.map(row => ({ ...row, kind: 'ours' }));
  },
};
