import { currentSettings } from '../cost/settings.ts';
import type { LanguageServer } from '../language-client.ts';
import type { TokenCounter } from './token-totals.ts';

/** Counts tokens in the process of the language server, by the encoding of the settings. */
export function countByServer(server: Pick<LanguageServer, 'countTexts'>): TokenCounter {
  return {
    encoding: () => currentSettings()['tokens.encoding'],
    count: (texts, encoding) => server.countTexts({ texts, encoding }),
  };
}
