import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { packTokens } from '../../protocols/cost/token-ranks.ts';

/** The tokens of cl100k_base. In the bundle this is the text alone, without the list that it comes from. */
export const packed = packTokens(tokens);
