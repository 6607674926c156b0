import { languages, ViewColumn, window, workspace, type TextEditor, type Uri } from 'vscode';
import { listTabs, uriOfTab } from '../tabs.ts';
import type { GrowingReplies } from './growing-replies.ts';
import { REPLY_SCHEME } from './reply-documents.ts';

/** Where a reply opens. */
export interface ReplyPlace {
  readonly viewColumn: ViewColumn;
  /** True where the next reply may take its place. */
  readonly preview: boolean;
}

/**
 * Where to open a reply: in the place of `own`, its tab while it grew, else beside the request. It takes the place of
 * an earlier reply, as previews do, unless someone needs that one: it still grows, or the user is in it.
 */
export function chooseReplyPlace(own: Uri | undefined, growing: GrowingReplies): ReplyPlace {
  const ownTab = own && listTabs(own)[0];
  if (ownTab) return { viewColumn: ownTab.group.viewColumn, preview: ownTab.isPreview };
  const { activeTabGroup } = window.tabGroups;
  const { activeTab } = activeTabGroup;
  if (!activeTab || uriOfTab(activeTab)?.scheme !== REPLY_SCHEME)
    return { viewColumn: ViewColumn.Beside, preview: growing.isEmpty };
  return { viewColumn: activeTabGroup.viewColumn, preview: growing.isEmpty && !activeTab.isPreview };
}

/** Opens a reply and leaves the focus where it is. */
export async function showReply(uri: Uri, language: string, place: ReplyPlace): Promise<TextEditor> {
  const opened = await workspace.openTextDocument(uri);
  const document =
    opened.languageId === language ? opened : await languages.setTextDocumentLanguage(opened, language);
  return window.showTextDocument(document, { ...place, preserveFocus: true });
}

/** Closes a reply's tabs, wherever they are now. */
export async function closeReply(uri: Uri): Promise<void> {
  await window.tabGroups.close(listTabs(uri), true);
}

/** The column beside that of a document's tab, or beside the one in front where it has none. */
export function chooseColumnBeside(uri: Uri | undefined): ViewColumn {
  const tab = uri && listTabs(uri)[0];
  return tab ? tab.group.viewColumn + 1 : ViewColumn.Beside;
}

/** True where a tab shows a reply. `key` is the text of its URI. */
export function hasTab(key: string): boolean {
  return listTabs(key).length > 0;
}
