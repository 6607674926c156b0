import { Range, SnippetString, window, workspace, type Position, type TextEditor } from 'vscode';
import { callSnippet as callAicf } from '../../../language/aicf/features/call-snippet.ts';
import { callSnippet as callAicl } from '../../../language/aicl/features/call-snippet.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { protocolRow } from '../../../core/catalog/protocols.ts';
import { escapeSnippet } from '../../../core/text/snippet.ts';
import type { ToolInfo } from '../agent-service.ts';
import { findUsual } from '../choose-agent.ts';
import { CONVERSION_SCHEME } from '../convert/conversion-view.ts';
import { REPLY_SCHEME } from '../replies/reply-documents.ts';
import type { Services } from '../services.ts';
import { findToolTarget } from './agent-target.ts';
import { readLanguage } from './arguments.ts';
import type { Command } from './command.ts';

const READ_ONLY: ReadonlySet<string> = new Set([REPLY_SCHEME, CONVERSION_SCHEME]);

/**
 * Writes a call of a tool at the cursor, below the request that the cursor is in, with a place for each argument; where no
 * file of ours is in front, into a new one. A line names the agent unless requests go to it anyway.
 */
export const insertCall: Command = async (services, [row]) => {
  const target = await findToolTarget(services, row);
  if (!target) return;
  const { agents, agent, tool } = target;
  const { editor, language } = await findEditor(
    protocolRow(agent.protocol).language === 'aicl' ? 'aicl' : 'aicf',
  );
  const usual = findUsual((await agents.list()).agents, language, services.picked)?.name;
  const directive = usual === agent.name ? '' : `# @agent ${escapeSnippet(agent.name)}\n`;
  const call = writeCall(tool, language);
  const { range, before } = await findPlace(services, editor);
  await window.showTextDocument(editor.document, editor.viewColumn);
  await editor.insertSnippet(new SnippetString(`${before}${directive}${call}\n`), range);
};

function writeCall({ name, declaration }: ToolInfo, language: LanguageId): string {
  return language === 'aicf' ? callAicf(name, declaration) : callAicl(name, declaration, 'session');
}

async function findEditor(
  wanted: LanguageId,
): Promise<{ readonly editor: TextEditor; readonly language: LanguageId }> {
  const shown = [window.activeTextEditor, ...window.visibleTextEditors];
  for (const editor of shown) {
    const language = editor && readLanguage(editor.document.languageId);
    if (language && !READ_ONLY.has(editor.document.uri.scheme)) return { editor, language };
  }
  const document = await workspace.openTextDocument({ language: wanted });
  return { editor: await window.showTextDocument(document), language: wanted };
}

/** A line of its own: the cursor's where that is blank, else one below the request or the line that it is in. */
async function findPlace(
  { server }: Services,
  { document, selection }: TextEditor,
): Promise<{ readonly range: Range; readonly before: string }> {
  const { active } = selection;
  const line = document.lineAt(active.line);
  const request = await findRequest(server, document.uri, active);
  if (!request && line.isEmptyOrWhitespace) return { range: line.range, before: '' };
  const end = document.lineAt(Math.min(request?.end.line ?? active.line, document.lineCount - 1)).range.end;
  return { range: new Range(end, end), before: '\n\n' };
}

/** The request around a place; none where the server cannot say. */
async function findRequest(
  server: Services['server'],
  uri: TextEditor['document']['uri'],
  at: Position,
): Promise<Awaited<ReturnType<Services['server']['requestAt']>>> {
  try {
    const found = await server.requestAt(uri, at);
    return found && at.line >= found.start.line && at.line <= found.end.line ? found : undefined;
  } catch {
    return undefined;
  }
}
