import {
  CancellationTokenSource,
  Uri,
  ViewColumn,
  window,
  workspace,
  type CancellationToken,
  type TextDocumentContentProvider,
} from 'vscode';
import type { EncodingName } from '../../../../core/catalog/costs.ts';
import { printCost, printCostNotes } from '../../../../protocols/cost/print-cost.ts';
import type { CostResult } from '../../../../wire/cost-requests.ts';
import { Delay } from '../../base/delay.ts';
import { Changing } from '../../base/changing.ts';
import { describeError } from '../../base/log.ts';
import { listTabs, onDidCloseLastTab } from '../../window/tabs.ts';
import type { CostSource } from './cost-source.ts';
import { currentSettings } from '../../base/settings.ts';

/** The URI scheme of the read-only document that compares costs. */
export const COST_SCHEME = 'parley-cost';

/** The document contains a Markdown table, but its language is not Markdown, because VS Code would wrap the rows. */
const COST_URI = Uri.from({ scheme: COST_SCHEME, path: '/Cost' });

/** Milliseconds after the last edit until the comparison is repeated. */
const REST_MS = 300;

/** Compares the cost of messages with an encoding. Rejects if the token is cancelled. */
export type CompareCost = (
  source: CostSource,
  encoding: EncodingName,
  token: CancellationToken,
) => Promise<CostResult>;

/** The single document that compares the cost of messages. It is updated when its source changes. */
export class CostDocument extends Changing<Uri> implements TextDocumentContentProvider {
  readonly #compare: CompareCost;
  #text = "This comparison is no longer stored. Run 'Parley: Compare Cost' again.\n";
  #source: CostSource | undefined;
  #running: CancellationTokenSource | undefined;
  readonly #soon = new Delay(() => this.again());

  constructor(compare: CompareCost) {
    super();
    this.#compare = compare;
    this.own(workspace.registerTextDocumentContentProvider(COST_SCHEME, this));
    this.own(
      onDidCloseLastTab(uri => {
        if (uri.scheme === COST_SCHEME) this.#forget();
      }),
    );
    this.own(
      workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('parley.tokens.encoding')) this.#soon.restart(REST_MS);
      }),
    );
  }

  /**
   * Takes ownership of a source and shows its cost beside. Returns the result, or undefined if the document
   * was closed before.
   */
  async show(source: CostSource): Promise<CostResult | undefined> {
    this.#forget();
    this.#source = source;
    source.onDidChange(() => this.#soon.restart(REST_MS));
    this.#write(`${source.place()}: counting…\n`);
    const viewColumn = listTabs(COST_URI)[0]?.group.viewColumn ?? ViewColumn.Beside;
    await window.showTextDocument(COST_URI, { viewColumn, preserveFocus: true, preview: false });
    return this.again();
  }

  /** Compares again and cancels a running comparison. Returns undefined if this one is cancelled. */
  async again(): Promise<CostResult | undefined> {
    this.#stop();
    const source = this.#source;
    if (!source) return undefined;
    const running = (this.#running = new CancellationTokenSource());
    const encoding = currentSettings()['tokens.encoding'];
    const result = await this.#compare(source, encoding, running.token).catch(
      (error: unknown): CostResult => ({ ok: false, reason: describeError(error) }),
    );
    if (running !== this.#running) return undefined;
    this.#running = undefined;
    const place = source.place();
    this.#write(
      result.ok
        ? `${printCost(place, result.table)}\n${printCostNotes(result.table)}\n`
        : `${place}: ${result.reason}.\n`,
    );
    return result;
  }

  provideTextDocumentContent(): string {
    return this.#text;
  }

  override dispose(): void {
    this.#forget();
    super.dispose();
  }

  #write(text: string): void {
    this.#text = text;
    this.changed.fire(COST_URI);
  }

  #stop(): void {
    this.#soon.dispose();
    this.#running?.cancel();
    this.#running = undefined;
  }

  #forget(): void {
    this.#stop();
    this.#source?.dispose();
    this.#source = undefined;
  }
}
