import { CancellationTokenSource, window, workspace, type CancellationToken } from 'vscode';
import { showBytes } from '../../../../tensor/size-words.ts';
import { countOf } from '../../../../core/text/count.ts';
import type { TokensParams, TokensResult } from '../../../../wire/cost-requests.ts';
import { readLanguage } from '../../targets/arguments.ts';
import { Delay } from '../../base/delay.ts';
import type { DisposableStore } from '../../base/dispose.ts';
import { currentSettings } from '../../base/settings.ts';
import { createStatus, drawStatus, type StatusWords } from '../../window/status-bar.ts';

/**
 * Milliseconds after the last cursor move until the message is counted. The first count waits longer, because
 * it loads an encoding of some megabytes in the server process.
 */
const REST_MS = 250;
const FIRST_REST_MS = 1000;

/** Requests the cost of the message at a position. Rejects if cancelled. */
export type FindTokens = (question: TokensParams, token: CancellationToken) => Promise<TokensResult | null>;

/** Shows in a status bar item the tokens and bytes of the message at the cursor; hides it if there is none. */
export function showCost(store: DisposableStore, find: FindTokens): void {
  const item = createStatus(store, {
    id: 'parley.tokens',
    place: 99,
    name: 'Parley tokens',
    command: 'parley.compareCost',
  });
  let running: CancellationTokenSource | undefined;
  let hasCounted = false;
  /** The URI of the document whose cost is shown. */
  let shown: string | undefined;
  const hide = (): void => {
    shown = undefined;
    item.hide();
  };
  const update = async (): Promise<void> => {
    const { document, selection } = window.activeTextEditor ?? {};
    if (!document || !selection) return;
    const own = (running = new CancellationTokenSource());
    const encoding = currentSettings()['tokens.encoding'];
    const { line, character } = selection.active;
    const question = { uri: document.uri.toString(), position: { line, character }, encoding };
    // If the server does not run or cannot count, that is reported when the user requests a comparison.
    const found = await find(question, own.token).catch(() => undefined);
    if (own !== running) return;
    running = undefined;
    if (!found) return hide();
    hasCounted = true;
    shown = String(document.uri);
    drawStatus(item, describeCost(found, encoding));
  };
  const soon = store.add(new Delay(update));
  const stop = (): void => {
    soon.dispose();
    running?.cancel();
    running = undefined;
  };
  const updateSoon = (): void => {
    stop();
    const document = window.activeTextEditor?.document;
    const isWanted = document && readLanguage(document.languageId) && currentSettings()['tokens.statusBar'];
    // While the cursor moves within the document, the old values stay; they are hidden only for another document.
    if (!isWanted || shown !== String(document.uri)) hide();
    if (isWanted) soon.ask(hasCounted ? REST_MS : FIRST_REST_MS);
  };
  store.add({ dispose: stop });
  store.add(window.onDidChangeActiveTextEditor(updateSoon));
  store.add(window.onDidChangeTextEditorSelection(updateSoon));
  store.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (document === window.activeTextEditor?.document) updateSoon();
    }),
  );
  store.add(
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('parley.tokens')) updateSoon();
    }),
  );
  updateSoon();
}

function describeCost({ tokens, isExact, bytes, title }: TokensResult, encoding: string): StatusWords {
  const count = countOf(tokens, 'token');
  const about = isExact ? count : `≈${count}`;
  const size = showBytes(bytes);
  const shortSize = bytes < 1024 ? `${bytes} B` : size;
  const spoken = `${isExact ? '' : 'about '}${count}, ${size}`;
  return {
    text: `${about} · ${shortSize}`,
    // The title comes from the message; as plain text it cannot contain links or commands.
    tooltip: `${title}: ${spoken}, counted by ${encoding}\nClick to compare with the other protocols`,
    label: `${title}: ${spoken}. Compare with the other protocols`,
  };
}
