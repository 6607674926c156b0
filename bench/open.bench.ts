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
    return await measureInTurns([
      { name: 'Parley, AICL', kind: 'ours', module: OURS, language: 'aicl', text: aicl },
      { name: 'vscode-json-languageservice, JSON', kind: 'peer', module: PEER, language: 'json', text: json },
      { name: 'Parley, samples/hello.aicl', kind: 'ours', module: OURS, language: 'aicl', text: sample },
    ]);
  },
};

interface OpenedText extends Pick<Row, 'name' | 'kind'> {
  /** The server's program. */
  readonly module: string;
  readonly language: string;
  readonly text: string;
}

/** Opens each text in a server of its own, in turns, so that other load on the machine affects all of them equally. */
async function measureInTurns(texts: readonly OpenedText[]): Promise<readonly Row[]> {
  const servers = texts.map(opened => ({
    ...opened,
    server: new LspProcess(opened.module, ['--stdio']),
    times: [] as number[],
  }));
  try {
    for (const { server } of servers) await server.initialize();
    for (let run = 0; run <= RUNS; run++)
      for (const { server, language, text, times } of servers)
        times.push(await server.timeToDiagnostics(`file:///session-${run}.${language}`, language, text));
  } finally {
    for (const { server } of servers) server.dispose();
  }
  return servers.map(({ name, kind, times: [first = 0, ...warm] }) => {
    return {
      name,
      kind,
      medianMs: findMedian(warm),
      runs: RUNS,
      note: `the first one ${first.toFixed(0)} ms`,
    };
  });
}
