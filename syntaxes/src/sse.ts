import { captures, type Grammar, type Rule } from './grammar.ts';

/** The editor language of a recorded stream of server-sent events. */
export const SSE_LANGUAGE = {
  id: 'parley-sse',
  title: 'Server-sent events',
  scope: 'source.parley-sse',
} as const;

/** The scope of an event's data, which are JSON in all of our protocols. */
export const SSE_DATA_SCOPE = 'meta.embedded.json.parley-sse';

const FIELD = 'keyword.other.field.parley-sse';
const COLON = 'punctuation.separator.field.parley-sse';

/** A field of one line, `name: value`. */
function field(name: string, scope: string): Rule {
  return { match: `^\\ufeff?(${name})(?:(:)(.*))?$`, captures: captures(FIELD, COLON, scope) };
}

/**
 * Server-sent events (WHATWG HTML 9.2.5): one field for each line, an empty line between events. The data
 * lines of an event form one JSON text. `while` is tested for each line before the JSON patterns, so that
 * incomplete JSON ends with its event.
 */
export const SSE_GRAMMAR: Grammar = {
  name: SSE_LANGUAGE.title,
  scopeName: SSE_LANGUAGE.scope,
  patterns: [
    { match: '^:.*$', name: 'comment.line.parley-sse' },
    {
      begin: String.raw`^\ufeff?(data)(:)`,
      while: '^(data)(:)',
      beginCaptures: captures(FIELD, COLON),
      whileCaptures: captures(FIELD, COLON),
      contentName: SSE_DATA_SCOPE,
      patterns: [{ include: 'source.json' }],
    },
    { match: String.raw`^\ufeff?data$`, name: FIELD },
    field('event', 'entity.name.type.event.parley-sse'),
    field('id', 'constant.other.id.parley-sse'),
    field('retry', 'constant.numeric.retry.parley-sse'),
  ],
  repository: {},
};
