import { LANGUAGES } from '../../core/catalog/languages.ts';
import { captures, type Grammar } from './grammar.ts';

/** Requests in JSON with comments: the JSON grammar of the editor, and directives in comments. */
export const AGENT_JSON_GRAMMAR: Grammar = {
  name: 'Agent JSON',
  scopeName: LANGUAGES[2].scope,
  patterns: [
    {
      match: String.raw`^[ \t]*(//[ \t]*)(@[a-z]+)(?:[ \t](.*))?$`,
      captures: captures('comment.line', 'keyword.other.directive', 'variable.other'),
    },
    { include: 'source.json.comments' },
  ],
  repository: {},
};
