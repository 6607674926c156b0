import type { LanguageId } from '../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS, settingsOfFile, type Settings } from '../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import type { OpenDocument } from '../../language/support.ts';
import { ALL_MESSAGES } from '../../protocols/all.ts';
import type { SourceFile } from './files.ts';

/** Opens a file to check or send it. */
export async function openSource(file: SourceFile, settings: Settings): Promise<OpenDocument> {
  const support = (await loadLanguages(file.language))[file.language];
  return support.openOnce(file.text, settingsOfFile(settings, file.name));
}

/** A file for commands that read its messages in any protocol: with blanks in place of comments. */
export function withoutComments(file: SourceFile): SourceFile {
  if (file.language !== 'agent-json') return file;
  return {
    ...file,
    text: String(LANGUAGE_SUPPORT[file.language].openOnce(file.text, DEFAULT_SETTINGS).plainText()),
  };
}

/** The libraries that check requests in JSON are evaluated only where they are needed, because they take time. */
async function loadLanguages(language: LanguageId): Promise<typeof LANGUAGE_SUPPORT> {
  if (language !== 'agent-json') return LANGUAGE_SUPPORT;
  const { checkedLanguages } = await import('../../language/agent-json/checked.ts');
  return checkedLanguages(ALL_MESSAGES.list);
}
