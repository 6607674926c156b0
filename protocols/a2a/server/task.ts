import { findEntry, textIn, textValue, type Entry, type Value } from '../../../core/values/value.ts';
import type { StopSignal } from '../../../core/message/message.ts';
import { printForAgent } from '../../../language/values/json-printer.ts';
import { dictOf } from '../../message/dicts.ts';
import { isEndState } from '../results.ts';

/** The state of a task, by its name in version 0.3. */
export type TaskState = 'working' | 'input-required' | 'completed' | 'failed' | 'canceled' | 'rejected';

/** What the agent says about the state of a task. Parts are those of version 1.0, here and below. */
export interface Statement {
  readonly parts: readonly Value[];
  readonly metadata?: Value | undefined;
}

/** A message of the caller or of the agent. */
export interface StoredMessage extends Statement {
  readonly messageId: string;
  readonly role: 'user' | 'agent';
}

/** A part of the reply that grows while the task runs. */
export interface Artifact {
  readonly id: string;
  /** Its name and other members besides its id and its parts. */
  readonly more: readonly Entry[];
  parts: readonly Value[];
}

/** A change of an artifact. */
export interface ArtifactUpdate {
  readonly artifact: Artifact;
  /** What is new. */
  readonly parts: readonly Value[];
  /** True where it is added to the artifact, false where it replaces what the artifact has. */
  readonly isAdded: boolean;
  /** True if the artifact is complete. */
  readonly isLast: boolean;
}

/** What happened to a task. */
export type TaskEvent =
  | { readonly kind: 'status' }
  | { readonly kind: 'artifact'; readonly update: ArtifactUpdate };

/** A task of a caller, with everything that the agent said about it. */
export class ServedTask {
  readonly id: string;
  readonly contextId: string;
  /** True while the agent waits for the result of a request of its own. */
  takesResult = false;
  readonly #now: () => number;
  readonly #artifacts = new Map<string, Artifact>();
  readonly #history: StoredMessage[] = [];
  readonly #listeners = new Set<(event: TaskEvent) => void>();
  #state: TaskState = 'working';
  #statement: StoredMessage | undefined;
  /** The number of statements so far. */
  #statements = 0;
  #changed: number;
  #length = 0;
  #isKnown = false;
  /** Takes the answer to the question that is open. */
  #answer: ((said: StoredMessage | undefined) => void) | undefined;
  #asking: Promise<void> = Promise.resolve();
  /** The artifact that the agent added to last. */
  #latest: Artifact | undefined;
  #cancel: () => void = () => undefined;

  constructor(id: string, contextId: string, now: () => number) {
    this.id = id;
    this.contextId = contextId;
    this.#now = now;
    this.#changed = now();
  }

  get state(): TaskState {
    return this.#state;
  }

  get statement(): StoredMessage | undefined {
    return this.#statement;
  }

  get changed(): number {
    return this.#changed;
  }

  get artifacts(): Iterable<Artifact> {
    return this.#artifacts.values();
  }

  get history(): readonly StoredMessage[] {
    return this.#history;
  }

  /** The number of characters of its messages and its reply, approximately. */
  get length(): number {
    return this.#length;
  }

  get hasEnded(): boolean {
    return isEndState(this.#state);
  }

  /** Begins a turn: the caller's message goes to the agent. `cancel` ends the call. */
  begin(said: StoredMessage, cancel: () => void): void {
    this.#history.push(said);
    this.#length += lengthOf(said.parts);
    this.#cancel = cancel;
    this.#latest = undefined;
    this.takesResult = false;
    this.change('working');
  }

  /** Calls `listener` for each event until the returned function is called. */
  listen(listener: (event: TaskEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** True once its caller was asked something, so that it knows the task. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** True while a call waits for the caller's next message. */
  get waits(): boolean {
    return this.#answer !== undefined;
  }

  /** Asks the caller while the call is open; undefined if no answer comes. One question follows another. */
  async ask(question: Statement, signal: StopSignal): Promise<StoredMessage | undefined> {
    const before = this.#asking;
    const asked = before.then(() => this.#askNow(question, signal));
    this.#asking = asked.then(() => undefined);
    return asked;
  }

  #askNow(question: Statement, signal: StopSignal): Promise<StoredMessage | undefined> {
    if (signal.aborted || this.hasEnded) return Promise.resolve(undefined);
    return new Promise(resolve => {
      const settle = (said: StoredMessage | undefined): void => {
        if (this.#answer !== settle) return;
        this.#answer = undefined;
        if (said) this.#history.push(said);
        resolve(said);
        this.change('working');
      };
      this.#answer = settle;
      signal.addEventListener('abort', () => settle(undefined));
      this.change('input-required', question);
    });
  }

  /** Answers the question of a call that waits. */
  answer(said: StoredMessage): void {
    this.#answer?.(said);
  }

  /** Resolves when the task has ended or asks its caller something. */
  settled(): Promise<void> {
    if (this.#state !== 'working') return Promise.resolve();
    return new Promise(resolve => {
      const stop = this.listen(() => {
        if (this.#state === 'working') return;
        stop();
        resolve();
      });
    });
  }

  /** Adds to an artifact of the reply; later parts of a task that has ended are dropped. */
  add(
    id: string,
    more: readonly Entry[],
    parts: readonly Value[],
    how: { readonly isAnew: boolean; readonly isLast: boolean },
  ): void {
    if (this.#state !== 'working' || (parts.length === 0 && !this.#artifacts.has(id))) return;
    const known = how.isAnew ? undefined : this.#artifacts.get(id);
    const artifact: Artifact = known ?? { id, more, parts: [] };
    this.#length += lengthOf(parts);
    artifact.parts = joinParts(artifact.parts, parts);
    this.#artifacts.set(id, artifact);
    this.#latest = artifact;
    this.#emit({
      kind: 'artifact',
      update: { artifact, parts, isAdded: known !== undefined, isLast: how.isLast },
    });
  }

  /**
   * Ends the artifact that the agent added to last, for callers that wait for its end. An update has at least one part,
   * and an empty text would be a part of its own after anything but a text.
   */
  closeArtifact(): void {
    if (this.#latest && plainText(this.#latest.parts.at(-1)) !== undefined)
      this.add(this.#latest.id, this.#latest.more, [dictOf({ text: textValue('') })], {
        isAnew: false,
        isLast: true,
      });
  }

  /** Changes the state; a task that has ended stays as it is. */
  change(state: TaskState, statement?: Statement): void {
    if (this.hasEnded) return;
    this.#state = state;
    const messageId = `${this.id}-status-${this.#statements + 1}`;
    this.#statement = statement && { ...statement, role: 'agent', messageId };
    if (statement) this.#statements++;
    this.#changed = this.#now();
    this.#isKnown ||= state === 'input-required';
    if (state === 'input-required' && this.#statement) this.#history.push(this.#statement);
    this.#emit({ kind: 'status' });
  }

  /** Ends the task and the call to the agent. */
  cancel(): void {
    this.change('canceled');
    this.#answer?.(undefined);
    this.#cancel();
  }

  #emit(event: TaskEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function lengthOf(parts: readonly Value[]): number {
  return parts.reduce((sum, part) => sum + (plainText(part) ?? printForAgent(part)).length, 0);
}

/** Joins parts; a text that follows a text continues it. */
function joinParts(before: readonly Value[], added: readonly Value[]): readonly Value[] {
  const joined = [...before];
  for (const part of added) {
    const [one, other] = [plainText(joined.at(-1)), plainText(part)];
    if (one === undefined || other === undefined) joined.push(part);
    else joined[joined.length - 1] = dictOf({ text: textValue(one + other) });
  }
  return joined;
}

/** The text of a part that has nothing else. */
function plainText(part: Value | undefined): string | undefined {
  return part?.kind === 'dict' && part.entries.length === 1 ? textIn(findEntry(part, 'text')) : undefined;
}
