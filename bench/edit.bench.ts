import { getLanguageService } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { DEFAULT_SETTINGS } from '../protocol/src/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../protocol/src/languages.ts';
import { findMedian, type Benchmark } from './benchmark.ts';
import { makeSession } from './support/session.ts';

const KEYS = ['x', 'y', '[', ''] as const;
const RUNS = 100;
const PEER_RUNS = 8;

/** A key in the middle of 10 MB, to fresh issues: letters, and a bracket that is typed and taken back. */
export const benchmark: Benchmark = {
  title: 'A key typed in the middle of a session of 10 MB, to fresh diagnostics',
  limit: 1,
  async measure() {
    const { aicl, json } = makeSession(10_000_000);
    const ours = measureEdits(aicl);
    const peer = await measurePeer(json);
    const note = (times: readonly number[]): string =>
      `95 of 100 under ${percentile(times, 0.95).toFixed(0)} ms`;
    return [
      { name: 'Parley, AICL', kind: 'ours', medianMs: findMedian(ours), runs: RUNS, note: note(ours) },
      {
        name: 'vscode-json-languageservice, JSON',
        kind: 'peer',
        medianMs: findMedian(peer),
        runs: PEER_RUNS,
        note: note(peer),
      },
    ];
  },
};

function measureEdits(text: string): readonly number[] {
  let doc = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
  const at = Math.floor(text.length / 2);
  return Array.from({ length: RUNS }, (_, run) => {
    const newText = KEYS[run % KEYS.length] ?? '';
    const start = performance.now();
    doc = doc.edit({ span: { start: at, end: newText === '' ? at + 1 : at }, newText });
    doc.validate();
    return performance.now() - start;
  });
}

async function measurePeer(text: string): Promise<readonly number[]> {
  const service = getLanguageService({});
  const document = TextDocument.create('file:///session.json', 'json', 0, text);
  const at = document.positionAt(text.indexOf('Zürich', text.length / 2) + 1);
  const times: number[] = [];
  for (let run = 0; run < PEER_RUNS; run++) {
    const start = performance.now();
    TextDocument.update(document, [{ range: { start: at, end: at }, text: 'x' }], run + 1);
    await service.doValidation(document, service.parseJSONDocument(document));
    times.push(performance.now() - start);
  }
  return times;
}

function percentile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
