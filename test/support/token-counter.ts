import type { TokenCounter } from '../../client/src/features/traces/view/token-totals.ts';
import { loadEncoding } from '../../tokenizers/load.ts';

/** Counts as the language server does, by the encoding that is the default. */
export const REAL_COUNTER: TokenCounter = {
  encoding: () => 'o200k_base',
  count: async (texts, name) => {
    const encoding = await loadEncoding(name);
    return texts.map(text => encoding.count(text).tokens);
  },
};
