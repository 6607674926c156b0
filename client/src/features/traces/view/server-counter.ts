import { currentSettings } from '../../../base/settings.ts';
import type { LanguageServer } from '../../../language-client/language-client.ts';
import type { TokenCounter } from './token-totals.ts';

/** Counts tokens in the language server's process, with the encoding in the settings. */
export function countByServer(server: Pick<LanguageServer, 'countTexts'>): TokenCounter {
  return {
    encoding: () => currentSettings()['tokens.encoding'],
    count: (texts, encoding) => server.countTexts({ texts, encoding }),
  };
}
