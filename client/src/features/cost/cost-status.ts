import {
  CancellationTokenSource,
  window,
  workspace,
  type CancellationToken,
  type Disposable,
  type StatusBarItem,
} from 'vscode';
import { showBytes } from '../../../../tensor/size-words.ts';
import { countOf } from '../../../../core/text/count.ts';
import type { TokensParams, TokensResult } from '../../../../wire/cost-requests.ts';
import { readLanguage } from '../../targets/arguments.ts';
import type { CommandName } from '../manifests.ts';
import { Delay } from '../../base/delay.ts';
import { DisposableStore } from '../../base/dispose.ts';
import { currentSettings } from '../../base/settings.ts';
import { setStatusText } from '../../window/sinks/labels.ts';

const COMPARE_COST: CommandName = 'parley.compareCost';

/**
 * Milliseconds after the last cursor move until the message is counted. The first count waits longer, because
 * it loads an encoding of some megabytes in the server process.
 */
const REST_MS = 250;
const FIRST_REST_MS = 1000;

/** Requests the cost of the message at a position. Rejects if cancelled. */
export type FindTokens = (question: TokensParams, token: CancellationToken) => Promise<TokensResult | null>;

/** The status bar item with tokens and bytes of the message at the cursor. Hidden if there is no message. */
export class CostStatus implements Disposable {
  readonly #find: FindTokens;
  readonly #store = new DisposableStore();
  readonly #item: StatusBarItem;
  readonly #soon = new Delay(() => this.#update());
  #running: CancellationTokenSource | undefined;
  #hasCounted = false;
  /** The URI of the document whose cost is shown. */
  #shown: string | undefined;

  /** Takes ownership of the item. */
  constructor(item: StatusBarItem, find: FindTokens) {
    this.#find = find;
    this.#item = this.#store.add(item);
    this.#item.name = 'Parley tokens';
    this.#item.command = COMPARE_COST;
    const update = (): void => this.#updateSoon();
    this.#store.add(window.onDidChangeActiveTextEditor(update));
    this.#store.add(window.onDidChangeTextEditorSelection(update));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document === window.activeTextEditor?.document) update();
      }),
    );
    this.#store.add(
      workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('parley.tokens')) update();
      }),
    );
    update();
  }

  dispose(): void {
    this.#stop();
    this.#store.dispose();
  }

  #stop(): void {
    this.#soon.dispose();
    this.#running?.cancel();
    this.#running = undefined;
  }

  #updateSoon(): void {
    this.#stop();
    const editor = window.activeTextEditor;
    const isWanted =
      editor && readLanguage(editor.document.languageId) && currentSettings()['tokens.statusBar'];
    // While the cursor moves within the document, the old values stay; they are hidden only for another document.
    if (!isWanted || this.#shown !== String(editor.document.uri)) this.#hide();
    if (!isWanted) return;
    const rest = this.#hasCounted ? REST_MS : FIRST_REST_MS;
    this.#soon.ask(rest);
  }

  async #update(): Promise<void> {
    const { document, selection } = window.activeTextEditor ?? {};
    if (!document || !selection) return;
    const running = (this.#running = new CancellationTokenSource());
    const encoding = currentSettings()['tokens.encoding'];
    const { line, character } = selection.active;
    const question = { uri: document.uri.toString(), position: { line, character }, encoding };
    // If the server does not run or cannot count, that is reported when the user requests a comparison.
    const found = await this.#find(question, running.token).catch(() => undefined);
    if (running !== this.#running) return;
    this.#running = undefined;
    if (!found) return this.#hide();
    this.#hasCounted = true;
    this.#shown = String(document.uri);
    const { text, tooltip, label } = describeCost(found, encoding);
    setStatusText(this.#item, text);
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label };
    this.#item.show();
  }

  #hide(): void {
    this.#shown = undefined;
    this.#item.hide();
  }
}

interface CostWords {
  readonly text: string;
  readonly tooltip: string;
  readonly label: string;
}

function describeCost({ tokens, isExact, bytes, title }: TokensResult, encoding: string): CostWords {
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
