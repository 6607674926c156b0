import { env, Range, window, workspace } from 'vscode';
import type { LanguageId } from '../../../protocol/src/catalog/languages.ts';
import { pasteMessages, type PastePlace } from '../convert/paste.ts';
import { showWarning } from '../messages.ts';
import type { Services } from '../services.ts';
import { readPosition, readUri } from './arguments.ts';
import type { Command } from './command.ts';

/**
 * Pastes the clipboard's messages, whatever they are written in, as AICL: JSON-RPC, MCP, cURL, Python, server-sent
 * events. Arguments name another place by document and position. Answers why nothing was pasted.
 */
export const pasteAsAicl: Command = (services, args) => paste(services, args, 'aicl');

/** The same, as AICF. */
export const pasteAsAicf: Command = (services, args) => paste(services, args, 'aicf');

async function paste(
  services: Services,
  [uri, position]: readonly unknown[],
  to: LanguageId,
): Promise<string | undefined> {
  const problem = await pasteMessages(
    services,
    await env.clipboard.readText(),
    to,
    await findPlace(uri, position),
  );
  if (problem !== undefined) showWarning(problem, new Map());
  return problem;
}

async function findPlace(uriArgument: unknown, positionArgument: unknown): Promise<PastePlace | undefined> {
  const [uri, position] = [readUri(uriArgument), readPosition(positionArgument)];
  if (uri && position) {
    const { line, character } = position;
    return {
      document: await workspace.openTextDocument(uri),
      range: new Range(line, character, line, character),
    };
  }
  const editor = window.activeTextEditor;
  return editor && { document: editor.document, range: editor.selection };
}
