import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  CodeActionRequest,
  CodeLensRequest,
  CompletionRequest,
  DocumentDiagnosticRequest,
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  type CodeAction,
  type CompletionItem,
  type DocumentSymbol,
  type Range,
} from 'vscode-languageserver/node';
import { ruleUrl } from '../../core/catalog/rules.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { explain } from '../../core/catalog/describe.ts';
import { REQUEST_AT } from '../../wire/server-messages.ts';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

const AICF = `# @agent toolbox
# @name first
CALL|math.add|19|23
OK|{"sum":42}

call|text.reverse|olleH
`;

const AICL = `# @agent analyst
[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:s1],
  [s:msg_type]:[s:tool_call],
  [s:tool]:[s:stats.describe],
  [s:params]:[d:[s:values]:[l:[i:1],[i:2]],]
]
[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:data_query]]
`;

/** `1:2-3:4` as a range: line and character from 0, to line and character. */
function at(text: string): Range {
  const [line = 0, character = 0, endLine = 0, endCharacter = 0] = text.split(/[:-]/).map(Number);
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

function symbol(
  name: string,
  detail: string,
  kind: DocumentSymbol['kind'],
  ranges: readonly [string, string],
  children: DocumentSymbol[] = [],
): DocumentSymbol {
  return { name, detail, kind, range: at(ranges[0]), selectionRange: at(ranges[1]), children };
}

let client: TestClient;
let opened = 0;

/** Opens a text under a name of its own. */
async function open(language: 'aicf' | 'aicl', text: string): Promise<{ uri: string }> {
  return { uri: await client.open(`${++opened}.${language}`, language, text) };
}

async function completeAt(language: 'aicf' | 'aicl', marked: string): Promise<CompletionItem[]> {
  const { text, position } = readCursor(marked);
  const textDocument = await open(language, text);
  const found = await client.connection.sendRequest(CompletionRequest.type, { textDocument, position });
  assert.ok(Array.isArray(found));
  return found;
}

describe('features', () => {
  before(async () => {
    client = await TestClient.start({ initializationOptions: { canSend: true } });
  });
  after(async () => {
    assert.deepEqual(client.log, []);
    await client.stop();
  });

  describe('diagnostics', () => {
    it('aicf', async () => {
      const textDocument = await open('aicf', AICF);
      const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
      assert.deepEqual(report.kind === 'full' && report.items, [
        {
          range: at('5:0-5:4'),
          severity: 1,
          code: 'aicf/wrong-case',
          codeDescription: { href: ruleUrl('aicf/wrong-case') },
          source: 'parley',
          message: "'call' is not a command; write 'CALL' (error 400)",
        },
      ]);
    });

    it('aicl', async () => {
      const textDocument = await open('aicl', AICL);
      const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
      assert.deepEqual(report.kind === 'full' && report.items, [
        {
          range: at('6:42-6:43'),
          severity: 4,
          code: 'aicl/trailing-comma',
          codeDescription: { href: ruleUrl('aicl/trailing-comma') },
          source: 'parley',
          message: 'Nothing follows this comma: remove it',
        },
        {
          range: at('8:65-8:79'),
          severity: 1,
          code: 'aicl/missing-field',
          codeDescription: { href: ruleUrl('aicl/missing-field') },
          source: 'parley',
          message: "data_query needs the field 'query' (error 2001)",
        },
      ]);
    });
  });

  describe('hover', () => {
    it('aicf', async () => {
      const textDocument = await open('aicf', AICF);
      const position = { line: 2, character: 1 };
      assert.deepEqual(await client.connection.sendRequest(HoverRequest.type, { textDocument, position }), {
        contents: { kind: 'markdown', value: explain('CALL') },
        range: at('2:0-2:4'),
      });
    });

    it('aicl', async () => {
      const textDocument = await open('aicl', AICL);
      const position = { line: 4, character: 22 };
      assert.deepEqual(await client.connection.sendRequest(HoverRequest.type, { textDocument, position }), {
        contents: { kind: 'markdown', value: explain('tool_call') },
        range: at('4:15-4:28'),
      });
    });

    it('answers null where there is nothing to say, and past the end of a line', async () => {
      const textDocument = await open('aicf', AICF);
      for (const position of [
        { line: 4, character: 0 },
        { line: 4, character: 99 },
        { line: 99, character: 0 },
      ]) {
        assert.equal(
          await client.connection.sendRequest(HoverRequest.type, { textDocument, position }),
          null,
        );
      }
    });
  });

  describe('completion', () => {
    it('aicf', async () => {
      const items = await completeAt('aicf', `${AICF}$0`);
      assert.deepEqual(
        items.map(item => item.label),
        ['CALL', 'LIST', 'INFO', 'OK', 'ERR', 'TOOLS', 'TOOL', 'STREAM', 'END'],
      );
      assert.deepEqual(items[0], {
        label: 'CALL',
        kind: 14,
        detail: 'CALL|tool|argument…',
        documentation: { kind: 'markdown', value: explain('CALL') },
        sortText: '0001 CALL',
        insertTextFormat: 2,
        textEdit: { range: at('6:0-6:0'), newText: 'CALL|${1:tool}|${2:argument}' },
      });
    });

    it('aicl', async () => {
      const items = await completeAt('aicl', AICL.replace('[s:tool_call]', '[s:tool$0_call]'));
      assert.deepEqual(
        items.map(item => item.label),
        ['task_request', 'data_query', 'tool_call', 'result', 'error', 'protocol_negotiate'],
      );
      assert.deepEqual(items[2], {
        label: 'tool_call',
        kind: 25,
        detail: 'message type',
        documentation: { kind: 'markdown', value: explain('tool_call') },
        sortText: '0002 tool_call',
        insertTextFormat: 1,
        textEdit: { range: at('4:18-4:27'), newText: 'tool_call' },
      });
    });

    it('gives plain text to a client without snippets', async () => {
      const plain = await TestClient.start({ capabilities: {} });
      const uri = await plain.open('a.aicf', 'aicf', '');
      const items = await plain.connection.sendRequest(CompletionRequest.type, {
        textDocument: { uri },
        position: { line: 0, character: 0 },
      });
      assert.ok(Array.isArray(items));
      assert.deepEqual(items[0]?.textEdit, { range: at('0:0-0:0'), newText: 'CALL|tool|argument' });
      assert.equal(items[0]?.insertTextFormat, 1);
      await plain.stop();
    });
  });

  describe('outline', () => {
    it('aicf', async () => {
      const textDocument = await open('aicf', AICF);
      assert.deepEqual(await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument }), [
        symbol(
          'math.add',
          'CALL',
          12,
          ['2:0-3:13', '2:0-2:4'],
          [
            symbol(
              'OK',
              '{"sum":42}',
              24,
              ['3:0-3:13', '3:0-3:2'],
              [symbol('sum', '42', 8, ['3:4-3:12', '3:4-3:9'])],
            ),
          ],
        ),
        symbol('text.reverse', 'CALL', 12, ['5:0-5:23', '5:0-5:4']),
      ]);
    });

    it('aicl', async () => {
      const textDocument = await open('aicl', AICL);
      assert.deepEqual(await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument }), [
        symbol(
          'stats.describe',
          'tool_call · s1',
          12,
          ['1:0-7:1', '1:0-1:3'],
          [
            symbol('protocol', 'LightAICL', 8, ['2:2-2:28', '2:2-2:14']),
            symbol('session_id', 's1', 8, ['3:2-3:23', '3:2-3:16']),
            symbol('msg_type', 'tool_call', 8, ['4:2-4:28', '4:2-4:14']),
            symbol('tool', 'stats.describe', 8, ['5:2-5:29', '5:2-5:10']),
            symbol(
              'params',
              'dictionary of 1',
              8,
              ['6:2-6:44', '6:2-6:12'],
              [symbol('values', 'list of 2', 8, ['6:16-6:42', '6:16-6:26'])],
            ),
          ],
        ),
        symbol(
          'data_query',
          's1',
          23,
          ['8:0-8:80', '8:0-8:3'],
          [
            symbol('protocol', 'LightAICL', 8, ['8:3-8:29', '8:3-8:15']),
            symbol('session_id', 's1', 8, ['8:30-8:51', '8:30-8:44']),
            symbol('msg_type', 'data_query', 8, ['8:52-8:79', '8:52-8:64']),
          ],
        ),
      ]);
    });

    it('is a flat list for a client that knows no tree', async () => {
      const flat = await TestClient.start({ capabilities: {} });
      const uri = await flat.open('a.aicf', 'aicf', AICF);
      assert.deepEqual(
        await flat.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } }),
        [
          { name: 'math.add', kind: 12, location: { uri, range: at('2:0-3:13') } },
          { name: 'OK', kind: 24, location: { uri, range: at('3:0-3:13') }, containerName: 'math.add' },
          { name: 'sum', kind: 8, location: { uri, range: at('3:4-3:12') }, containerName: 'OK' },
          { name: 'text.reverse', kind: 12, location: { uri, range: at('5:0-5:23') } },
        ],
      );
      await flat.stop();
    });
  });

  describe('folding', () => {
    const fold = async (language: 'aicf' | 'aicl', text: string): Promise<unknown> => {
      const textDocument = await open(language, text);
      return client.connection.sendRequest(FoldingRangeRequest.type, { textDocument });
    };

    it('aicf', async () => {
      assert.deepEqual(await fold('aicf', AICF), [
        { startLine: 0, endLine: 1, kind: 'comment' },
        { startLine: 2, endLine: 3, kind: 'region' },
      ]);
    });

    it('aicl', async () => {
      assert.deepEqual(await fold('aicl', AICL), [{ startLine: 1, endLine: 7, kind: 'region' }]);
    });

    it('keeps to the number that a client can show', async () => {
      const small = await TestClient.start({
        capabilities: { textDocument: { foldingRange: { rangeLimit: 1 } } },
      });
      const uri = await small.open('a.aicf', 'aicf', AICF);
      const ranges = await small.connection.sendRequest(FoldingRangeRequest.type, { textDocument: { uri } });
      assert.deepEqual(ranges, [{ startLine: 0, endLine: 1, kind: 'comment' }]);
      await small.stop();
    });
  });

  describe('formatting', () => {
    const format = async (language: 'aicf' | 'aicl', text: string): Promise<string> => {
      const textDocument = await open(language, text);
      const options = { tabSize: 2, insertSpaces: true };
      const edits = await client.connection.sendRequest(DocumentFormattingRequest.type, {
        textDocument,
        options,
      });
      const lines = SourceText.of(text);
      const spanned = (edits ?? []).map(({ range, newText }) => ({
        span: { start: lines.toOffset(range.start), end: lines.toOffset(range.end) },
        newText,
      }));
      return applyEdits(text, spanned);
    };

    it('aicf', async () => {
      assert.equal(await format('aicf', 'CALL|a|1\n  \n\n\n# b  \nLIST'), 'CALL|a|1\n\n\n# b\nLIST\n');
    });

    it('aicl', async () => {
      const message =
        '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:data_query]\n]\n';
      const lines = AICL.split('\n');
      assert.equal(await format('aicl', AICL), `${lines.slice(0, 8).join('\n')}\n${message}`);
    });

    it('changes nothing that is formatted', async () => {
      const textDocument = await open('aicf', AICF);
      const options = { tabSize: 2, insertSpaces: true };
      assert.deepEqual(
        await client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options }),
        [],
      );
    });
  });

  describe('lenses', () => {
    for (const [language, text, lines] of [
      ['aicf', AICF, [2, 5]],
      ['aicl', AICL, [1, 8]],
    ] as const) {
      it(language, async () => {
        const textDocument = await open(language, text);
        const lens = (line: number): unknown => ({
          range: at(`${line}:0-${line}:0`),
          command: {
            title: '$(play)\u00a0Send',
            command: 'parley.send',
            arguments: [textDocument.uri, { line, character: 0 }],
          },
        });
        assert.deepEqual(
          await client.connection.sendRequest(CodeLensRequest.type, { textDocument }),
          lines.map(lens),
        );
      });
    }
  });

  describe('fixes', () => {
    const actions = async (
      textDocument: { uri: string },
      range: Range,
      only?: string[],
    ): Promise<CodeAction[]> => {
      const context = { diagnostics: [], ...(only ? { only } : {}) };
      const found = await client.connection.sendRequest(CodeActionRequest.type, {
        textDocument,
        range,
        context,
      });
      return (found ?? []).filter((action): action is CodeAction => 'diagnostics' in action);
    };

    it('aicf', async () => {
      const textDocument = await open('aicf', AICF);
      const range = at('5:0-5:4');
      assert.deepEqual(await actions(textDocument, range), [
        {
          title: 'Write CALL',
          kind: 'quickfix',
          diagnostics: [
            {
              range,
              severity: 1,
              code: 'aicf/wrong-case',
              codeDescription: { href: ruleUrl('aicf/wrong-case') },
              source: 'parley',
              message: "'call' is not a command; write 'CALL' (error 400)",
            },
          ],
          isPreferred: true,
          edit: { changes: { [textDocument.uri]: [{ range, newText: 'CALL' }] } },
        },
      ]);
    });

    it('aicl', async () => {
      const textDocument = await open('aicl', AICL);
      assert.deepEqual(await actions(textDocument, at('8:70-8:70')), [
        {
          title: "Add 'query'",
          kind: 'quickfix',
          diagnostics: [
            {
              range: at('8:65-8:79'),
              severity: 1,
              code: 'aicl/missing-field',
              codeDescription: { href: ruleUrl('aicl/missing-field') },
              source: 'parley',
              message: "data_query needs the field 'query' (error 2001)",
            },
          ],
          edit: { changes: { [textDocument.uri]: [{ range: at('8:79-8:79'), newText: ',[s:query]:[s:]' }] } },
        },
      ]);
    });

    it('answers none elsewhere, and none of a kind that is not asked for', async () => {
      const textDocument = await open('aicf', AICF);
      assert.deepEqual(await actions(textDocument, at('2:0-2:4')), []);
      assert.deepEqual(await actions(textDocument, at('5:0-5:4'), ['refactor']), []);
      assert.equal((await actions(textDocument, at('5:0-5:4'), ['quickfix'])).length, 1);
      assert.equal((await actions(textDocument, at('5:0-5:4'), [''])).length, 1);
    });
  });

  describe('the request at a place', () => {
    const requestAt = async (
      language: 'aicf' | 'aicl',
      text: string,
      line: number,
      character: number,
    ): Promise<unknown> => {
      const { uri } = await open(language, text);
      return client.connection.sendRequest(REQUEST_AT.method, { uri, position: { line, character } });
    };

    it('aicf', async () => {
      assert.deepEqual(await requestAt('aicf', AICF, 2, 5), {
        language: 'aicf',
        title: 'math.add',
        version: 1,
        payloads: [],
        directives: { agent: 'toolbox', name: 'first' },
        ...at('2:0-2:19'),
        blockers: [],
      });
    });

    it('aicl, with what stops it', async () => {
      assert.deepEqual(await requestAt('aicl', AICL, 8, 0), {
        language: 'aicl',
        title: 'data_query',
        version: 1,
        payloads: [],
        directives: {},
        ...at('8:0-8:80'),
        blockers: ["9: data_query needs the field 'query' (error 2001)"],
      });
    });

    it('aicl, with the payloads that go out without white space', async () => {
      const before = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:';
      const payload = '\n  00000\n  00000';
      const { uri } = await open('aicl', `${before}[t:uint8:8:${payload}]]\n`);
      const params = { uri, position: { line: 0, character: 0 } };
      const found = await client.connection.sendRequest<{ payloads: unknown }>(REQUEST_AT.method, params);
      const start = before.length + '[t:uint8:8:'.length;
      assert.deepEqual(found.payloads, [{ start, end: start + payload.length }]);
    });

    it('is the one below on the lines of its directives', async () => {
      for (const line of [0, 1])
        assert.deepEqual(await requestAt('aicf', AICF, line, 4), await requestAt('aicf', AICF, 2, 5));
      assert.deepEqual(await requestAt('aicl', AICL, 0, 2), await requestAt('aicl', AICL, 3, 2));
    });

    it('is null where there is none', async () => {
      assert.equal(await requestAt('aicf', AICF, 3, 2), null);
      assert.equal(await requestAt('aicf', AICF, 4, 0), null);
    });

    it('names an error also where the document has more issues than are shown', async () => {
      const text = `${'call|x\n'.repeat(1200)}`;
      assert.deepEqual(await requestAt('aicf', text, 1199, 2), {
        language: 'aicf',
        title: 'x',
        version: 1,
        payloads: [],
        directives: {},
        ...at('1199:0-1199:6'),
        blockers: ["1200: 'call' is not a command; write 'CALL' (error 400)"],
        fixes: [{ range: at('1199:0-1199:4'), newText: 'CALL' }],
      });
    });
  });
});
