import { TabInputCustom, TabInputText, window, type Disposable, type Tab, type Uri } from 'vscode';

/** The tabs in all groups that show a document or file, given by its URI or URI text. */
export function listTabs(uri: Uri | string): readonly Tab[] {
  const wanted = String(uri);
  return window.tabGroups.all
    .flatMap(group => group.tabs)
    .filter(tab => uriOfTab(tab)?.toString() === wanted);
}

/** The URI that a tab shows; undefined if it shows no document or file. */
export function uriOfTab({ input }: Tab): Uri | undefined {
  return input instanceof TabInputText || input instanceof TabInputCustom ? input.uri : undefined;
}

/** Calls the listener when the last tab of a document is closed; moving a tab to another group does not count. */
export function onDidCloseLastTab(listener: (uri: Uri) => void): Disposable {
  return window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const tab of closed) {
      const uri = uriOfTab(tab);
      if (uri && listTabs(uri).length === 0) listener(uri);
    }
  });
}
