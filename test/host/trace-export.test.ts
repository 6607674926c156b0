import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { TabInputCustom, type Uri, commands, env, window, workspace } from 'vscode';
import { WholeFileReader } from '../../client/src/features/traces/timeline/whole-file-reader.ts';
import { TRACE_FORMATS, type TraceFormat } from '../../trace/export/trace-formats.ts';
import { exportTraceText } from '../../trace/export/export.ts';
import { copyTrace } from '../../client/src/features/traces/export/export-trace.ts';
import type { CallPlace } from '../../client/src/trace/trace-source.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { encoding } from '../../tokenizers/o200k_base.ts';
import { deleteScratch } from './support/editor.ts';
import { closeEditors, openScratch, sampleUri, sendRequest, until, waitFor } from './support/parley.ts';

/** What the engine prints of a trace file, read by itself. */
async function print(file: Uri, format: TraceFormat, includesContent = false): Promise<string> {
  const reader = new WholeFileReader(file);
  assert.deepEqual(await reader.readOn(), { ok: true, found: 'more' });
  return exportTraceText(format, {
    protocols: ALL_PROTOCOLS,
    trees: reader.fold.trees(),
    payload: call => reader.payload(call),
    includesContent,
    countTexts: async texts => texts.map(text => encoding.count(text).tokens),
  });
}

async function readText(uri: Uri): Promise<string> {
  return new TextDecoder().decode(await workspace.fs.readFile(uri));
}

/** What both commands make of a trace: the file of the one, and what the other puts on the clipboard. */
async function exportBoth(target: unknown, format: TraceFormat): Promise<readonly string[]> {
  const file = sampleUri(`exported.${format}`);
  const answered = await commands.executeCommand<Uri>('parley.exportTrace', target, format, file);
  assert.equal(answered?.toString(), file.toString());
  const written = await readText(file);
  await deleteScratch(file);
  const copied = await commands.executeCommand<string>('parley.copyTrace', target, format);
  assert.equal(await env.clipboard.readText(), copied);
  return [written, copied];
}

describe('a trace', () => {
  afterEach(closeEditors);

  it('of this window is exported and copied as the engine prints it', async () => {
    const document = await openScratch('export.aicf', '# @agent toolbox\nCALL|math.add|19|23\n');
    const sent = await sendRequest(document, 'CALL|math.add');
    assert.ok(sent);
    const whole = sampleUri('whole.agenttrace.jsonl');
    await commands.executeCommand('parley.exportTrace', sent.call, 'agenttrace', whole);
    const own = await readText(whole);
    // Members of an event that was read stand in another order, and some formats hold whole events.
    const lines = (text: string): readonly unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
    assert.deepEqual(lines(own), lines(await print(whole, 'agenttrace')));
    assert.deepEqual(await exportBoth(sent.call, 'agenttrace'), [own, own]);
    for (const name of ['mermaid', 'markdown', 'csv', 'totals'] as const) {
      const expected = await print(whole, name);
      assert.deepEqual(await exportBoth(sent.call, name), [expected, expected], name);
    }
    // The one that is selected or the newest, where none is named.
    const markdown = await print(whole, 'markdown');
    assert.deepEqual(await exportBoth(undefined, 'markdown'), [markdown, markdown]);
    assert.match(markdown, /math\.add/);
    for (const uri of [document.uri, whole]) await deleteScratch(uri);
  });

  it('of the file in front is exported and copied from the palette in each format as the engine prints it', async () => {
    const document = await openScratch(
      'front.agenttrace.jsonl',
      [
        '{"format":"agenttrace","version":1}',
        '{"type":"call","call":"f1","trace":"t1","at":1000,"agent":"planner","protocol":"aicf","title":"plan"}',
        '{"type":"wire","call":"f1","at":1001,"direction":"out","bytes":{"text":"CALL|plan|trip"}}',
        '{"type":"end","call":"f1","at":1003,"status":"ok"}',
        '',
      ].join('\n'),
    );
    await commands.executeCommand('vscode.open', document.uri);
    await waitFor('the timeline', () =>
      window.tabGroups.activeTabGroup.activeTab?.input instanceof TabInputCustom ? true : undefined,
    );
    const expected = await print(document.uri, 'mermaid');
    // The file is read while its editor opens.
    await until('the diagram of the file', async () => {
      const text = await commands.executeCommand('parley.copyTrace', undefined, 'mermaid');
      return text === expected;
    });
    for (const { name } of TRACE_FORMATS) {
      const each = await print(document.uri, name);
      assert.deepEqual(await exportBoth(undefined, name), [each, each], name);
    }
    const reported = await print(document.uri, 'otlp', true);
    assert.ok(reported.includes('[\\"trip\\"]'));
    const file = sampleUri('reported.otlp.json');
    await commands.executeCommand('parley.exportTrace', undefined, 'otlp', file, 'content');
    const copied = await commands.executeCommand('parley.copyTrace', undefined, 'otlp', 'content');
    assert.deepEqual([await readText(file), copied], [reported, reported]);
    await deleteScratch(file);
    const totals = await exportBoth(undefined, 'totals');
    // Of the one message, which was not reported, five tokens: CALL, a bar, plan, a bar, trip.
    const row = '1,1,0,0,3,3,0,,,5,,0,,,,14,0';
    const [columns = ''] = totals[0]?.split('\r\n') ?? [];
    assert.match(columns, /,input_tokens,output_tokens,counted_input_tokens,counted_output_tokens,/);
    const table = [columns, `t1,,planner,${row}`, `t1,,,${row}`, ''].join('\r\n');
    assert.deepEqual(totals, [table, table]);
    await deleteScratch(document.uri);
  });

  it('that is too long for one text is not exported, which is said', async () => {
    const said: string[] = [];
    const original = Object.getOwnPropertyDescriptor(window, 'showWarningMessage');
    Object.defineProperty(window, 'showWarningMessage', {
      configurable: true,
      value: (message: string) => Promise.resolve(void said.push(message)),
    });
    const fold = new TraceFold();
    fold.add({ type: 'call', call: 'a', trace: 't', at: 1, agent: 'a', protocol: 'aicf', title: 'long' });
    const source = {
      find: () => undefined,
      treeOf: (call: string) => fold.treeOf(call),
      payload: () => Promise.reject(new RangeError('Invalid string length')),
    } as unknown as CallPlace['source'];
    const tokens = { encoding: () => 'o200k_base' as const, count: () => assert.fail() } as const;
    try {
      assert.equal(await copyTrace({ source, call: 'a' }, tokens, { format: 'markdown' }), undefined);
      assert.deepEqual(said, [
        'The trace cannot be exported: it is too long for one text here; parley trace export writes traces of any length',
      ]);
    } finally {
      if (original) Object.defineProperty(window, 'showWarningMessage', original);
    }
  });

  it('that is no longer stored is neither written nor copied', async () => {
    const file = sampleUri('never.md');
    await env.clipboard.writeText('before');
    assert.equal(await commands.executeCommand('parley.exportTrace', 'none', 'markdown', file), undefined);
    assert.equal(await commands.executeCommand('parley.copyTrace', 'none', 'markdown'), undefined);
    assert.equal(await env.clipboard.readText(), 'before');
    await assert.rejects(Promise.resolve(workspace.fs.stat(file)));
  });
});
