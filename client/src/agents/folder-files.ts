import { EventEmitter, RelativePattern, workspace, type Disposable } from 'vscode';
import { DisposableStore } from '../base/dispose.ts';

/**
 * Watches a few files in every root folder, and a setting, and fires on changes. Files are watched once they
 * have been read.
 */
export class FolderFiles implements Disposable {
  readonly #names: readonly string[];
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  #watchers: DisposableStore | undefined;

  readonly onDidChange = this.#changed.event;

  /** `names` are paths relative to a root folder; `setting` is a full key. */
  constructor(names: readonly string[], setting: string) {
    this.#names = names;
    this.#store.add(
      workspace.onDidChangeWorkspaceFolders(() => {
        if (this.#watchers) this.#watch();
        this.#changed.fire();
      }),
    );
    this.#store.add(
      workspace.onDidChangeConfiguration(change => {
        if (change.affectsConfiguration(setting)) this.#changed.fire();
      }),
    );
  }

  /** Starts watching; call this when the files are read. */
  follow(): void {
    if (!this.#watchers) this.#watch();
  }

  dispose(): void {
    this.#watchers?.dispose();
    this.#store.dispose();
  }

  #watch(): void {
    this.#watchers?.dispose();
    const watchers = new DisposableStore();
    this.#watchers = watchers;
    for (const folder of workspace.workspaceFolders ?? []) {
      for (const name of this.#names) {
        const watcher = watchers.add(workspace.createFileSystemWatcher(new RelativePattern(folder, name)));
        for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
          watchers.add(event(() => this.#changed.fire()));
      }
    }
  }
}
