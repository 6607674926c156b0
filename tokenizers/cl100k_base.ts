import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { Encoding } from '../protocols/cost/encoding.ts';
import { packed } from './lists/cl100k_base.ts';

/** The encoding cl100k_base. Its bundle of several megabytes is loaded when tokens are first counted. */
export const encoding = new Encoding({ tokens: packed, pieces: CL100K_TOKEN_SPLIT_REGEX });
