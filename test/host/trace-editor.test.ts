import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { commands, TabInputCustom, TabInputText, Uri, window } from 'vscode';
import { TraceIndex } from '../../agents/store/trace-index.ts';
import { FileSource } from '../../client/src/features/traces/timeline/file-source.ts';
import type { TraceReader } from '../../client/src/trace/trace-reader.ts';
import { WholeFileReader } from '../../client/src/features/traces/timeline/whole-file-reader.ts';
import { closeEditors, openScratch, waitFor } from './support/parley.ts';

const HEADER = '{"format":"agenttrace","version":1}\n';
const FIRST = [
  '{"type":"call","call":"a","trace":"t","at":1000,"agent":"planner","protocol":"aicf","title":"plan trip"}',
  '{"type":"wire","call":"a","at":1001,"direction":"out","bytes":{"text":"CALL|plan.trip\\n"}}',
  '',
].join('\n');
const REST = [
  '{"type":"call","call":"b","trace":"t","parent":"a","at":1002,"agent":"booker","protocol":"aicf","title":"book"}',
  '{"type":"end","call":"a","at":1240,"status":"ok"}',
  '',
].join('\n');

/** The editor in front, by its type, or the language of its text. */
function frontInput(): string | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputCustom) return input.viewType;
  return input instanceof TabInputText ? 'text' : undefined;
}

async function withFile(text: string, run: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-'));
  const path = join(folder, 'trip.agenttrace.jsonl');
  await writeFile(path, text);
  try {
    await run(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const READERS: Readonly<Record<string, (path: string) => TraceReader>> = {
  'piece by piece': path => new TraceIndex(path),
  whole: path => new WholeFileReader(Uri.file(path)),
};

describe('trace files', () => {
  afterEach(closeEditors);

  for (const [way, open] of Object.entries(READERS)) {
    it(`are followed while they grow, read ${way}`, () =>
      withFile(HEADER + FIRST, async path => {
        const source = new FileSource(Uri.file(path), open(path));
        const look = async (): Promise<unknown> => [
          source
            .trees()
            .map(tree =>
              tree.roots.map(({ call, status, children }) => [call.title, status, children.length]),
            ),
          (await source.payload('a')).map(event => event.type),
          source.notes(),
        ];
        const error = await source.load();
        const before = await look();
        const grown = new Promise<readonly string[]>(resolve => {
          const once = source.onDidChange(({ changed, dropped }) => {
            once.dispose();
            resolve([...[...changed].map(node => node.call.call).toSorted(), ...dropped]);
          });
        });
        await appendFile(path, REST);
        const changed = await grown;
        assert.deepEqual(
          [source.title, error, before, changed, await look()],
          [
            'trip.agenttrace.jsonl',
            undefined,
            [[[['plan trip', 'open', 0]]], ['wire'], []],
            ['a', 'b'],
            [[[['plan trip', 'ok', 1]]], ['wire'], []],
          ],
        );
        source.dispose();
      }));

    it(`say why they cannot be read ${way}`, () =>
      withFile('{"format":"agenttrace","version":9}\n', async path => {
        const source = new FileSource(Uri.file(path), open(path));
        const error = await source.load();
        assert.deepEqual(
          [error, source.notes(), source.trees()],
          [
            'The trace file has version 9 and this program reads up to version 1; update it to open the file',
            [error],
            [],
          ],
        );
        source.dispose();
      }));
  }

  it('are read no further when they are no longer shown', () =>
    withFile(HEADER + FIRST, async path => {
      const wire = `{"type":"wire","call":"a","at":1002,"direction":"in","bytes":{"text":"${'x'.repeat(2 ** 20)}"}}\n`;
      for (let count = 0; count < 32; count++) await appendFile(path, wire);
      const index = new TraceIndex(path);
      const source = new FileSource(Uri.file(path), index);
      let pieces = 0;
      const error = await source.load(() => {
        pieces++;
        source.dispose();
      });
      assert.deepEqual([error, pieces], [undefined, 1]);
      assert.ok(index.entries < 4, `${index.entries} lines were read`);
      // What comes to the file later is none of its business either.
      await appendFile(path, wire);
      assert.equal(await source.load(), undefined);
      assert.ok(index.entries < 4, `${index.entries} lines were read`);
    }));

  it('open on the timeline, and as text on request', async () => {
    const { uri } = await openScratch('trip.agenttrace.jsonl', HEADER + FIRST + REST);
    await commands.executeCommand('vscode.open', uri);
    await waitFor('the timeline', () => (frontInput() === 'parley.trace' ? true : undefined));
    await commands.executeCommand('reopenActiveEditorWith', 'default');
    await waitFor('the text', () => (frontInput() === 'text' ? true : undefined));
    assert.equal(window.activeTextEditor?.document.languageId, 'jsonl');
  });

  it('of other kinds open as text, and on the timeline on request', async () => {
    const spans = [
      { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'chat', startTimeUnixNano: '1000000' },
    ];
    const otlp = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const { uri } = await openScratch('spans.json', otlp);
    await commands.executeCommand('vscode.open', uri);
    assert.equal(frontInput(), 'text');
    await commands.executeCommand('parley.openAsTrace', uri);
    await waitFor('the timeline', () => (frontInput() === 'parley.otherTrace' ? true : undefined));
  });
});
