import { RelativePattern, workspace } from 'vscode';
import { Changing } from '../base/changing.ts';
import { DisposableStore } from '../base/dispose.ts';

/**
 * Watches a few files in every root folder, and a setting, and fires on changes. Files are watched once they
 * have been read.
 */
export class FolderFiles extends Changing {
  readonly #names: readonly string[];
  #watchers: DisposableStore | undefined;

  /** `names` are paths relative to a root folder; `setting` is a full key. */
  constructor(names: readonly string[], setting: string) {
    super();
    this.#names = names;
    this.own(
      workspace.onDidChangeWorkspaceFolders(() => {
        if (this.#watchers) this.#watch();
        this.changed.fire();
      }),
    );
    this.own(
      workspace.onDidChangeConfiguration(change => {
        if (change.affectsConfiguration(setting)) this.changed.fire();
      }),
    );
  }

  /** Starts watching; call this when the files are read. */
  follow(): void {
    if (!this.#watchers) this.#watch();
  }

  override dispose(): void {
    this.#watchers?.dispose();
    super.dispose();
  }

  #watch(): void {
    this.#watchers?.dispose();
    const watchers = new DisposableStore();
    this.#watchers = watchers;
    for (const folder of workspace.workspaceFolders ?? []) {
      for (const name of this.#names) {
        const watcher = watchers.add(workspace.createFileSystemWatcher(new RelativePattern(folder, name)));
        for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
          watchers.add(event(() => this.changed.fire()));
      }
    }
  }
}
