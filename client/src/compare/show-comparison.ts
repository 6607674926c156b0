import { commands } from 'vscode';
import { startOf } from '../../../core/text/utf8.ts';
import type { ReplyDocuments } from '../replies/reply-documents.ts';

/** One of the two texts that are compared, and what its tab is called. */
export interface ComparedText {
  readonly title: string;
  readonly text: string;
}

/** Opens VS Code's comparison of two texts; the tab says what came of it. */
export async function showComparison(
  documents: ReplyDocuments,
  before: ComparedText,
  after: ComparedText,
  said: string,
): Promise<void> {
  const uris = [before, after].map(({ title, text }) => documents.add(title, text));
  await commands.executeCommand('vscode.diff', ...uris, `${before.title} ↔ ${after.title} · ${said}`);
}

/** The title of a call or a trace as a tab can show it. */
export function toTabTitle(title: string): string {
  return startOf(title.replace(/[\\/]/g, '∕'), 60);
}
