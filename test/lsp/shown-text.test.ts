import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  DocumentLinkRequest,
  FoldingRangeRequest,
  InlayHintRefreshRequest,
  InlayHintRequest,
  SemanticTokensDeltaRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  type ClientCapabilities,
  type InlayHint,
  type Range,
  type SemanticTokens,
  type SemanticTokensDelta,
} from 'vscode-languageserver/node';
import { TOKEN_KINDS } from '../../core/catalog/token-kinds.ts';
import { RICH_CLIENT, TestClient, until } from './support/test-client.ts';

const AICL = '# @agent a\n[d:[s:msg_type]:[s:result],\r\n[s:data]:[l:[s:one\r\n😀 two],[t:int8:2,2:00]]]\n';
const WHOLE: Range = { start: { line: 0, character: 0 }, end: { line: 1_000_000, character: 0 } };
const RANGES: ClientCapabilities['textDocument'] = {
  semanticTokens: {
    requests: { range: true, full: { delta: true } },
    tokenTypes: [],
    tokenModifiers: [],
    formats: ['relative'],
  },
};

/** Tokens as `line:character length kind`. */
function placed(tokens: SemanticTokens | null): readonly string[] {
  const found: string[] = [];
  let [line, character] = [0, 0];
  const data = tokens?.data ?? [];
  for (let at = 0; at < data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0, kind = -1, modifiers] = data.slice(at, at + 5);
    line += lines;
    character = lines > 0 ? characters : character + characters;
    assert.equal(modifiers, 0);
    found.push(`${line}:${character} ${length} ${TOKEN_KINDS[kind]?.name}`);
  }
  return found;
}

/** The numbers after the edits of a difference. */
function applyDelta(
  before: readonly number[],
  delta: SemanticTokens | SemanticTokensDelta | null,
): readonly number[] {
  assert.ok(delta && 'edits' in delta);
  const data = [...before];
  for (const { start, deleteCount, data: inserted = [] } of delta.edits.toReversed())
    data.splice(start, deleteCount, ...inserted);
  return data;
}

describe('what is shown in a text, over the protocol', () => {
  let client: TestClient;
  before(async () => {
    client = await TestClient.start({ capabilities: {} });
  });
  after(() => client.stop());

  const full = (uri: string, from = client) =>
    from.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri } });
  const range = (uri: string, wanted: Range, from = client) =>
    from.connection.sendRequest(SemanticTokensRangeRequest.type, { textDocument: { uri }, range: wanted });
  const delta = (uri: string, previousResultId: string) =>
    client.connection.sendRequest(SemanticTokensDeltaRequest.type, {
      textDocument: { uri },
      previousResultId,
    });
  const hints = (uri: string, wanted = WHOLE, from = client) =>
    from.connection.sendRequest(InlayHintRequest.type, { textDocument: { uri }, range: wanted });
  const links = (uri: string) =>
    client.connection.sendRequest(DocumentLinkRequest.type, { textDocument: { uri } });
  const folds = (uri: string, from = client) =>
    from.connection.sendRequest(FoldingRangeRequest.type, { textDocument: { uri } });

  it('tells every client that it can', () => {
    assert.deepEqual(client.initialized?.capabilities.semanticTokensProvider, {
      legend: { tokenTypes: TOKEN_KINDS.map(row => row.name), tokenModifiers: [] },
      range: true,
      full: { delta: true },
    });
    assert.deepEqual(client.initialized.capabilities.inlayHintProvider, { resolveProvider: false });
    assert.deepEqual(client.initialized.capabilities.documentLinkProvider, { resolveProvider: false });
    assert.equal(client.initialized.capabilities.foldingRangeProvider, true);
  });

  it('answers for an empty document, and nothing for one that is not open', async () => {
    for (const language of ['aicl', 'aicf']) {
      const uri = await client.open(`empty.${language}`, language, '');
      assert.deepEqual([placed(await full(uri)), placed(await range(uri, WHOLE))], [[], []]);
      assert.deepEqual([await hints(uri), await links(uri), await folds(uri)], [[], [], []]);
    }
    assert.equal(await full('file:///folder/none.aicl'), null);
    assert.equal(await range('file:///folder/none.aicl', WHOLE), null);
    assert.equal(await delta('file:///folder/none.aicl', '1'), null);
    assert.equal(await hints('file:///folder/none.aicl'), null);
    assert.equal(await links('file:///folder/none.aicl'), null);
  });

  it('colours the whole and a range, a token a line', async () => {
    const uri = await client.open('whole.aicl', 'aicl', AICL);
    const expected = [
      ...['0:0 2 comment', '0:2 6 decorator', '0:9 1 variable'],
      ...['1:6 8 property', '1:19 6 type', '2:3 4 property', '2:15 3 string', '3:0 6 string'],
      ...['3:11 4 type', '3:16 3 number', '3:20 2 string'],
    ];
    assert.deepEqual(placed(await full(uri)), expected);
    assert.deepEqual(placed(await range(uri, WHOLE)), expected);
    const third = { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } };
    assert.deepEqual(placed(await range(uri, third)), ['2:3 4 property', '2:15 3 string']);
    const nowhere = { start: { line: 90, character: 0 }, end: { line: 99, character: 5 } };
    assert.deepEqual(placed(await range(uri, nowhere)), []);
  });

  it('tells the difference after an edit, and the whole to a client that lost the answer before', async () => {
    const message = '[d:[s:a]:[i:1]]\n';
    const uri = await client.open('delta.aicl', 'aicl', message.repeat(100));
    const first = await full(uri);
    assert.ok(first?.resultId);
    const place = { line: 50, character: 12 };
    await client.change(uri, 2, [{ range: { start: place, end: place }, text: '2],[i:' }]);
    const second = await delta(uri, first.resultId);
    assert.ok(second && 'edits' in second && second.resultId);
    assert.deepEqual(second.edits.length, 1);
    assert.ok((second.edits[0]?.data ?? []).length <= 10);
    assert.deepEqual(applyDelta(first.data, second), (await full(uri))?.data);
    const same = await delta(uri, (await full(uri))?.resultId ?? '');
    assert.deepEqual(same && 'edits' in same && same.edits.map(edit => [edit.deleteCount, edit.data]), [
      [0, []],
    ]);
    const whole = await delta(uri, 'another');
    assert.deepEqual(whole && 'data' in whole && whole.data, (await full(uri))?.data);
  });

  it('colours a file that is very long by range, and its beginning for a client that asks for no ranges', async () => {
    // Cut off two characters after the beginning of a line.
    const text = `[s:${'x'.repeat(494)}]\n`.repeat(1_010);
    const plain = await TestClient.start({ capabilities: {} });
    const uri = await plain.open('long.aicl', 'aicl', text);
    assert.equal((await full(uri, plain))?.data.length, Math.floor(500_000 / 499) * 5);
    await full(uri, plain);
    assert.deepEqual(plain.log, [`${uri}: only the first 500000 characters are coloured by meaning`]);
    await plain.stop();

    const rich = await TestClient.start({ capabilities: { ...RICH_CLIENT, textDocument: RANGES } });
    await rich.open('long.aicl', 'aicl', text);
    assert.equal(await full(uri, rich), null);
    const last = { start: { line: 1_008, character: 0 }, end: { line: 1_010, character: 0 } };
    assert.deepEqual(placed(await range(uri, last, rich)), ['1008:3 494 string', '1009:3 494 string']);
    assert.deepEqual(rich.log, [
      `${uri}: more than 500000 characters: only what is shown is coloured by meaning`,
    ]);
    await rich.stop();
  });

  it('colours the beginning of a line that no editor shows to its end', async () => {
    client.log.length = 0;
    // The limit cuts the first token of an item.
    const item = '[i:1],'.padEnd(116);
    const uri = await client.open('line.aicl', 'aicl', `[i:1]\n[l:${item.repeat(620)}]\n[i:2]`);
    const tokens = placed(await full(uri));
    const onLine = tokens.filter(token => token.startsWith('1:'));
    assert.deepEqual(
      [onLine[0], onLine[1], tokens.at(-1)],
      ['1:0 3 operator', '1:3 3 operator', '2:3 1 number'],
    );
    assert.equal(onLine.at(-1), '1:49999 1 operator');
    const far = { start: { line: 1, character: 60_000 }, end: { line: 1, character: 70_000 } };
    assert.deepEqual(placed(await range(uri, far)), []);
    assert.deepEqual(client.log, [
      `${uri}: only the first 50000 characters of a line are coloured by meaning`,
    ]);
  });

  it('answers a range that is larger than any window for its beginning', async () => {
    client.log.length = 0;
    const uri = await client.open('range.aicl', 'aicl', `[s:${'x'.repeat(494)}]\n`.repeat(1_010));
    assert.equal((await range(uri, WHOLE))?.data.length, Math.floor(500_000 / 499) * 5);
    const hinted = await client.open('hinted.aicl', 'aicl', '[t:int8:1,1:00]\n'.repeat(1_001));
    assert.equal((await hints(hinted))?.length, 1_000);
    assert.deepEqual(client.log, [
      `${uri}: only the first 500000 characters of a range are coloured by meaning`,
      `${hinted}: only the first 1000 hints of a range are shown`,
    ]);
  });

  it('hints at names of arguments and sizes of tensors', async () => {
    const aicf = await client.open('hints.aicf', 'aicf', 'TOOL|t|d|first|second\r\nCALL|t|1|2\r\n');
    const shown = (found: InlayHint[] | null) =>
      found?.map(({ position, label, kind, paddingRight }) => ({ position, label, kind, paddingRight }));
    assert.deepEqual(shown(await hints(aicf)), [
      { position: { line: 1, character: 7 }, label: 'first:', kind: 2, paddingRight: true },
      { position: { line: 1, character: 9 }, label: 'second:', kind: 2, paddingRight: true },
    ]);
    const aicl = await client.open('hints.aicl', 'aicl', AICL);
    assert.deepEqual(shown(await hints(aicl)), [
      { position: { line: 3, character: 20 }, label: '4 elements · 4 bytes', kind: 1, paddingRight: true },
    ]);
    const above = { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } };
    assert.deepEqual(await hints(aicl, above), []);
  });

  it('shows no hints where the setting says so, and asks the client to ask again', async () => {
    let refreshed = 0;
    const other = await TestClient.start({
      capabilities: { workspace: { inlayHint: { refreshSupport: true } } },
      prepare: connection => connection.onRequest(InlayHintRefreshRequest.type, () => void refreshed++),
    });
    const uri = await other.open('off.aicl', 'aicl', AICL);
    assert.equal((await hints(uri, WHOLE, other))?.length, 1);
    await other.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { parley: { inlayHints: { enabled: false } } },
    });
    await until(() => refreshed > 0);
    assert.deepEqual(await hints(uri, WHOLE, other), []);
    await other.stop();
  });

  it('links addresses, without the escapes around them', async () => {
    const uri = await client.open('links.aicf', 'aicf', '# http://a/b.\r\nCALL|t|http://c/d\\|e|x\r\n');
    assert.deepEqual(await links(uri), [
      { range: { start: { line: 0, character: 2 }, end: { line: 0, character: 12 } }, target: 'http://a/b' },
      {
        range: { start: { line: 1, character: 7 }, end: { line: 1, character: 20 } },
        target: 'http://c/d|e',
      },
    ]);
  });

  it('cuts links and folds where there are too many, and says so once', async () => {
    const limited = await TestClient.start({
      capabilities: { textDocument: { foldingRange: { rangeLimit: 2 } } },
    });
    const uri = await limited.open('many.aicl', 'aicl', '[l:\n[s:http://a]]\n'.repeat(2_001));
    assert.equal((await folds(uri, limited))?.length, 2);
    await folds(uri, limited);
    const found = await limited.connection.sendRequest(DocumentLinkRequest.type, { textDocument: { uri } });
    assert.equal(found?.length, 2_000);
    assert.deepEqual(limited.log, [
      `${uri}: only the first 2 parts that fold can be folded`,
      `${uri}: only the first 2000 addresses are links`,
    ]);
    await limited.stop();
    const all = await client.open('many.aicl', 'aicl', '[l:\n[s:x]]\n'.repeat(5_001));
    assert.equal((await folds(all))?.length, 5_000);
  });
});
