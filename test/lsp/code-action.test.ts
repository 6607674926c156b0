import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  CodeActionRequest,
  CodeActionTriggerKind,
  type CodeAction,
  type CodeActionContext,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver/node';
import { ruleUrl } from '../../core/catalog/rules.ts';
import { TestClient } from './support/test-client.ts';

let client: TestClient;
let opened = 0;

async function open(name: string, text: string): Promise<string> {
  return client.open(`${++opened}.${name}`, name, text);
}

function on(line: number, start: number, end = start): Range {
  return { start: { line, character: start }, end: { line, character: end } };
}

async function actions(
  uri: string,
  range: Range,
  context: Partial<CodeActionContext> = {},
): Promise<readonly CodeAction[]> {
  const found = await client.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range,
    context: { diagnostics: [], ...context },
  });
  return (found ?? []).filter((action): action is CodeAction => 'kind' in action);
}

async function titles(
  uri: string,
  range: Range,
  context?: Partial<CodeActionContext>,
): Promise<readonly string[]> {
  return (await actions(uri, range, context)).map(({ kind, title }) => `${kind}: ${title}`);
}

describe('code actions', () => {
  before(async () => {
    client = await TestClient.start({ capabilities: {} });
  });
  after(async () => {
    assert.deepEqual(client.log, []);
    await client.stop();
  });

  it('give the diagnostic of the request back as it was sent', async () => {
    const uri = await open('aicf', 'call|a\n');
    const sent: Diagnostic = {
      range: on(0, 0, 4),
      code: 'aicf/wrong-case',
      source: 'parley',
      message: "'call' is not a command; write 'CALL' (error 400)",
      data: { of: 'the client' },
    };
    const other = { ...sent, code: 'aicf/prefix' };
    const [action] = await actions(uri, on(0, 1), { diagnostics: [other, sent] });
    assert.deepEqual(action, {
      title: 'Write CALL',
      kind: 'quickfix',
      diagnostics: [sent],
      isPreferred: true,
      edit: { changes: { [uri]: [{ range: on(0, 0, 4), newText: 'CALL' }] } },
    });
    const [own] = await actions(uri, on(0, 1), { diagnostics: [other] });
    assert.deepEqual(own?.diagnostics?.[0]?.codeDescription, { href: ruleUrl('aicf/wrong-case') });
  });

  it('prefer no fix that is a guess', async () => {
    const uri = await open(
      'aicl',
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:tool_cal]]',
    );
    const [action] = await actions(uri, on(0, 70), { only: ['quickfix'] });
    assert.deepEqual([action?.title, action?.isPreferred], ["Write 'tool_call'", undefined]);
  });

  it('have the kinds that are asked for', async () => {
    const uri = await open('aicl', '[l:[i:1], [i:2],]\n');
    const fix = 'quickfix: Remove the comma';
    const rewrite = 'refactor.rewrite: Write the fragment on one line';
    const fixAll = 'source.fixAll.parley: Apply all safe fixes';
    const cases: readonly (readonly [string[] | undefined, readonly string[]])[] = [
      [undefined, [fix, rewrite]],
      [['quickfix'], [fix]],
      [['refactor'], [rewrite]],
      [['refactor.rewrite'], [rewrite]],
      [['refactor.extract'], []],
      [['source'], [fixAll]],
      [['source.fixAll'], [fixAll]],
      [['source.fixAll.parley'], [fixAll]],
      [['source.fixAll.other'], []],
      [['source.organizeImports'], []],
      [['quickfix.parley'], []],
      [['quick'], []],
      [[], []],
      [[''], [fix, rewrite, fixAll]],
      [
        ['refactor', 'quickfix'],
        [fix, rewrite],
      ],
    ];
    for (const [only, expected] of cases) {
      const found = await titles(uri, on(0, 15), only ? { only } : {});
      assert.deepEqual(
        found.filter(title => !title.includes('Wrap')),
        expected,
        JSON.stringify(only),
      );
    }
  });

  it('apply all safe fixes of the file, and offer nothing where there are none', async () => {
    const uri = await open('aicf', 'call|a\n  LIST\nCALL|b\n');
    const [action] = await actions(uri, on(2, 0), { only: ['source.fixAll'] });
    assert.deepEqual(action?.edit?.changes?.[uri], [
      { range: on(0, 0, 4), newText: 'CALL' },
      { range: on(1, 0, 2), newText: '' },
    ]);
    const clean = await open('aicf', 'LIST\n');
    assert.deepEqual(await actions(clean, on(0, 0), { only: ['source.fixAll'] }), []);
  });

  it('rewrite long messages only when a user asks', async () => {
    const uri = await open('aicl', `[d:[s:a]:[s:${'x'.repeat(30_000)}]]`);
    const expected = ['refactor.rewrite: Write the message indented'];
    const only = ['refactor'];
    assert.deepEqual(await titles(uri, on(0, 5), { only, triggerKind: CodeActionTriggerKind.Automatic }), []);
    assert.deepEqual(
      await titles(uri, on(0, 5), { only, triggerKind: CodeActionTriggerKind.Invoked }),
      expected,
    );
    assert.deepEqual(await titles(uri, on(0, 5), { only }), expected);
  });

  it('are none in an empty file, past its end and in one that is not open', async () => {
    for (const name of ['aicl', 'aicf'] as const) {
      const uri = await open(name, '');
      assert.deepEqual(await actions(uri, on(0, 0)), []);
      assert.deepEqual(await actions(uri, on(7, 7), { only: ['source.fixAll', 'refactor', 'quickfix'] }), []);
    }
    assert.deepEqual(await actions('file:///folder/not-open.aicf', on(0, 0)), []);
  });
});
