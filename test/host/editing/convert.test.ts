import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  DiagnosticSeverity,
  env,
  languages,
  Selection,
  Uri,
  window,
  workspace,
  type CodeLens,
  type TextDocument,
} from 'vscode';
import { ask, deleteScratch, openInFront, positionOf } from '../support/editor.ts';
import { closeEditors, openScratch, replaceText, waitFor } from '../support/parley.ts';

const CALL = `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:hello],
  [s:msg_type]:[s:tool_call],
  [s:tool]:[s:stats.describe],
  [s:params]:[d:[s:values]:[l:[i:3],[i:1]]]
]`;
const QUERY = `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:hello],[s:msg_type]:[s:data_query],[s:query]:[s:all]]`;
const TEXT = `# two messages\n${CALL}\n\n${QUERY}\n`;

const MCP_CALL =
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"math.add","arguments":{"a":1}}}';

describe('conversion', () => {
  const made: Uri[] = [];

  async function open(name: string, content: string): Promise<TextDocument> {
    const document = await openInFront(name, content);
    made.push(document.uri);
    return document;
  }

  /** Opens a file that the language server does not know. */
  async function openOther(name: string, content: string): Promise<TextDocument> {
    const document = await openScratch(name, content);
    made.push(document.uri);
    await window.showTextDocument(document);
    return document;
  }

  /** Runs the command as a lens does, and returns the view that it opened. */
  async function show(document: TextDocument, place: unknown, to: string): Promise<TextDocument> {
    const uri = await commands.executeCommand('parley.convert', document.uri.toString(), place, to);
    assert.ok(uri instanceof Uri, String(uri));
    return workspace.openTextDocument(uri);
  }

  afterEach(async () => {
    await closeEditors();
    for (const uri of made.splice(0)) await deleteScratch(uri);
  });

  it('opens from the lens above a message, beside it and read-only', async () => {
    const document = await open('convert-lens.aicl', TEXT);
    const lens = await ask('the Convert lens', async () => {
      const lenses = await commands.executeCommand<CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        100,
      );
      return lenses.find(({ command }) => command?.command === 'parley.convert');
    });
    const [uri, place] = lens.command?.arguments as unknown[];
    assert.deepEqual([uri, lens.range.start.line], [document.uri.toString(), 1]);
    const view = await show(document, place, 'mcp');
    const shown = window.visibleTextEditors.find(editor => editor.document === view);
    assert.deepEqual(
      [view.languageId, view.uri.path, shown?.viewColumn, workspace.fs.isWritableFileSystem(view.uri.scheme)],
      ['json', '/convert-lens.aicl → MCP', 2, undefined],
    );
    assert.deepEqual(JSON.parse(view.getText()), {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'stats.describe',
        arguments: { values: [3, 1] },
      },
    });
    assert.equal(window.activeTextEditor?.document, document);
  });

  it('follows what is typed, in its message only, and stays when the source closes', async () => {
    const document = await open('convert-follow.aicl', TEXT);
    const view = await show(document, positionOf(document, '[s:tool]'), 'json-rpc');
    const before = view.getText();
    await replaceText(document, '# two messages', '# two messages, and a line\n# more');
    await replaceText(document, 'stats.describe', 'stats.mean');
    await waitFor('the new tool in the view', () => (view.getText() === before ? undefined : true));
    assert.equal(view.getText(), before.replace('stats.describe', 'stats.mean'));
    assert.ok(!view.getText().includes('"all"'));
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.ok(view.getText().includes('stats.mean') && !view.isClosed);
  });

  it('tells what could not be carried where it shows, and where the source says it', async () => {
    const document = await open('convert-loss.aicf', 'CALL|math.add|19|23\n');
    const view = await show(document, { line: 0, character: 6 }, 'json-rpc');
    const found = languages.getDiagnostics(view.uri).filter(({ source }) => source === 'Parley conversion');
    const [guess] = found.filter(({ code }) => code === 'guessed');
    assert.ok(guess, JSON.stringify(found));
    assert.equal(guess.severity, DiagnosticSeverity.Information);
    const [related] = guess.relatedInformation ?? [];
    assert.equal(related?.location.uri.toString(), document.uri.toString());
    assert.equal(related.location.range.start.line, 0);
    await replaceText(document, 'CALL|math.add|19|23', 'LIST');
    await waitFor('no guess any more', () =>
      languages.getDiagnostics(view.uri).some(({ code }) => code === 'guessed') ? undefined : true,
    );
  });

  it('replaces one message by one edit, and a file with its language', async () => {
    const document = await open('convert-replace.aicl', TEXT);
    const run = (place: unknown, to: string): Thenable<unknown> =>
      commands.executeCommand('parley.convert', document.uri.toString(), place, to, 'replace');
    assert.equal(await run(positionOf(document, '[s:query]'), 'json'), undefined);
    const before = TEXT.slice(0, TEXT.indexOf(QUERY));
    const text = document.getText();
    assert.equal(text.slice(0, before.length), before);
    assert.deepEqual(JSON.parse(text.slice(before.length)), {
      kind: 'query',
      query: 'all',
      session: 'hello',
    });
    assert.equal(document.languageId, 'aicl');
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    assert.equal(document.getText(), TEXT);
    assert.equal(await run({ line: 0, character: 99 }, 'json'), undefined);
    assert.ok(document.getText().startsWith('# two messages\n{'));
    await commands.executeCommand('undo');
    assert.equal(await run('file', 'json'), undefined);
    assert.equal(document.languageId, 'jsonl');
    const messages = document.getText().trim().split('\n');
    assert.deepEqual(
      messages.map(line => (JSON.parse(line) as { kind: unknown }).kind),
      ['call', 'query'],
    );
    const inLanguage = (language: string): Promise<true> =>
      ask(`the language ${language}`, () => Promise.resolve(document.languageId === language || undefined));
    await commands.executeCommand('undo');
    assert.equal(document.getText(), TEXT);
    await inLanguage('aicl');
    await commands.executeCommand('redo');
    await inLanguage('jsonl');
    await commands.executeCommand('undo');
    await inLanguage('aicl');
    await document.save();
  });

  it('gives a file its new language where only remarks stay as they are', async () => {
    const document = await open('convert-remarks.aicf', '# one\nCALL|one.tool|a\n# two\n');
    const place = { line: 1, character: 2 };
    const uri = document.uri.toString();
    await commands.executeCommand('parley.convert', uri, place, 'json', 'replace');
    assert.equal(document.languageId, 'aicf');
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    await commands.executeCommand('parley.convert', uri, place, 'aicl', 'replace');
    assert.equal(document.languageId, 'aicl');
    assert.ok(/^# one\n\[d:[^\n]*\]\n# two\n$/.test(document.getText()), document.getText());
    await document.save();
  });

  it('underlines what names a message where no value of it is to blame', async () => {
    const document = await open('convert-heads.aicf', 'CALL|one.tool|a|b\nCALL|other.tool|a|b\n');
    const view = await show(document, 'file', 'json-rpc');
    const guesses = languages.getDiagnostics(view.uri).filter(({ code }) => code === 'guessed');
    assert.deepEqual(
      guesses.map(({ range }) => [range.start.line, view.getText(range)]),
      [
        [0, '"method":"aip.tool.invoke"'],
        [1, '"method":"aip.tool.invoke"'],
      ],
    );
  });

  it('copies, and comes back as the same message but for the session that JSON-RPC has no place for', async () => {
    const document = await open('convert-copy.aicl', `${CALL}\n`);
    const problem = await commands.executeCommand(
      'parley.convert',
      document.uri.toString(),
      'file',
      'json-rpc',
      'copy',
    );
    const json = await env.clipboard.readText();
    assert.deepEqual([problem, document.getText()], [undefined, `${CALL}\n`]);
    const other = await openOther('convert-back.json', json);
    assert.equal(
      await commands.executeCommand('parley.convert', other.uri.toString(), 'file', 'aicl', 'copy'),
      undefined,
    );
    assert.equal(await env.clipboard.readText(), `${CALL.replace('[s:hello]', '[s:session]')}\n`);
  });

  it('converts the selected text of a file in another language', async () => {
    const document = await openOther(
      'convert-part.txt',
      `noise before\nnoise ${MCP_CALL} noise\nnoise behind\n`,
    );
    const editor = await window.showTextDocument(document);
    editor.selection = new Selection(1, 6, 1, 6 + MCP_CALL.length);
    const uri = await commands.executeCommand('parley.convert', undefined, undefined, 'aicf');
    assert.ok(uri instanceof Uri);
    const view = await workspace.openTextDocument(uri);
    assert.deepEqual([view.getText(), view.languageId], ['CALL|math.add|1\n', 'aicf']);
    const [named] = languages.getDiagnostics(view.uri).filter(({ message }) => message.includes('by place'));
    const said = named?.relatedInformation?.[0]?.location.range;
    assert.equal(said && document.getText(said), '"arguments":{"a":1}');
    await replaceText(document, '"math.add"', '"math.sub"');
    await waitFor('the other tool', () => (view.getText() === 'CALL|math.sub|1\n' ? true : undefined));
  });

  it('is shown in another protocol in its place', async () => {
    const document = await open('convert-switch.aicl', TEXT);
    const view = await show(document, positionOf(document, '[s:tool]'), 'mcp');
    const uri = await commands.executeCommand('parley.convert', view.uri.toString(), undefined, 'aicf');
    assert.ok(uri instanceof Uri);
    const labels = window.tabGroups.all.flatMap(group => group.tabs).map(({ label }) => label);
    // Tabs of the test before may close a moment later.
    assert.deepEqual(
      labels.filter(label => label.startsWith('convert-switch')),
      ['convert-switch.aicl', 'convert-switch.aicl → AICF'],
    );
    const shown = await workspace.openTextDocument(uri);
    assert.ok(shown.getText().startsWith('CALL|stats.describe|'), shown.getText());
  });

  it('pastes what others write as messages on lines of their own', async () => {
    const document = await open('convert-paste.aicf', 'LIST\n');
    const paste = async (text: string): Promise<unknown> => {
      await env.clipboard.writeText(text);
      const { lineCount } = document;
      return commands.executeCommand('parley.pasteMessages', document.uri.toString(), {
        line: lineCount - 1,
        character: 0,
      });
    };
    const curl = `curl -H 'Authorization: Bearer abc' -d '${MCP_CALL}' http://localhost:3000/mcp`;
    assert.deepEqual([await paste(curl), document.getText()], [undefined, 'LIST\nCALL|math.add|1']);
    const answer = await commands.executeCommand('parley.pasteMessages', document.uri.toString(), {
      line: 1,
      character: 15,
    });
    assert.deepEqual([answer, document.getText()], [undefined, 'LIST\nCALL|math.add|1\nCALL|math.add|1']);
    await document.save();
  });
});
