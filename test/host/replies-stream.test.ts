import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, window, workspace, type TextDocument, type Uri } from 'vscode';
import type { ParleyApi } from '../../client/src/extension.ts';
import {
  activateParley,
  closeEditors,
  listReplyTabs,
  openScratch,
  replaceText,
  sendRequest,
  showSample,
  waitFor,
} from './support/parley.ts';

const LINE = '# @agent toolbox\nCALL|slow.count|3\n';
/** Goes on until it is stopped, so that all of a test happens before its end, also on a busy machine. */
const ENDLESS = '# @agent toolbox\nCALL|slow.count|3600\n';
const named = (request: string): string => `# @name counted\n${request}`;
const WHOLE = 'STREAM|1\nSTREAM| 2\nSTREAM| 3\nEND\n';

/** Times differ from run to run; everything else of a title is compared. */
function withoutTime(title: string): string {
  return title.replace(/[\d.]+ (ms|s)$/, 'N');
}

function documentAt(uri: Uri): TextDocument {
  const found = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
  assert.ok(found, `${uri.path} is not open`);
  return found;
}

describe('streams', () => {
  let parley: ParleyApi;

  before(async () => {
    parley = await activateParley();
  });

  beforeEach(() => commands.executeCommand('parley.clearTraces', 'unasked'));

  afterEach(async () => {
    await closeEditors();
    // Editors are in sight for a moment after their tabs are closed: the next test would take their replies for its own.
    await waitFor('no reply in sight', () =>
      window.visibleTextEditors.some(({ document }) => document.uri.scheme === 'parley-reply')
        ? undefined
        : true,
    );
  });

  /** The document of the reply that grows, once it shows a text. */
  function waitForGrowing(text: RegExp, except?: Uri): Promise<TextDocument> {
    return waitFor(`a reply with ${text.source}`, () =>
      // Of documents, VS Code keeps some whose tabs are closed.
      window.visibleTextEditors
        .map(({ document }) => document)
        .find(document => {
          const { uri } = document;
          const isOther = uri.scheme !== 'parley-reply' || uri.toString() === except?.toString();
          return !isOther && uri.path.includes('running') && text.test(document.getText());
        }),
    );
  }

  /** Resolves once so many pieces of the newest call have come. */
  async function waitForPieces(count: number): Promise<void> {
    const has = (): boolean => {
      const wire = parley.traces()[0]?.roots[0]?.wire ?? [];
      return wire.filter(({ direction }) => direction === 'in').length >= count;
    };
    await new Promise<void>(resolve => {
      if (has()) resolve();
      const observed = parley.onDidChangeTraces(() => {
        if (!has()) return;
        observed.dispose();
        resolve();
      });
    });
  }

  /** Pauses a view; its text once VS Code has applied an update that was on its way to the editor. */
  async function pause(view: TextDocument): Promise<string> {
    assert.equal(await commands.executeCommand('parley.pauseReply', view.uri), true);
    for (let text = view.getText(); ; text = view.getText()) {
      await new Promise(resolve => setTimeout(resolve, 300));
      if (view.getText() === text) return text;
    }
  }

  it('stand still while they are paused, and then show all that came', async () => {
    const file = await openScratch('stream-paused.aicf', ENDLESS);
    const sending = sendRequest(file, 'CALL');
    const grown = await waitForGrowing(/^STREAM\|1\r?\n/);
    const before = await pause(grown);
    const shown = before.split('\n').length - 1;
    await waitForPieces(shown + 1);
    // A view that were not paused would be drawn by now: nothing else can be waited for.
    await new Promise(resolve => setTimeout(resolve, 300));
    const paused = grown.getText();
    assert.equal(await commands.executeCommand('parley.resumeReply', grown.uri), true);
    await waitForGrowing(new RegExp(`STREAM\\| ${shown + 1}\r?\n`));
    assert.equal(await commands.executeCommand('parley.stopCall', grown.uri), true);
    const sent = await sending;
    assert.ok(sent?.reply);
    assert.deepEqual(
      [paused, documentAt(sent.reply).getText(), listReplyTabs().map(withoutTime)],
      [before, sent.outcome.text, ['slow.count stopped · N']],
    );
  });

  it('that end while they are paused are shown whole when they go on', async () => {
    const file = await openScratch('stream-held.aicf', LINE);
    const sending = sendRequest(file, 'CALL');
    const grown = await waitForGrowing(/^STREAM\|1\r?\n/);
    const before = await pause(grown);
    const sent = await sending;
    assert.ok(sent?.reply);
    const view = workspace.textDocuments.find(
      ({ uri }) => uri.scheme === 'parley-reply' && uri.path.includes('paused'),
    );
    assert.ok(view);
    const held = [listReplyTabs().map(withoutTime), view.getText()];
    assert.deepEqual(
      [sent.outcome.text, held, await commands.executeCommand('parley.stopCall', view.uri)],
      [WHOLE, [['slow.count paused ok · N'], before], false],
    );
    assert.equal(await commands.executeCommand('parley.resumeReply', view.uri), true);
    assert.deepEqual(
      [documentAt(sent.reply).getText(), listReplyTabs().map(withoutTime)],
      [WHOLE, ['slow.count ok · N']],
    );
    assert.equal(await commands.executeCommand('parley.resumeReply', sent.reply), false);
  });

  it('are shown as they came, beside, while they come', async () => {
    const file = await openScratch('stream-raw.aicf', ENDLESS);
    const sending = sendRequest(file, 'CALL');
    const grown = await waitForGrowing(/^STREAM\|1\r?\n/);
    const uri = await commands.executeCommand<Uri>('parley.showRaw', grown.uri);
    const raw = documentAt(uri);
    const early = raw.getText();
    await waitFor('another piece', () => (raw.getText().length > early.length ? true : undefined));
    assert.equal(await commands.executeCommand('parley.stopCall', grown.uri), true);
    await sending;
    const id = parley.traces()[0]?.roots[0]?.call.call;
    assert.deepEqual(await commands.executeCommand('parley.showRaw', id), uri);
    const pieces = (parley.traces()[0]?.roots[0]?.wire ?? []).flatMap(({ direction, bytes }) =>
      direction === 'in' && 'text' in bytes ? [bytes.text] : [],
    );
    // The first call of an agent also has the reply to a question about its escapes, before the stream.
    const came = pieces.slice(pieces.findIndex(piece => piece.startsWith('STREAM'))).join('');
    const ending = `\n\n${came}\n# The stream has no END; its data may be incomplete`;
    await waitFor('all that came', () => (raw.getText().endsWith(ending) ? true : undefined));
    assert.deepEqual(
      [uri.scheme, uri.path, raw.languageId, /STREAM\|1/.test(early)],
      ['parley-raw', '/slow.count (raw)', 'plaintext', true],
    );
    assert.match(raw.getText(), /^200 OK\ncontent-type: [^\n]+\n/i);
    assert.ok(window.visibleTextEditors.some(({ document }) => document === raw));
  });

  it('are not shown raw where the text in front is no reply of a call', async () => {
    const sample = await showSample('hello.aicf');
    assert.equal(await commands.executeCommand('parley.showRaw', sample.uri), undefined);
    assert.equal(await commands.executeCommand('parley.showRaw', 'a call that is not kept'), undefined);
  });

  it('end where their request is sent again, and stay with what came', async () => {
    const file = await openScratch('stream-again.aicf', ENDLESS);
    const first = sendRequest(file, 'CALL');
    await waitForGrowing(/^STREAM\|1\r?\n/);
    await replaceText(file, '3600', '3');
    const second = await sendRequest(file, 'CALL');
    const stopped = await first;
    assert.ok(stopped?.reply);
    assert.deepEqual([stopped.outcome.status, second?.outcome.status], ['cancelled', 'ok']);
    // On a busy machine more of it comes before the second one is sent.
    assert.match(documentAt(stopped.reply).getText(), /^STREAM\|1\n(STREAM\| \d+\n)*$/);
    assert.deepEqual(listReplyTabs().map(withoutTime), ['slow.count stopped · N', 'slow.count ok · N']);
  });

  it('end where a request of the same name is sent, and go on where another is', async () => {
    const file = await openScratch('stream-named.aicf', `${named(ENDLESS)}\n${LINE}`);
    const first = sendRequest(file, 'CALL');
    const grown = await waitForGrowing(/^STREAM\|1\r?\n/);
    // Another request of the file: at the second place, without a name.
    const end = file.getText().lastIndexOf('CALL');
    const other = commands.executeCommand<{ outcome: { status: string } }>(
      'parley.send',
      file.uri,
      file.positionAt(end),
    );
    await waitForGrowing(/^STREAM\|1\r?\n/, grown.uri);
    const moved = await openScratch(
      'stream-named.aicf',
      `# It stands elsewhere now.\n\n${named(LINE)}\n${LINE}`,
    );
    await waitFor('the changed file', () => (/elsewhere/.test(moved.getText()) ? true : undefined));
    const again = await sendRequest(moved, 'CALL|slow.count');
    assert.deepEqual(
      [(await first)?.outcome.status, (await other).outcome.status, again?.outcome.status],
      ['cancelled', 'ok', 'ok'],
    );
  });
});
