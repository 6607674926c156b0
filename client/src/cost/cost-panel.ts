import { CancellationTokenSource, commands, env, type Disposable, type Uri } from 'vscode';
import type { ConversionName } from '../../../protocol/src/catalog/conversions.ts';
import type { EncodingName } from '../../../protocol/src/catalog/encodings.ts';
import { CONVERT_COMMAND } from '../../../protocol/src/wire/conversion-requests.ts';
import { isFromCost, type FromCost, type ToCost } from '../../../protocol/src/wire/cost-messages.ts';
import type { CostResult } from '../../../protocol/src/wire/cost-requests.ts';
import { DisposableStore } from '../dispose.ts';
import { describeError } from '../log.ts';
import { showError } from '../messages.ts';
import { openPanel, type Panel } from '../panels/panel-host.ts';
import type { CostSource } from './cost-source.ts';
import { currentSettings } from './settings.ts';

/** Milliseconds without an edit after which what is compared is compared again. */
const REST_MS = 300;

/** Compares what messages cost, by an encoding. Rejects once the token is cancelled. */
export type CompareCost = (
  source: CostSource,
  encoding: EncodingName,
  token: CancellationTokenSource['token'],
) => Promise<CostResult>;

/** What is compared now. */
interface Shown {
  readonly source: CostSource;
  readonly store: DisposableStore;
}

/** The one panel that compares what messages cost. It follows what is typed into what it compares. */
export class CostPanel implements Disposable {
  readonly #extension: Uri;
  readonly #compare: CompareCost;
  #panel: Panel<ToCost> | undefined;
  #isReady = false;
  #shown: Shown | undefined;
  #encoding: EncodingName = currentSettings()['tokens.encoding'];
  #running: CancellationTokenSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What a page that begins anew is told: what it shows, and what has come of the comparison after that. */
  #table: ToCost | undefined;
  #state: ToCost | undefined;

  constructor(extension: Uri, compare: CompareCost) {
    this.#extension = extension;
    this.#compare = compare;
  }

  /** Shows a comparison, in the panel that is open or a new one beside; answers with its result, unless it was stopped. */
  show(source: CostSource): Promise<CostResult | undefined> {
    this.#forget();
    const store = new DisposableStore();
    store.add(source);
    store.add(source.onDidChange(() => this.#runSoon()));
    this.#shown = { source, store };
    if (this.#panel) this.#panel.reveal();
    else {
      this.#encoding = currentSettings()['tokens.encoding'];
      this.#panel = this.#open();
    }
    this.#panel.setTitle(`Cost of ${source.subject().file}`);
    return this.#run();
  }

  dispose(): void {
    this.#panel?.dispose();
    this.#forget();
  }

  #open(): Panel<ToCost> {
    this.#isReady = false;
    return openPanel<FromCost, ToCost>(
      this.#extension,
      {
        viewType: 'parley.cost',
        title: 'Cost',
        bundle: 'cost',
        icon: 'parley',
        column: 'beside',
        isMessage: isFromCost,
        onMessage: message => this.#receive(message),
      },
      () => {
        this.#panel = undefined;
        this.#forget();
      },
    );
  }

  /** Ends what is compared now. */
  #forget(): void {
    this.#stop();
    this.#shown?.store.dispose();
    this.#shown = this.#table = this.#state = undefined;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#running?.cancel();
    this.#running = undefined;
  }

  #receive(message: FromCost): void {
    this.#answer(message).catch((error: unknown) =>
      showError(`The comparison failed: ${describeError(error)}`),
    );
  }

  async #answer(message: FromCost): Promise<void> {
    switch (message.type) {
      case 'ready':
        // A page that was hidden starts anew and asks again: its state is here, not there.
        this.#isReady = true;
        for (const known of [this.#table, this.#state]) if (known) this.#panel?.post(known);
        return;
      case 'encoding':
        this.#encoding = message.encoding;
        await this.#run();
        return;
      case 'again':
        await this.#run();
        return;
      case 'stop':
        this.#stop();
        this.#tell({ type: 'stopped' });
        return;
      case 'copy':
        return env.clipboard.writeText(message.text);
      case 'open':
        return this.#openProtocol(message.protocol);
    }
  }

  async #openProtocol(protocol: ConversionName | undefined): Promise<void> {
    const source = this.#shown?.source;
    if (!source) return;
    if (protocol === undefined) return source.reveal();
    const { range, uri } = source;
    await commands.executeCommand(CONVERT_COMMAND, uri.toString(), range ?? 'file', protocol, 'show');
  }

  #runSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), REST_MS);
  }

  /** Compares; an earlier comparison that still runs is stopped. Undefined where it was stopped itself. */
  async #run(): Promise<CostResult | undefined> {
    this.#stop();
    const source = this.#shown?.source;
    if (!source) return undefined;
    const running = (this.#running = new CancellationTokenSource());
    const subject = source.subject();
    this.#tell({ type: 'begun', subject, encoding: this.#encoding });
    const result = await this.#compare(source, this.#encoding, running.token).catch(
      (error: unknown): CostResult => ({ ok: false, reason: describeError(error) }),
    );
    if (running !== this.#running) return undefined;
    this.#running = undefined;
    if (result.ok) {
      this.#table = { type: 'show', subject, table: result.table };
      this.#state = undefined;
      if (this.#isReady) this.#panel?.post(this.#table);
    } else this.#tell({ type: 'problem', subject, problem: result.reason });
    return result;
  }

  #tell(state: ToCost): void {
    this.#state = state;
    if (this.#isReady) this.#panel?.post(state);
  }
}
