import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';
import { packTokens } from '../../protocols/cost/token-list.ts';

/** The packed tokens of o200k_base. The bundle contains only this text, not the list that it is made from. */
export const packed = packTokens(tokens);
