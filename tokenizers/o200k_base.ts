import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { Encoding } from '../protocols/cost/encoding.ts';

/** The encoding o200k_base: some megabytes, a bundle of their own that is loaded when tokens are first counted. */
export const encoding = new Encoding({ tokens, pieces: O200K_TOKEN_SPLIT_REGEX });
