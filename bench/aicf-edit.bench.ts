import { getLanguageService } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { DEFAULT_SETTINGS } from '../core/catalog/settings.ts';
import type { OpenDocument } from '../language/support.ts';
import { LANGUAGE_SUPPORT } from '../language/languages.ts';
import type { TextEdit } from '../core/text/edit.ts';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { heldBy } from './support/held.ts';
import { describeSlow } from './support/times.ts';

const LINES = 1_000_000;
/** The number of lines for the peer, which parses the complete file after each key; a tenth takes long enough. */
const PEER_LINES = 100_000;
const RUNS = 200;
const PEER_RUNS = 8;
const LENSES = 1_000;

/**
 * Edits in the middle of a million lines: a letter, a line
 * break, a deleted line break, ten lines pasted and removed.
 */
export const benchmark: Benchmark = {
  title: 'A key typed in the middle of 1,000,000 lines of AICF, to fresh diagnostics',
  limit: 1,
  async measure() {
    const text = makeLines(LINES).join('\n');
    const opened = measureOpen(text);
    const keys = measureKeys(opened.document, text);
    const burst = measureBurst(opened.document, text);
    const peer = await measurePeer(PEER_LINES);
    return [
      toRow('Parley, AICF', 'ours', keys),
      toRow('Parley, AICF, with outline, folds and lenses', 'ours', burst),
      {
        name: 'Parley, AICF, opened to its first diagnostics',
        kind: 'ours',
        medianMs: opened.ms,
        runs: 1,
        note: `${(text.length / 1e6).toFixed(0)} MB; holds ${opened.heldTimes.toFixed(1)} times that, with the text`,
      },
      toRow(`vscode-json-languageservice, ${PEER_LINES} of the lines as strings`, 'peer', peer),
    ];
  },
};

/** A session of calls and replies with occasional streams, and the declaration of a tool. */
function makeLines(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return 'TOOL|figma.getFile|Get a file|fileKey:string|version:number?';
    if (index % 100 === 99) return 'END';
    if (index % 100 > 94) return `STREAM|a piece of an answer, number ${index}`;
    return index % 2 === 0
      ? `OK|{"name":"My Design","lastModified":"2025-10-21","n":${index}}`
      : `CALL|figma.getFile|abc${index}|1.0`;
  });
}

function measureOpen(text: string): { document: OpenDocument; ms: number; heldTimes: number } {
  let ms = 0;
  const { value: document, bytes } = heldBy(() => {
    const start = performance.now();
    const opened = LANGUAGE_SUPPORT.aicf.open(text, DEFAULT_SETTINGS);
    opened.validate();
    ms = performance.now() - start;
    askAll(opened);
    return opened;
  });
  // The text existed before, and the document retains it.
  return { document, ms, heldTimes: bytes / text.length + 1 };
}

function askAll(document: OpenDocument): void {
  document.symbols();
  document.folds();
  document.requests(LENSES);
}

function listEdits(at: number): readonly TextEdit[] {
  const lines = 'CALL|figma.getFile|pasted|1.0\n'.repeat(10);
  const next = at + 1;
  return [
    { span: { start: at, end: at }, newText: 'x' },
    { span: { start: at, end: next }, newText: '' },
    { span: { start: at, end: at }, newText: '\n' },
    { span: { start: at, end: next }, newText: '' },
    { span: { start: at - 1, end: at }, newText: '' },
    { span: { start: at - 1, end: at - 1 }, newText: '\n' },
    { span: { start: at, end: at }, newText: lines },
    { span: { start: at, end: at + lines.length }, newText: '' },
  ];
}

function measure(
  start: OpenDocument,
  text: string,
  ask: (document: OpenDocument) => void,
): readonly number[] {
  const edits = listEdits(text.indexOf('\nCALL', text.length / 2) + 1);
  let document = start;
  return Array.from({ length: RUNS }, (_, run) => {
    const edit = edits[run % edits.length];
    const began = performance.now();
    if (edit) document = document.edit(edit);
    document.validate();
    ask(document);
    return performance.now() - began;
  });
}

function measureKeys(document: OpenDocument, text: string): readonly number[] {
  return measure(document, text, () => undefined);
}

function measureBurst(document: OpenDocument, text: string): readonly number[] {
  return measure(document, text, askAll);
}

async function measurePeer(lines: number): Promise<readonly number[]> {
  const service = getLanguageService({});
  const text = `[\n${makeLines(lines)
    .map(line => JSON.stringify(line))
    .join(',\n')}\n]\n`;
  const document = TextDocument.create('file:///lines.json', 'json', 0, text);
  const at = document.positionAt(text.indexOf('My Design', text.length / 2));
  const times: number[] = [];
  for (let run = 0; run < PEER_RUNS; run++) {
    const start = performance.now();
    TextDocument.update(document, [{ range: { start: at, end: at }, text: 'x' }], run + 1);
    await service.doValidation(document, service.parseJSONDocument(document));
    times.push(performance.now() - start);
  }
  return times;
}

function toRow(name: string, kind: Row['kind'], times: readonly number[]): Row {
  return { name, kind, medianMs: findMedian(times), runs: times.length, note: describeSlow(times) };
}
