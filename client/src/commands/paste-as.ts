import { env } from 'vscode';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { pasteMessages } from '../convert/paste.ts';
import { showWarning } from '../messages.ts';
import type { Services } from '../services.ts';
import type { Command } from './command.ts';
import { findEditPlace } from './targets/edit-place.ts';

/**
 * Pastes the messages in the clipboard as AICL, whatever their format: JSON-RPC, MCP, cURL, server-sent
 * events. Arguments can name another place by document and position. Returns why nothing was pasted.
 */
export const pasteAsAicl: Command = (services, args) => paste(services, args, 'aicl');

/** Like `pasteAsAicl`, but as AICF. */
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
    await findEditPlace(uri, position),
  );
  if (problem !== undefined) showWarning(problem, new Map());
  return problem;
}
