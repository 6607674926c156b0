import { getLanguageService } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { DEFAULT_SETTINGS } from '../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../language/languages.ts';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { heldBy } from './support/held.ts';
import { listKeys } from './support/keys.ts';
import { makeLargeTexts, type LargeText } from './support/large-texts.ts';
import { describeSlow } from './support/times.ts';

const ROUNDS = 20;
const PEER_RUNS = 6;

/** Edits in the middle of 10 MB, up to fresh diagnostics. */
export const benchmark: Benchmark = {
  title: 'A key typed in the middle of 10 MB, to fresh diagnostics',
  limit: 0.2,
  async measure() {
    const rows: Row[] = [];
    for (const text of makeLargeTexts()) rows.push(measureKeys(text));
    for (const text of makeLargeTexts().filter((_, index) => index % 2 === 0))
      rows.push(await measurePeer(text));
    return rows;
  },
};

function measureKeys({ name, aicl, word }: LargeText): Row {
  const { value: opened, bytes } = heldBy(() => {
    const doc = LANGUAGE_SUPPORT.aicl.open(aicl, DEFAULT_SETTINGS);
    doc.validate();
    return doc;
  });
  const keys = listKeys(aicl, word);
  let doc = opened;
  const press = (): number[] =>
    keys.map(key => {
      const start = performance.now();
      doc = doc.edit(key);
      doc.validate();
      return performance.now() - start;
    });
  press();
  const times = Array.from({ length: ROUNDS }, press).flat();
  // The text existed before, and the document retains it.
  const held = `holds ${(bytes / aicl.length + 1).toFixed(1)} × the text`;
  return {
    name: `Parley, ${name}`,
    kind: 'ours',
    medianMs: findMedian(times),
    runs: times.length,
    note: `${describeSlow(times)}; ${held}`,
  };
}

async function measurePeer({ name, json, word }: LargeText): Promise<Row> {
  const service = getLanguageService({});
  const document = TextDocument.create('file:///large.json', 'json', 0, json);
  const middle = json.indexOf(word);
  const at = document.positionAt(middle < 0 ? json.indexOf('Zürich', json.length / 2) + 1 : middle);
  const times: number[] = [];
  for (let run = 0; run < PEER_RUNS; run++) {
    const start = performance.now();
    TextDocument.update(document, [{ range: { start: at, end: at }, text: 'x' }], run + 1);
    await service.doValidation(document, service.parseJSONDocument(document));
    times.push(performance.now() - start);
  }
  return {
    name: `vscode-json-languageservice, ${name}`,
    kind: 'peer',
    medianMs: findMedian(times),
    runs: PEER_RUNS,
    note: describeSlow(times),
  };
}
