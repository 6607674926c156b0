import { env } from 'vscode';
import { MESSAGE_LANGUAGES, messageLanguage } from '../../../../core/catalog/languages.ts';
import type { MessageLanguage } from '../../../../core/catalog/protocols.ts';
import { pasteMessages as paste } from './paste.ts';
import { showWarning } from '../../window/messages.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import { readLanguage } from '../../targets/arguments.ts';
import { findEditPlace } from '../../targets/edit-place.ts';
import type { Command } from '../feature.ts';
import type { ConvertParts } from './parts.ts';

/**
 * Pastes the messages in the clipboard, whatever their format: JSON-RPC, MCP, cURL, server-sent events. An AICL or AICF document
 * gets them in its own language. For any other document, and for a new one if no editor is open, the user picks the language. Arguments can name
 * another place by document and position, and the language. Returns why nothing was pasted.
 */
export const pasteMessages: Command<ConvertParts> = async (services, [uri, position, language]) => {
  const place = await findEditPlace(uri, position);
  const own = messageLanguage(readLanguage(place?.document.languageId ?? ''));
  const to =
    own ?? (typeof language === 'string' ? messageLanguage(readLanguage(language)) : await pickLanguage());
  if (!to) return undefined;
  const problem = await paste(services, await env.clipboard.readText(), to, place);
  if (problem !== undefined) showWarning(problem);
  return problem;
};

async function pickLanguage(): Promise<MessageLanguage | undefined> {
  const items = MESSAGE_LANGUAGES.map(({ id, title }) => ({ label: title, id }));
  return (await pickItem(items, { title: 'Paste messages as' }))?.id;
}
