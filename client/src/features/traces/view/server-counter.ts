import { currentSettings } from '../../../base/settings.ts';
import type { Asker } from '../../../language-client/ask.ts';
import { COUNT_TEXTS } from '../../../../../wire/cost-requests.ts';
import type { TokenCounter } from './token-totals.ts';

/** Counts tokens in the language server's process, with the encoding in the settings. */
export function countByServer(server: Asker): TokenCounter {
  return {
    encoding: () => currentSettings()['tokens.encoding'],
    count: async (texts, encoding) => {
      const counts = await server.ask(COUNT_TEXTS, { texts, encoding });
      if (!counts) throw new Error('The language server could not count; see the log of Parley');
      return counts;
    },
  };
}
