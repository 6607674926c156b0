import { fileURLToPath } from 'node:url';
import type { TextEdit } from '../core/text/edit.ts';
import { SourceText } from '../core/text/source-text.ts';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { listKeys } from './support/keys.ts';
import { makeLargeTexts, type LargeText } from './support/large-texts.ts';
import { LspProcess } from './support/lsp-process.ts';
import { describeSlow } from './support/times.ts';

const ROUNDS = 8;
const SERVER = fileURLToPath(new URL('../server/src/main.node.ts', import.meta.url));
/** The number of visible lines around the cursor. */
const VISIBLE_LINES = 30;

/** Measures a key in the middle of 10 MB up to the response to the last request that VS Code sends after it. */
export const benchmark: Benchmark = {
  title:
    'A key in the middle of 10 MB: diagnostics, outline, folding, colours and hints of the visible lines, links, lenses and actions, all answered by the server',
  async measure() {
    const rows: Row[] = [];
    for (const text of makeLargeTexts()) rows.push(await measureBurst(text));
    return rows;
  },
};

async function measureBurst({ name, aicl, word }: LargeText): Promise<Row> {
  const server = new LspProcess(SERVER, ['--stdio']);
  try {
    await server.initialize(CAPABILITIES);
    const uri = 'file:///large.aicl';
    await server.timeToDiagnostics(uri, 'aicl', aicl, { keepOpen: true });
    const times: number[] = [];
    let text = SourceText.of(aicl);
    let version = 1;
    for (let round = 0; round <= ROUNDS; round++) {
      for (const key of listKeys(aicl, word)) {
        const took = await press(server, uri, { text, key, version: ++version });
        text = text.edit(key);
        // The first round warms up.
        if (round > 0) times.push(took);
      }
    }
    return {
      name,
      kind: 'ours',
      medianMs: findMedian(times),
      runs: times.length,
      note: describeSlow(times),
    };
  } finally {
    server.dispose();
  }
}

interface Press {
  readonly text: SourceText;
  readonly key: TextEdit;
  readonly version: number;
}

async function press(
  { connection }: LspProcess,
  uri: string,
  { text, key, version }: Press,
): Promise<number> {
  const change = {
    range: { start: text.toPosition(key.span.start), end: text.toPosition(key.span.end) },
    text: key.newText,
  };
  const textDocument = { uri };
  const line = change.range.start.line;
  const range = {
    start: { line: Math.max(0, line - VISIBLE_LINES / 2), character: 0 },
    end: { line: line + VISIBLE_LINES / 2, character: 0 },
  };
  const start = performance.now();
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [change],
  });
  await Promise.all([
    connection.sendRequest('textDocument/diagnostic', { textDocument }),
    connection.sendRequest('textDocument/documentSymbol', { textDocument }),
    connection.sendRequest('textDocument/foldingRange', { textDocument }),
    connection.sendRequest('textDocument/semanticTokens/range', { textDocument, range }),
    connection.sendRequest('textDocument/inlayHint', { textDocument, range }),
    connection.sendRequest('textDocument/documentLink', { textDocument }),
    connection.sendRequest('textDocument/codeLens', { textDocument }),
    connection.sendRequest('textDocument/codeAction', {
      textDocument,
      range: { start: change.range.start, end: change.range.start },
      context: { diagnostics: [], triggerKind: 2 },
    }),
  ]);
  return performance.now() - start;
}

/** The client capabilities of VS Code that affect the responses. */
const CAPABILITIES = {
  textDocument: {
    diagnostic: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    foldingRange: { rangeLimit: 5000, lineFoldingOnly: true },
    semanticTokens: {
      requests: { range: true, full: { delta: true } },
      tokenTypes: ['keyword', 'string', 'number', 'type', 'property', 'operator', 'comment', 'namespace'],
      tokenModifiers: [],
      formats: ['relative'],
    },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source.fixAll'] } } },
  },
};
