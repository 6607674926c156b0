import { EventEmitter, Uri, workspace, type Disposable, type LogOutputChannel } from 'vscode';
import { parseJson } from '../../../core/text/json.ts';
import { Delay } from '../delay.ts';
import { DisposableStore } from '../dispose.ts';
import { describeError } from '../log.ts';
import { readFile } from '../read-file.ts';
import { isEntry, type HistoryEntry } from './entry.ts';

/** The maximum number of requests and of their characters in total; the oldest are removed first. */
const MAX_ENTRIES = 200;
const MAX_CHARACTERS = 5_000_000;

/** Longer texts are not stored; the traces of the window contain them. */
const LONGEST_TEXT = 1_000_000;

/** Milliseconds until additions are written, because several calls may end together. */
const REST_MS = 500;

/** The requests sent from this workspace and their outcomes, the newest first. Stored in the workspace's storage. */
export class History implements Disposable {
  readonly #folder: Uri | undefined;
  readonly #log: LogOutputChannel;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  #entries: readonly HistoryEntry[] = [];
  #read: Promise<void> | undefined;
  readonly #writing = new Delay(() => this.#write());

  readonly onDidChange = this.#changed.event;

  /** Without a folder, nothing is stored beyond the window. */
  constructor(folder: Uri | undefined, log: LogOutputChannel) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Adds an ended call. */
  add(entry: HistoryEntry): void {
    const asked = entry.asked.length > LONGEST_TEXT ? tooLong(entry.asked) : entry.asked;
    const text = entry.text.length > LONGEST_TEXT ? tooLong(entry.text) : entry.text;
    const isRedacted = entry.isRedacted || asked !== entry.asked;
    this.#entries = bound([{ ...entry, asked, text, isRedacted }, ...this.#entries]);
    this.#changed.fire();
    this.#writing.restart(REST_MS);
  }

  /** All entries, the newest first. */
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
    const stored = await readText(file);
    const value = stored === undefined ? undefined : parseJson(stored);
    const old = Array.isArray(value) ? value.filter(isEntry) : [];
    // Requests sent meanwhile are newer than all stored ones.
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

/** Returns undefined if the file does not exist. */
async function readText(file: Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await readFile(file, Infinity));
  } catch {
    // Nothing has been sent from this workspace yet.
    return undefined;
  }
}

function tooLong(text: string): string {
  return `This text of ${text.length} characters is too long to be stored here.\n`;
}

function bound(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let characters = 0;
  const end = entries.findIndex(({ asked, text }, at) => {
    characters += asked.length + text.length;
    return at >= MAX_ENTRIES || (at > 0 && characters > MAX_CHARACTERS);
  });
  return end === -1 ? entries : entries.slice(0, end);
}
