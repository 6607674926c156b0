import { languages, ViewColumn, window, workspace, type TextEditor, type Uri } from 'vscode';
import { listTabs, uriOfTab } from '../window/tabs.ts';
import type { GrowingReplies } from './growing-replies.ts';
import { chooseReplyColumn } from './reply-column.ts';
import { REPLY_SCHEME } from './reply-documents.ts';

/** Where a reply opens. */
export interface ReplyPlace {
  readonly viewColumn: ViewColumn;
  /** True if the next reply may replace this one. */
  readonly preview: boolean;
  /** True if the editor takes the focus. */
  readonly takesFocus?: true;
}

/**
 * Chooses where to open a reply: in place of `own`, its tab while it grew, else beside the request. It
 * replaces an earlier reply, as previews do, unless that one is still growing or is the active editor.
 */
export function chooseReplyPlace(own: Uri | undefined, growing: GrowingReplies): ReplyPlace {
  const ownTab = own && listTabs(own)[0];
  if (ownTab) return { viewColumn: ownTab.group.viewColumn, preview: ownTab.isPreview };
  const { activeTabGroup } = window.tabGroups;
  const { activeTab } = activeTabGroup;
  if (!activeTab || uriOfTab(activeTab)?.scheme !== REPLY_SCHEME)
    return { viewColumn: chooseReplyColumn(), preview: growing.isEmpty };
  return { viewColumn: activeTabGroup.viewColumn, preview: growing.isEmpty && !activeTab.isPreview };
}

/** Opens a reply. */
export async function showReply(uri: Uri, language: string, place: ReplyPlace): Promise<TextEditor> {
  const opened = await workspace.openTextDocument(uri);
  const document =
    opened.languageId === language ? opened : await languages.setTextDocumentLanguage(opened, language);
  const { viewColumn, preview, takesFocus } = place;
  return window.showTextDocument(document, { viewColumn, preview, preserveFocus: !takesFocus });
}

/** Closes all tabs of a reply. */
export async function closeReply(uri: Uri): Promise<void> {
  await window.tabGroups.close(listTabs(uri), true);
}

/** The column beside a document's tab, or beside the active group if it has no tab. */
export function chooseColumnBeside(uri: Uri | undefined): ViewColumn {
  const tab = uri && listTabs(uri)[0];
  return tab ? tab.group.viewColumn + 1 : ViewColumn.Beside;
}

/** True if a tab shows a reply. `key` is its URI as text. */
export function hasTab(key: string): boolean {
  return listTabs(key).length > 0;
}

/** True if every tab of a reply is behind another tab of its group. */
export function isBehind(uri: Uri): boolean {
  const tabs = listTabs(uri);
  return tabs.length > 0 && tabs.every(tab => !tab.isActive);
}

/** Does something once a tab of a reply is in front. If the tab is closed before that, nothing is done. */
export function whenInFront(uri: Uri, act: () => void): void {
  const listener = window.tabGroups.onDidChangeTabs(() => {
    if (isBehind(uri)) return;
    listener.dispose();
    if (hasTab(uri.toString())) act();
  });
}
