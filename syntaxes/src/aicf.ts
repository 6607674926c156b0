import {
  AICF_COMMANDS,
  AICF_PREFIXES,
  AICF_TYPES,
  CONTEXT_SECTIONS,
  listEscapes,
  type AicfCommandName,
  type AicfSide,
} from '../../core/catalog/aicf.ts';
import { LANGUAGES } from '../../core/catalog/languages.ts';
import { anyOf, captures, type Grammar, type Rule } from './grammar.ts';

const PIPE = 'punctuation.separator.field.aicf';
/** What may precede the command in a line. */
const START = String.raw`^(\s*)(?:(${anyOf(AICF_PREFIXES.map(row => row.text))})\s*)?`;
const FIELD = String.raw`(?:[^|\\\r\n]|\\.|\\$)*`;
const WITH_TOOL: readonly AicfCommandName[] = ['CALL', 'INFO'];
const NAMES = AICF_COMMANDS.map(row => row.name);
const WITH_FIELDS = AICF_COMMANDS.filter(row => row.fields.length > 0).map(row => row.name);
const ALONE = AICF_COMMANDS.filter(row => row.fields.length === 0).map(row => row.name);

/** The scopes of the text before a command. */
const START_SCOPES = ['', 'comment.block.prefix.aicf'] as const;

/** A line of one command: `head` matches its beginning, `patterns` match the fields after it. */
function line(head: string, scopes: readonly string[], patterns: readonly Rule[]): Rule {
  return {
    name: 'meta.line.aicf',
    begin: START + head,
    end: '$',
    beginCaptures: captures(...START_SCOPES, ...scopes),
    patterns,
  };
}

/** The escapes in the fields of requests or of responses. */
function escapes(side: AicfSide): Rule {
  return {
    match: `\\\\(?:${anyOf(listEscapes(side).map(row => row.letter))})`,
    name: 'constant.character.escape.aicf',
  };
}

/** The grammar of AICF-RPC (reading of AICF-RPC 2.1), one command for each line, and of context files. */
export const AICF_GRAMMAR: Grammar = {
  name: 'AICF-RPC',
  scopeName: LANGUAGES[1].scope,
  patterns: [
    { include: '#container' },
    { include: '#section' },
    line(
      `(${anyOf(WITH_TOOL)})(\\|)(${FIELD})`,
      ['keyword.control.request.aicf', PIPE, 'entity.name.function.tool.aicf'],
      [{ include: '#arguments' }],
    ),
    line('(LIST)(?=\\s*$|\\|)', ['keyword.control.request.aicf'], [{ include: '#arguments' }]),
    line('(OK|STREAM)(\\|?)', ['keyword.control.response.aicf', PIPE], [{ include: '#data' }]),
    line(
      `(ERR)(\\|)([0-9]+(?=\\||$))?(${FIELD})(\\|?)`,
      [
        'keyword.control.response.error.aicf',
        PIPE,
        'constant.numeric.error-code.aicf',
        'invalid.illegal.error-code.aicf',
        PIPE,
      ],
      [escapes('response'), { match: String.raw`[^\\]+|.`, name: 'string.unquoted.error-message.aicf' }],
    ),
    line(
      `(TOOL)(\\|)(${FIELD})(\\|?)(${FIELD})`,
      [
        'keyword.control.response.aicf',
        PIPE,
        'entity.name.function.tool.aicf',
        PIPE,
        'string.unquoted.description.aicf',
      ],
      [{ include: '#parameter' }],
    ),
    line(
      '(TOOLS)(?=\\||\\s*$)',
      ['keyword.control.response.aicf'],
      [{ match: `(\\|)(${FIELD})`, captures: captures(PIPE, 'entity.name.function.tool.aicf') }],
    ),
    line('(END)(?=\\s*$|\\|)', ['keyword.control.response.aicf'], [{ include: '#arguments' }]),
    line(`((?i:${anyOf(NAMES)}))(?=\\|)`, ['invalid.illegal.command.aicf'], [{ include: '#arguments' }]),
  ],
  repository: {
    container: {
      patterns: [
        {
          match: String.raw`^\s*(#)(\s*(@[a-z]+)(?:\s+(\S.*)?)?|.*)$`,
          name: 'comment.line.number-sign.aicf',
          captures: captures(
            'punctuation.definition.comment.aicf',
            '',
            'keyword.other.directive.aicf',
            'variable.other.directive.aicf',
          ),
        },
        { match: '^\\s*```.*$', name: 'comment.line.fence.aicf' },
      ],
    },
    section: {
      begin: `^(?:([0-9]+)(\\|))?(@)(?:(${anyOf(CONTEXT_SECTIONS.map(row => row.name))})(?![A-Z0-9_])|([A-Z][A-Z0-9_]*))((?:[^A-Z0-9_\\r\\n].*)?)$`,
      // A message ends the section, because a file with messages is not a context file.
      end: `^(?=(?:[0-9]+\\|)?@[A-Z]|\\s*(?:${anyOf(AICF_PREFIXES.map(row => row.text))}\\s*)?(?:${anyOf(WITH_FIELDS)}\\||${anyOf(ALONE)}\\s*$))`,
      name: 'meta.section.aicf',
      beginCaptures: captures(
        'constant.numeric.line.aicf',
        PIPE,
        'punctuation.definition.section.aicf',
        'entity.name.section.aicf',
        'entity.name.section.unknown.aicf',
        'string.unquoted.section.aicf',
      ),
      patterns: [{ include: '#container' }, { include: '#row' }],
    },
    row: {
      patterns: [
        { match: String.raw`^([0-9]{1,15})(\|)`, captures: captures('constant.numeric.line.aicf', PIPE) },
        {
          match: String.raw`(?<=^|\|)([A-Za-z_][A-Za-z0-9_.-]{0,99})(=)`,
          captures: captures('variable.parameter.key.aicf', 'keyword.operator.assignment.aicf'),
        },
        { match: '\\|', name: PIPE },
      ],
    },
    arguments: {
      patterns: [
        {
          match: String.raw`(\|)(AUTH:\s*[^|\s][^|\r\n]*)(?=\r?$)`,
          captures: captures(PIPE, 'invalid.deprecated.credential.aicf'),
        },
        {
          match: String.raw`(\|)(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?=\||$)`,
          captures: captures(PIPE, 'constant.numeric.aicf'),
        },
        { match: String.raw`(\|)(true|false)(?=\||$)`, captures: captures(PIPE, 'constant.language.aicf') },
        { match: '\\|', name: PIPE },
        escapes('request'),
        { include: '#variable' },
        { match: String.raw`[^|\\{]+|.`, name: 'string.unquoted.argument.aicf' },
      ],
    },
    variable: { match: String.raw`\{\{[^{}\r\n]*\}\}`, name: 'variable.other.template.aicf' },
    data: {
      patterns: [
        {
          match: String.raw`(?<=\|)(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)$`,
          name: 'constant.numeric.aicf',
        },
        { match: String.raw`(?<=\|)(true|false|null)$`, name: 'constant.language.aicf' },
        {
          begin: String.raw`(?<=\|)(?=\{\s*["}]|\[\s*[\["{\]0-9-])`,
          end: '$',
          name: 'meta.embedded.json.aicf',
          patterns: [{ include: 'source.json' }],
        },
        escapes('response'),
        { match: String.raw`[^\\]+|.`, name: 'string.unquoted.data.aicf' },
      ],
    },
    parameter: {
      match: `(\\|)((?:[^|\\\\:\\r\\n]|\\\\.)*)(?:(:)(?:(${anyOf(AICF_TYPES.map(row => row.name))})(\\?)?(?=\\||$)|([^|\\r\\n]*)))?`,
      captures: captures(
        PIPE,
        'variable.parameter.aicf',
        'punctuation.separator.type.aicf',
        'support.type.argument.aicf',
        'keyword.operator.optional.aicf',
        'invalid.illegal.argument-type.aicf',
      ),
    },
  },
};
