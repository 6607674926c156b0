import { env, type Disposable } from 'vscode';
import type { Tensor } from '../../../../tensor/tensor.ts';
import type { FromInspector, ToInspector } from '../../../../wire/inspector-messages.ts';
import { DisposableStore } from '../../base/dispose.ts';
import { describeError } from '../../base/log.ts';
import { showError, showWarning } from '../../window/messages.ts';
import { applyChange, askForChange } from './edit-tensor.ts';
import { exportTensor } from './export-tensor.ts';
import type { TensorForm, TensorReading, TensorSource } from './source.ts';

/** Callbacks of an inspector to its panel and the extension. */
export interface InspectorHost {
  /** False while the page is hidden. It is destroyed then, and requests everything again when it becomes visible. */
  isVisible(): boolean;
  post(message: ToInspector): void;
  setTitle(title: string): void;
  /** The user wants to choose a tensor to compare with. */
  onCompare(inspector: Inspector): Promise<void>;
}

/** A source that is observed while it is shown. */
interface Followed {
  readonly source: TensorSource;
  readonly store: DisposableStore;
  /** The number of readings so far; an outdated reading is dropped. */
  readings: number;
}

/**
 * A page that shows a tensor, alone or compared with another one. It stores no data: the source is read when
 * the page loads and after each change.
 */
export class Inspector implements Disposable {
  readonly source: TensorSource;
  readonly #host: InspectorHost;
  readonly #followed: Followed;
  #other: Followed | undefined;
  #isReady = false;
  /** The form of the shown tensor, to check that an index from the page refers to it. */
  #shown: TensorForm | undefined;

  constructor(source: TensorSource, host: InspectorHost) {
    this.source = source;
    this.#host = host;
    this.#followed = this.#follow(source, () => this.#showTensor());
  }

  /** Compares with another tensor; the inspector takes ownership of its source. */
  compareWith(source: TensorSource): void {
    this.#other?.store.dispose();
    this.#other = this.#follow(source, () => this.#showOther());
    if (this.#isReady) this.#run(this.#showOther());
  }

  /** Handles a message of the page. */
  receive(message: FromInspector): void {
    this.#run(this.#answer(message));
  }

  dispose(): void {
    this.#followed.store.dispose();
    this.#other?.store.dispose();
  }

  #follow(source: TensorSource, show: () => Promise<void>): Followed {
    const store = new DisposableStore();
    store.add(source);
    store.add(
      source.onDidChange(() => {
        if (this.#isReady && this.#host.isVisible()) this.#run(show());
      }),
    );
    return { source, store, readings: 0 };
  }

  async #answer(message: FromInspector): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        await Promise.all([this.#showTensor(), this.#showOther()]);
        return;
      case 'pick':
        return this.source.pick?.(message.member);
      case 'copy':
        return env.clipboard.writeText(message.text);
      case 'compare':
        return this.#host.onCompare(this);
      case 'endCompare':
        return this.#endCompare();
      case 'reveal':
        return this.source.reveal();
      case 'export':
        await exportTensor(this.source, message);
        return;
      case 'edit':
        return this.#change(message.change);
      case 'setValue': {
        const problem = await applyChange(this.source, message, this.#shown);
        if (problem !== undefined) this.#host.post({ type: 'refuse', index: message.index, problem });
        return;
      }
    }
  }

  async #showTensor(): Promise<void> {
    const reading = await readLatest(this.#followed);
    if (!reading) return;
    const { subject, content, members } = reading;
    this.#host.setTitle(buildTitle(reading));
    if (members) this.#host.post({ type: 'members', members, shown: subject.name });
    if (content.kind === 'fault')
      return this.#host.post({ type: 'problem', subject, problem: content.problem });
    const { dtype, shape } = content.tensor;
    this.#shown = { dtype, shape };
    this.#host.post({ type: 'show', subject, tensor: toPost(content.tensor) });
  }

  async #showOther(): Promise<void> {
    const other = this.#other;
    const reading = other && (await readLatest(other));
    if (!reading || other !== this.#other) return;
    const { subject, content } = reading;
    this.#host.post(
      content.kind === 'ok'
        ? { type: 'other', subject, tensor: toPost(content.tensor) }
        : { type: 'hideOther', problem: `${subject.name}: ${content.problem}` },
    );
  }

  #endCompare(): void {
    this.#other?.store.dispose();
    this.#other = undefined;
    this.#host.post({ type: 'hideOther' });
  }

  async #change(type: 'reshape' | 'cast' | 'slice'): Promise<void> {
    const { content } = await this.source.read();
    const change = content.kind === 'ok' ? await askForChange(content.tensor, type) : undefined;
    const problem =
      content.kind === 'fault'
        ? content.problem
        : change && (await applyChange(this.source, change, content.tensor));
    if (problem !== undefined) showWarning(problem);
  }

  #run(work: Promise<void>): void {
    work.catch((error: unknown) => showError(`The inspector failed: ${describeError(error)}`));
  }
}

/** The title of the tab: `data 24×32×3 · message 2`. */
function buildTitle({ subject, content, where }: TensorReading): string {
  const shape = content.kind === 'ok' ? content.tensor.shape.join('×') : '';
  return [[subject.name, shape], [where]]
    .map(words => words.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(' · ');
}

/** Reads the source. Returns undefined if a later reading was started meanwhile. */
async function readLatest(followed: Followed): Promise<TensorReading | undefined> {
  const reading = ++followed.readings;
  const found = await followed.source.read();
  return reading === followed.readings ? found : undefined;
}

/**
 * VS Code posts only plain byte arrays correctly: a view would transfer its whole buffer, and a Node.js
 * Buffer would not arrive as bytes.
 */
function toPost(tensor: Tensor): Tensor {
  const { bytes } = tensor;
  const isPlain = bytes.constructor === Uint8Array && bytes.byteLength === bytes.buffer.byteLength;
  return isPlain ? tensor : { ...tensor, bytes: new Uint8Array(bytes) };
}
