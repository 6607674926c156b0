import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  DiagnosticSeverity,
  env,
  languages,
  Range,
  Uri,
  window,
  workspace,
  type CodeAction,
  type CodeLens,
  type Diagnostic,
  type TextDocument,
} from 'vscode';
import { ask, deleteScratch, openInFront, positionOf } from '../support/editor.ts';
import { closeEditors, openScratch } from '../support/parley.ts';

const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:hello],[s:msg_type]';
const CALL = `${HEAD}:[s:tool_call],[s:tool]:[s:stats.mean],[s:params]:[d:[s:n]:[i:3]]]`;
const QUERY = `${HEAD}:[s:data_query],[s:query]:[s:all]]`;
const RESULT = `${HEAD}:[s:result],[s:data]:[f:3.0]]`;
const TEXT = `# one\n${CALL}\n\n${QUERY}\n\n# three\n${RESULT}\n`;

const CALL_JSON = '{"kind":"call","session":"hello","tool":"stats.mean","arguments":{"n":3}}';
const QUERY_JSON = '{"kind":"query","session":"hello","query":"all"}';
const RESULT_JSON = '{"kind":"result","session":"hello","data":3.0}';

describe('conversion of a selection and of a file', () => {
  const made: Uri[] = [];

  /** The messages, the selection from inside the first into the second. */
  async function select(name: string): Promise<TextDocument> {
    const document = await openInFront(name, TEXT);
    made.push(document.uri);
    const selection = new Range(positionOf(document, 'stats.mean'), positionOf(document, '[s:all]'));
    await window.showTextDocument(document, { viewColumn: 1, selection });
    return document;
  }

  async function textOf(view: unknown): Promise<string> {
    assert.ok(view instanceof Uri, String(view));
    return (await workspace.openTextDocument(view)).getText();
  }

  afterEach(async () => {
    await closeEditors();
    for (const uri of made.splice(0)) await deleteScratch(uri);
  });

  it('shows the messages that the selection touches', async () => {
    await select('selection-show.aicl');
    const view = await commands.executeCommand('parley.convert', undefined, undefined, 'json');
    assert.equal(await textOf(view), `${CALL_JSON}\n${QUERY_JSON}\n`);
  });

  it('replaces them, and one Undo brings them back', async () => {
    const document = await select('selection-replace.aicl');
    assert.equal(
      await commands.executeCommand('parley.convert', undefined, undefined, 'json', 'replace'),
      undefined,
    );
    assert.equal(document.getText(), `# one\n${CALL_JSON}\n${QUERY_JSON}\n\n# three\n${RESULT}\n`);
    assert.equal(document.languageId, 'aicl');
    await commands.executeCommand('undo');
    assert.equal(document.getText(), TEXT);
    await document.save();
  });

  it('copies them', async () => {
    const document = await select('selection-copy.aicl');
    assert.equal(
      await commands.executeCommand('parley.convert', undefined, undefined, 'json', 'copy'),
      undefined,
    );
    assert.deepEqual(
      [await env.clipboard.readText(), document.getText()],
      [`${CALL_JSON}\n${QUERY_JSON}\n`, TEXT],
    );
  });

  it('is an action on them', async () => {
    const document = await select('selection-action.aicl');
    const selected = window.activeTextEditor?.selection;
    assert.ok(selected);
    const action = await ask('the action', async () => {
      const found = await commands.executeCommand<CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new Range(selected.start, selected.end),
        'refactor.rewrite.convert',
      );
      return found.find(({ title }) => title === 'Convert to JSON');
    });
    const { command, args = [] } = {
      command: action.command?.command ?? '',
      args: action.command?.arguments,
    };
    assert.equal(
      await textOf(await commands.executeCommand(command, ...(args as unknown[]))),
      `${CALL_JSON}\n${QUERY_JSON}\n`,
    );
  });

  it('is of the file that the explorer names, open or not, in front or not', async () => {
    const other = await openScratch('selection-file.jsonl', `${QUERY_JSON}\n${RESULT_JSON}\n`);
    made.push(other.uri);
    await select('selection-front.aicl');
    // The explorer gives the file and the list of all that are selected there.
    const view = await commands.executeCommand('parley.convert', other.uri, [other.uri], 'aicl');
    assert.equal((await textOf(view)).match(/\[s:hello\]/g)?.length, 2);
    const front = window.activeTextEditor?.document.uri;
    const whole = await commands.executeCommand('parley.convert', front, [front], 'json');
    assert.equal(await textOf(whole), `${CALL_JSON}\n${QUERY_JSON}\n${RESULT_JSON}\n`);
    assert.equal(
      await commands.executeCommand('parley.convert', other.uri, [other.uri], 'aicl', 'copy'),
      undefined,
    );
    assert.equal(await env.clipboard.readText(), await textOf(view));
  });

  it('tells each loss once as a problem with its reason and its places in the source, and counts them above', async () => {
    const document = await select('selection-loss.aicl');
    const view = await commands.executeCommand('parley.convert', undefined, undefined, 'aicf');
    assert.ok(view instanceof Uri);
    const shown = await workspace.openTextDocument(view);
    assert.equal(shown.getText(), 'CALL|stats.mean|3\nCALL|query|all\n');
    const { Information, Warning } = DiagnosticSeverity;
    const report = ({ severity, code, message, range, relatedInformation }: Diagnostic): unknown => {
      const places = (relatedInformation ?? []).map(({ location }) =>
        location.uri.toString() === document.uri.toString() ? location.range.start.line : location.uri,
      );
      return [severity, code, message, shown.lineAt(range.start.line).text, ...places];
    };
    assert.deepEqual(languages.getDiagnostics(view).map(report), [
      [
        ...[Warning, 'dropped'],
        'AICF gives arguments by place, and nothing declares their order; the names are dropped and their order stays',
        ...['CALL|stats.mean|3', 1],
      ],
      [
        ...[Information, 'moved', 'AICF has no type for this argument, so an integer is read otherwise here'],
        ...['CALL|stats.mean|3', 1],
      ],
      [Warning, 'dropped', 'AICF has no place for a session (at 2 places)', 'CALL|stats.mean|3', 1, 3],
      [
        ...[Information, 'moved'],
        "AICF has no query; it is written as a call of a tool 'query', which the agent may not have",
        ...['CALL|query|all', 3],
      ],
    ]);
    const [summary] = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', view);
    assert.equal(summary?.command?.title, '2 messages, 5 losses');
  });
});
