import { HEADER_FIELDS, MESSAGE_TYPES, TYPE_TAGS, type ValueKind } from '../../core/catalog/aicl.ts';
import { DTYPES } from '../../core/catalog/dtypes.ts';
import { LANGUAGES } from '../../core/catalog/languages.ts';
import { anyOf, captures, type Grammar, type Rule } from './grammar.ts';

const OPEN = 'punctuation.definition.value.begin.aicl';
const CLOSE = 'punctuation.definition.value.end.aicl';
const TYPE = 'keyword.operator.type.aicl';
/** The scope gives keys the colour of JSON keys in every theme; header keys differ only by scope. */
const KEY = 'support.type.property-name.json.aicl';
const HEADER_KEY = 'support.type.property-name.json.header.aicl';
const TAG_COLON = 'punctuation.separator.type.aicl';
const PAIR_COLON = 'punctuation.separator.key-value.aicl';

const HEADER_KEYS = anyOf(HEADER_FIELDS.map(row => row.key));
const TYPES = anyOf(MESSAGE_TYPES.map(row => row.name));

/** The source of a text, on one line. */
const TEXT = String.raw`[^\]\r\n]*`;

/** The bracket, tag and colon that open a value, as three groups. */
function opening(kind: ValueKind): string {
  const row = TYPE_TAGS.find(candidate => candidate.name === kind);
  return String.raw`(\[)(${row?.tag ?? ''})(:)`;
}

function atom(kind: ValueKind, content: string, scope: string): readonly Rule[] {
  return [
    { match: `${opening(kind)}(${content})(\\])`, captures: captures(OPEN, TYPE, TAG_COLON, scope, CLOSE) },
    {
      match: `${opening(kind)}([^\\[\\]\\r\\n]*)(\\]?)`,
      captures: captures(OPEN, TYPE, TAG_COLON, `invalid.illegal.${kind}.aicl`, CLOSE),
    },
  ];
}

/** The grammar of LightAICL (reading of LightAICL 3): typed values, keys, message types and container lines. */
export const AICL_GRAMMAR: Grammar = {
  name: 'AICL',
  scopeName: LANGUAGES[0].scope,
  patterns: [{ include: '#container' }, { include: '#values' }],
  repository: {
    container: {
      match: String.raw`^\s*(#)(\s*(@[a-z]+)(?:\s+(\S.*)?)?|.*)$`,
      name: 'comment.line.number-sign.aicl',
      captures: captures(
        'punctuation.definition.comment.aicl',
        '',
        'keyword.other.directive.aicl',
        'variable.other.directive.aicl',
      ),
    },
    values: {
      patterns: [
        { include: '#messageType' },
        { include: '#text' },
        ...atom('int', '[+-]?[0-9]+', 'constant.numeric.integer.aicl'),
        ...atom(
          'float',
          String.raw`[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|-?[iI][nN][fF]|[nN][aA][nN]`,
          'constant.numeric.float.aicl',
        ),
        ...atom('bool', 'true|false', 'constant.language.boolean.aicl'),
        { include: '#tensor' },
        { include: '#list' },
        { include: '#dict' },
        { match: '[:：]', name: PAIR_COLON },
        { match: '[,，]', name: 'punctuation.separator.sequence.aicl' },
        { match: String.raw`[^\s\[\],:，：]+`, name: 'invalid.illegal.foreign-text.aicl' },
      ],
    },
    messageType: {
      match: `${opening('text')}(msg_type)(\\])\\s*(:)\\s*${opening('text')}(${TYPES})(\\])`,
      captures: captures(
        OPEN,
        TYPE,
        TAG_COLON,
        HEADER_KEY,
        CLOSE,
        PAIR_COLON,
        OPEN,
        TYPE,
        TAG_COLON,
        'entity.name.type.message.aicl',
        CLOSE,
      ),
    },
    // One pattern opens texts and keys (a text before a colon), so that a text without an end is read to its line's end only once.
    text: {
      begin: `${opening('text')}(?:(?:(${HEADER_KEYS})|(${TEXT}))(\\])(?=\\s*[:：]))?`,
      end: String.raw`(?<=\])|(\])`,
      beginCaptures: captures(OPEN, TYPE, TAG_COLON, HEADER_KEY, KEY, CLOSE),
      endCaptures: captures(CLOSE),
      contentName: 'string.unquoted.aicl',
      patterns: [
        {
          match: String.raw`(?<!\\)\\(?:\\\\)*u(?:005|000)[dD]`,
          name: 'constant.character.escape.aicl',
        },
        {
          match: String.raw`(?<!\\)(?:\\\\)+(?=u(?:005|000)[dD])`,
          name: 'constant.character.escape.aicl',
        },
        { match: String.raw`\{\{[^{}\r\n]*\}\}`, name: 'variable.other.template.aicl' },
      ],
    },
    tensor: {
      begin: `${opening('tensor')}(?:(${anyOf(DTYPES.map(row => row.name))})|([^:\\[\\]\\r\\n]*))(:)([^:\\[\\]\\r\\n]*)(:)`,
      end: String.raw`(\])`,
      beginCaptures: captures(
        OPEN,
        TYPE,
        TAG_COLON,
        'support.type.dtype.aicl',
        'invalid.illegal.dtype.aicl',
        TAG_COLON,
        'constant.numeric.shape.aicl',
        TAG_COLON,
      ),
      endCaptures: captures(CLOSE),
      contentName: 'string.other.base85.aicl',
      patterns: [{ match: String.raw`\.\.\.|…`, name: 'comment.block.elision.aicl' }],
    },
    list: group('list'),
    dict: group('dict'),
  },
};

function group(kind: 'list' | 'dict'): Rule {
  return {
    name: `meta.structure.${kind}.aicl`,
    begin: opening(kind),
    end: String.raw`(\])`,
    beginCaptures: captures(OPEN, TYPE, TAG_COLON),
    endCaptures: captures(CLOSE),
    patterns: [{ include: '#values' }],
  };
}
