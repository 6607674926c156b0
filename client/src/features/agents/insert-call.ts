import { Range, SnippetString, window, workspace, type Position, type TextEditor } from 'vscode';
import { callSnippet as callAicf } from '../../../../language/aicf/features/call-snippet.ts';
import { callSnippet as callAicl } from '../../../../language/aicl/features/call-snippet.ts';
import { messageLanguage } from '../../../../core/catalog/languages.ts';
import { protocolRow, type MessageLanguage } from '../../../../core/catalog/protocols.ts';
import { escapeSnippet } from '../../../../core/text/markup.ts';
import { findUsual } from '../../services/choose-agent.ts';
import { CONVERSION_SCHEME } from '../../conversion/conversion-view.ts';
import { REPLY_SCHEME } from '../../replies/reply-documents.ts';
import { findToolTarget, type AgentTarget } from '../../targets/agent-target.ts';
import { readLanguage } from '../../targets/arguments.ts';
import type { Command, Shared } from '../feature.ts';

const READ_ONLY: ReadonlySet<string> = new Set([REPLY_SCHEME, CONVERSION_SCHEME]);

/**
 * Inserts a call of a tool at the cursor, or below the request around it, with a placeholder for each argument; creates
 * a new file if no AICF or AICL file is open. A directive names the agent unless it is the default one.
 */
export const insertCall: Command = async (services, [row]) => {
  const target = await findToolTarget(services, row);
  if (!target) return;
  const { name, declaration } = target.tool;
  await insertText(services, target, language =>
    language === 'aicf' ? callAicf(name, declaration) : callAicl(name, declaration, 'session'),
  );
};

/** Inserts a request at the cursor; `write` returns it as a snippet in the language of the file. */
export async function insertText(
  services: Shared,
  { agents, agent }: Pick<AgentTarget, 'agents' | 'agent'>,
  write: (language: MessageLanguage) => string,
): Promise<void> {
  const { editor, language } = await findEditor(
    protocolRow(agent.protocol).language === 'aicl' ? 'aicl' : 'aicf',
  );
  const usual = findUsual((await agents.list()).agents, language, services.picked)?.name;
  const directive = usual === agent.name ? '' : `# @agent ${escapeSnippet(agent.name)}\n`;
  const call = write(language);
  const { range, before } = await findPlace(services, editor);
  await window.showTextDocument(editor.document, editor.viewColumn);
  await editor.insertSnippet(new SnippetString(`${before}${directive}${call}\n`), range);
}

async function findEditor(
  wanted: MessageLanguage,
): Promise<{ readonly editor: TextEditor; readonly language: MessageLanguage }> {
  const shown = [window.activeTextEditor, ...window.visibleTextEditors];
  for (const editor of shown) {
    const language = editor && messageLanguage(readLanguage(editor.document.languageId));
    if (language && !READ_ONLY.has(editor.document.uri.scheme)) return { editor, language };
  }
  const document = await workspace.openTextDocument({ language: wanted });
  return { editor: await window.showTextDocument(document), language: wanted };
}

/** Finds a line for the call: the cursor's line if it is blank, else one below the request or line at the cursor. */
async function findPlace(
  { server }: Shared,
  { document, selection }: TextEditor,
): Promise<{ readonly range: Range; readonly before: string }> {
  const { active } = selection;
  const line = document.lineAt(active.line);
  const request = await findRequest(server, document.uri, active);
  if (!request && line.isEmptyOrWhitespace) return { range: line.range, before: '' };
  const end = document.lineAt(Math.min(request?.end.line ?? active.line, document.lineCount - 1)).range.end;
  return { range: new Range(end, end), before: '\n\n' };
}

/** The request around a position; undefined if there is none or the server fails. */
async function findRequest(
  server: Shared['server'],
  uri: TextEditor['document']['uri'],
  at: Position,
): Promise<Awaited<ReturnType<Shared['server']['requestAt']>>> {
  try {
    const found = await server.requestAt(uri, at);
    return found && at.line >= found.start.line && at.line <= found.end.line ? found : undefined;
  } catch {
    return undefined;
  }
}
