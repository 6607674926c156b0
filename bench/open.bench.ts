import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { LspProcess } from './support/lsp-process.ts';
import { makeSession } from './support/session.ts';

const RUNS = 9;
const OURS = fileURLToPath(new URL('../server/src/main.node.ts', import.meta.url));
const PEER = fileURLToPath(new URL('support/json-server.ts', import.meta.url));

/** Measures the time from opening a text in a running server to the response with its first diagnostics. */
export const benchmark: Benchmark = {
  title: 'From opening a session of 1 MB to its first diagnostics, in the server',
  limit: 2,
  async measure() {
    const { aicl, json } = makeSession(1_000_000);
    const sample = readFileSync(new URL('../samples/hello.aicl', import.meta.url), 'utf8');
    return [
      await measureServer({ name: 'Parley, AICL', kind: 'ours' }, OURS, 'aicl', aicl),
      await measureServer({ name: 'vscode-json-languageservice, JSON', kind: 'peer' }, PEER, 'json', json),
      await measureServer({ name: 'Parley, samples/hello.aicl', kind: 'ours' }, OURS, 'aicl', sample),
    ];
  },
};

async function measureServer(
  row: Pick<Row, 'name' | 'kind'>,
  module: string,
  language: string,
  text: string,
): Promise<Row> {
  const server = new LspProcess(module, ['--stdio']);
  try {
    await server.initialize();
    const times: number[] = [];
    for (let run = 0; run <= RUNS; run++) {
      times.push(await server.timeToDiagnostics(`file:///session-${run}.${language}`, language, text));
    }
    const [first = 0, ...warm] = times;
    return { ...row, medianMs: findMedian(warm), runs: RUNS, note: `the first one ${first.toFixed(0)} ms` };
  } finally {
    server.dispose();
  }
}
