import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  CodeActionKind,
  commands,
  languages,
  Position,
  Range,
  workspace,
  WorkspaceEdit,
  type CodeAction,
  type CompletionList,
  type DocumentHighlight,
  type DocumentLink,
  type FoldingRange,
  type Hover,
  type InlayHint,
  type Location,
  type LocationLink,
  type SelectionRange,
  type SemanticTokens,
  type SemanticTokensLegend,
  type SignatureHelp,
  type TextDocument,
  type TextEdit,
} from 'vscode';
import { ask, deleteScratch, openInFront, outlineOf, positionOf, wholeOf } from '../support/editor.ts';
import { closeEditors, waitFor, waitForDiagnostics } from '../support/parley.ts';

const AICF = 'TOOL|edit.sum|Adds|first:number|second:number\n\nCALL|edit.sum|19|23\nOK|42\n';
const AICL =
  '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:edit-1],\n  [s:msg_type]:[s:tool_call],\n' +
  '  [s:tool]:[s:edit.sum],\n  [s:params]:[d:[s:data]:[t:int8:2:0RR]]\n]\n';

describe('editing', () => {
  const opened: TextDocument[] = [];

  async function open(name: string, content: string): Promise<TextDocument> {
    const document = await openInFront(name, content);
    opened.push(document);
    return document;
  }

  afterEach(async () => {
    await closeEditors();
    for (const { uri } of opened.splice(0)) await deleteScratch(uri);
  });

  function execute<Answer>(command: string, { uri }: TextDocument, ...more: unknown[]): Thenable<Answer> {
    return commands.executeCommand<Answer>(`vscode.execute${command}`, uri, ...more);
  }

  async function hoverText(document: TextDocument, position: Position): Promise<string> {
    const hovers = await execute<Hover[]>('HoverProvider', document, position);
    return hovers
      .flatMap(({ contents }) => contents)
      .map(content => (typeof content === 'string' ? content : content.value))
      .join('\n');
  }

  it('tells of a fault as it is typed, and mends it', async () => {
    const document = await open('edit-fault.aicf', AICF);
    assert.deepEqual(languages.getDiagnostics(document.uri), []);
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(2, 0, 2, 4), 'call');
    await workspace.applyEdit(edit);
    const [diagnostic] = await waitForDiagnostics(document.uri);
    assert.ok(diagnostic);
    assert.equal(document.getText(diagnostic.range), 'call');
    const actions = await execute<CodeAction[]>('CodeActionProvider', document, diagnostic.range);
    const fix = actions.find(action => action.kind && CodeActionKind.QuickFix.contains(action.kind));
    assert.equal(fix?.title, 'Write CALL');
    assert.ok(fix?.edit);
    await workspace.applyEdit(fix.edit);
    await waitFor('no more diagnostics', () =>
      languages.getDiagnostics(document.uri).length === 0 ? true : undefined,
    );
    assert.equal(document.getText(), AICF);
  });

  it('completes tools and fields', async () => {
    const labels = async (document: TextDocument, position: Position): Promise<readonly string[]> => {
      const list = await execute<CompletionList>('CompletionItemProvider', document, position);
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    const aicf = await open('edit-complete.aicf', `${AICF}CALL|\n`);
    assert.ok((await labels(aicf, new Position(4, 5))).includes('edit.sum'));
    const aicl = await open('edit-complete.aicl', AICL.replace('[s:tool]:[s:edit.sum],', ''));
    assert.ok((await labels(aicl, new Position(4, 2))).includes('tool'));
  });

  it('explains what the pointer is on', async () => {
    const aicf = await open('edit-hover.aicf', AICF);
    assert.match(await hoverText(aicf, positionOf(aicf, 'CALL', 1)), /Calls a tool/);
    const aicl = await open('edit-hover.aicl', AICL);
    assert.match(await hoverText(aicl, positionOf(aicl, 'int8', 1)), /int8/);
  });

  it('shows the signature of a call', async () => {
    const document = await open('edit-signature.aicf', AICF);
    const help = await execute<SignatureHelp>(
      'SignatureHelpProvider',
      document,
      positionOf(document, '19|23', 3),
    );
    assert.deepEqual(
      [help.activeParameter, help.signatures.map(({ label }) => label)],
      [2, ['CALL|edit.sum|first:number|second:number']],
    );
  });

  it('lists what a document holds', async () => {
    const aicf = await open('edit-outline.aicf', AICF);
    assert.deepEqual(await outlineOf(aicf.uri), ['TOOL', 'edit.sum', 'OK']);
    const aicl = await open('edit-outline.aicl', AICL);
    assert.deepEqual(await outlineOf(aicl.uri), [
      'edit.sum',
      'protocol',
      'session_id',
      'msg_type',
      'tool',
      'params',
      'data',
    ]);
    const folds = await execute<FoldingRange[]>('FoldingRangeProvider', aicl);
    assert.deepEqual(
      folds.map(({ start, end }) => [start, end]),
      [[0, 6]],
    );
  });

  it('formats', async () => {
    const document = await open(
      'edit-format.aicl',
      AICL.replaceAll(/\n {2}/g, '')
        .replace('\n]', ']')
        .trimEnd(),
    );
    const edits = await execute<TextEdit[]>('FormatDocumentProvider', document, {
      tabSize: 2,
      insertSpaces: true,
    });
    const edit = new WorkspaceEdit();
    edit.set(document.uri, edits);
    await workspace.applyEdit(edit);
    assert.match(document.getText(), /^\[d:\n {2}\[s:protocol\]:\[s:LightAICL\],\n {2}\[s:session_id\]/);
  });

  it('colours by meaning', async () => {
    for (const [name, text, wanted] of [
      ['edit-colour.aicf', AICF, ['keyword', 'function', 'parameter', 'type', 'number']],
      ['edit-colour.aicl', AICL, ['type', 'property', 'string']],
    ] as const) {
      const document = await open(name, text);
      const legend = await commands.executeCommand<SemanticTokensLegend>(
        'vscode.provideDocumentSemanticTokensLegend',
        document.uri,
      );
      const { data } = await ask('semantic tokens', () =>
        commands.executeCommand<SemanticTokens | undefined>(
          'vscode.provideDocumentSemanticTokens',
          document.uri,
        ),
      );
      const kinds = new Set<string | undefined>();
      for (let at = 3; at < data.length; at += 5) kinds.add(legend.tokenTypes[data[at] ?? -1]);
      assert.deepEqual(
        wanted.filter(kind => !kinds.has(kind)),
        [],
        `${name}: ${[...kinds].join(' ')}`,
      );
    }
  });

  it('hints at names of arguments and sizes of tensors', async () => {
    const hints = async (document: TextDocument): Promise<readonly string[]> => {
      const found = await execute<InlayHint[]>('InlayHintProvider', document, wholeOf(document));
      return found.map(({ label }) =>
        typeof label === 'string' ? label : label.map(part => part.value).join(''),
      );
    };
    assert.deepEqual(await hints(await open('edit-hints.aicf', AICF)), ['first:', 'second:']);
    assert.deepEqual(await hints(await open('edit-hints.aicl', AICL)), ['2 bytes · 0…1 · mean 0.5']);
  });

  it('goes to the definition of a tool, finds its uses and renames it', async () => {
    const document = await open('edit-names.aicf', AICF.replaceAll('edit.sum', 'edit.rename'));
    const position = positionOf(document, 'CALL|edit.rename', 6);
    const definitions = await execute<(Location | LocationLink)[]>('DefinitionProvider', document, position);
    assert.deepEqual(
      definitions.map(found => document.getText('range' in found ? found.range : found.targetRange)),
      ['edit.rename'],
    );
    const references = await execute<Location[]>('ReferenceProvider', document, position);
    assert.deepEqual(
      references.map(({ range }) => range.start.line),
      [0, 2],
    );
    const highlights = await execute<DocumentHighlight[]>('DocumentHighlights', document, position);
    assert.equal(highlights.length, 2);
    const edit = await execute<WorkspaceEdit>('DocumentRenameProvider', document, position, 'edit.other');
    await workspace.applyEdit(edit);
    assert.equal(document.getText(), AICF.replaceAll('edit.sum', 'edit.other'));
    await document.save();
  });

  it('grows a selection and opens links', async () => {
    const document = await open('edit-select.aicf', `${AICF}CALL|edit.get|https://example.com/a\n`);
    const [selection] = await execute<SelectionRange[]>('SelectionRangeProvider', document, [
      positionOf(document, '19|23', 1),
    ]);
    const texts: string[] = [];
    for (let range = selection; range; range = range.parent ?? undefined)
      texts.push(document.getText(range.range));
    assert.ok(texts.includes('19') && texts.includes('CALL|edit.sum|19|23'), JSON.stringify(texts));
    const links = await execute<DocumentLink[]>('LinkProvider', document);
    assert.deepEqual(
      links.map(({ range, target }) => [document.getText(range), target?.toString()]),
      [['https://example.com/a', 'https://example.com/a']],
    );
  });
});
