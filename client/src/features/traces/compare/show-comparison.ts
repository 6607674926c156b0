import { commands } from 'vscode';
import { startOf } from '../../../../../core/text/utf8.ts';
import type { ReplyDocuments } from '../../../replies/reply-documents.ts';

/** One of the two compared texts, with the title of its tab. */
export interface ComparedText {
  readonly title: string;
  readonly text: string;
}

/** Opens VS Code's diff editor for two texts. `said` is the summary in the tab title. */
export async function showComparison(
  documents: ReplyDocuments,
  before: ComparedText,
  after: ComparedText,
  summary: string,
): Promise<void> {
  const uris = [before, after].map(({ title, text }) => documents.add(title, text));
  await commands.executeCommand('vscode.diff', ...uris, `${before.title} ↔ ${after.title} · ${summary}`);
}

/** The title of a call or trace in a form for tabs. */
export function toTabTitle(title: string): string {
  return startOf(title.replace(/[\\/]/g, '∕'), 60);
}
