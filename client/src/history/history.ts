import { EventEmitter, Uri, workspace, type Disposable, type LogOutputChannel } from 'vscode';
import { parseJson } from '../../../core/text/json.ts';
import { Delay } from '../delay.ts';
import { DisposableStore } from '../dispose.ts';
import { describeError } from '../log.ts';
import { readFile } from '../read-file.ts';
import { isEntry, type HistoryEntry } from './entry.ts';

/** So many requests are kept, and so many characters of them all together; the oldest go first. */
const MOST_ENTRIES = 200;
const MOST_CHARACTERS = 5_000_000;

/** A longer text is not kept; the traces of the window have it. */
const LONGEST_TEXT = 1_000_000;

/** Milliseconds after which what was added is written: several calls may end together. */
const REST_MS = 500;

/** What was sent from this workspace and what came of it, the newest first. Kept in the workspace's own storage. */
export class History implements Disposable {
  readonly #folder: Uri | undefined;
  readonly #log: LogOutputChannel;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  #entries: readonly HistoryEntry[] = [];
  #read: Promise<void> | undefined;
  readonly #writing = new Delay(() => this.#write());

  readonly onDidChange = this.#changed.event;

  /** Without a folder nothing is kept beyond the window. */
  constructor(folder: Uri | undefined, log: LogOutputChannel) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Adds a call that has ended. */
  add(entry: HistoryEntry): void {
    const asked = entry.asked.length > LONGEST_TEXT ? tooLong(entry.asked) : entry.asked;
    const text = entry.text.length > LONGEST_TEXT ? tooLong(entry.text) : entry.text;
    const isRedacted = entry.isRedacted || asked !== entry.asked;
    this.#entries = bound([{ ...entry, asked, text, isRedacted }, ...this.#entries]);
    this.#changed.fire();
    this.#writing.restart(REST_MS);
  }

  /** All that is kept, the newest first. */
  async list(): Promise<readonly HistoryEntry[]> {
    await this.#readOnce();
    return this.#entries;
  }

  async find(call: string): Promise<HistoryEntry | undefined> {
    return (await this.list()).find(entry => entry.call === call);
  }

  async clear(): Promise<void> {
    await this.#readOnce();
    this.#entries = [];
    this.#changed.fire();
    this.#writing.restart(REST_MS);
  }

  dispose(): void {
    if (this.#writing.isWaiting) void this.#write();
    this.#store.dispose();
  }

  #readOnce(): Promise<void> {
    return (this.#read ??= this.#readFile());
  }

  async #readFile(): Promise<void> {
    const file = this.#file();
    if (!file) return;
    const kept = await readText(file);
    const value = kept === undefined ? undefined : parseJson(kept);
    const old = Array.isArray(value) ? value.filter(isEntry) : [];
    // What was sent meanwhile is newer than all of them.
    this.#entries = bound([...this.#entries, ...old]);
  }

  async #write(): Promise<void> {
    this.#writing.dispose();
    const file = this.#file();
    if (!file || !this.#folder) return;
    try {
      await this.#readOnce();
      await workspace.fs.createDirectory(this.#folder);
      await workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(this.#entries)));
    } catch (error) {
      this.#log.warn(`The history was not written: ${describeError(error)}`);
    }
  }

  #file(): Uri | undefined {
    return this.#folder && Uri.joinPath(this.#folder, 'history.json');
  }
}

/** Undefined where there is no such file yet. */
async function readText(file: Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await readFile(file, Infinity));
  } catch {
    // Nothing was sent from this workspace yet.
    return undefined;
  }
}

function tooLong(text: string): string {
  return `This text of ${text.length} characters is too long to be kept here.\n`;
}

function bound(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let characters = 0;
  const end = entries.findIndex(({ asked, text }, at) => {
    characters += asked.length + text.length;
    return at >= MOST_ENTRIES || (at > 0 && characters > MOST_CHARACTERS);
  });
  return end === -1 ? entries : entries.slice(0, end);
}
