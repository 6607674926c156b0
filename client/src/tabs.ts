import { TabInputCustom, TabInputText, window, type Disposable, type Tab, type Uri } from 'vscode';

/** The tabs that show a document or file, by its URI or the text of it, in all groups. */
export function listTabs(uri: Uri | string): readonly Tab[] {
  const wanted = String(uri);
  return window.tabGroups.all
    .flatMap(group => group.tabs)
    .filter(tab => uriOfTab(tab)?.toString() === wanted);
}

/** What a tab shows; undefined for tabs that show no document or file. */
export function uriOfTab({ input }: Tab): Uri | undefined {
  return input instanceof TabInputText || input instanceof TabInputCustom ? input.uri : undefined;
}

/** Calls back for what no tab shows any longer; what moved to another group has a tab there. */
export function onDidCloseLastTab(listener: (uri: Uri) => void): Disposable {
  return window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const tab of closed) {
      const uri = uriOfTab(tab);
      if (uri && listTabs(uri).length === 0) listener(uri);
    }
  });
}
