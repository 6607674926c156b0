import {
  AICF_COMMANDS,
  AICF_ERROR_CODES,
  AICF_ESCAPES,
  AICF_TYPES,
  CONTEXT_SECTIONS,
} from '../../core/catalog/aicf.ts';
import { describeCommand, describeMessageType, kindTitle } from '../../core/catalog/describe.ts';
import {
  AICL_ERRORS,
  COMMON_FIELDS,
  HEADER_FIELDS,
  MESSAGE_TYPES,
  TYPE_TAGS,
  type AiclErrorRow,
  type FieldRow,
} from '../../core/catalog/aicl.ts';
import { DTYPES, type DtypeRow } from '../../core/catalog/dtypes.ts';
import { DIRECTIVES } from '../../core/catalog/directives.ts';
import { exampleLanguage, type RuleRow } from '../../core/catalog/rule-row.ts';
import { headingAnchor, RULES } from '../../core/catalog/rules.ts';
import { fenceCode } from '../../core/text/markup.ts';
import { RULE_SEVERITIES, SETTINGS, type SettingRow } from '../../core/catalog/settings.ts';
import { code, page, table } from './markdown-parts.ts';

/** A page of docs/reference. */
export interface ReferencePage {
  readonly name: string;
  print(): string;
}

/** The reference pages, one for each part of the catalog. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [
  { name: 'aicl', print: printAicl },
  { name: 'aicf', print: printAicf },
  { name: 'rules', print: printRules },
  { name: 'settings', print: printSettings },
];

function printAicl(): string {
  const errors: readonly AiclErrorRow[] = AICL_ERRORS;
  const dtypes: readonly DtypeRow[] = DTYPES;
  return page(
    '# AICL',
    'LightAICL 1.0 as Parley reads it. A `.aicl` file holds any number of messages with white space between them. A line between two messages that begins with `#` is for people and is never sent.',
    '## Values',
    table(
      ['value', 'example', 'meaning'],
      TYPE_TAGS.map(row => [row.title, code(row.example), row.summary]),
    ),
    '## Data types of tensors',
    'Elements are little-endian and row-major. The last two columns are the names in `.npy` and `.safetensors` files, where those have one.',
    table(
      ['type', 'bytes', 'meaning', 'NumPy', 'safetensors'],
      dtypes.map(row => [
        code(row.name),
        String(row.bytes),
        row.summary,
        row.npy ? code(row.npy) : '',
        row.safetensors ? code(row.safetensors) : '',
      ]),
    ),
    '## Header',
    'First in every message, in this order.',
    fieldTable(HEADER_FIELDS),
    '## Fields of every message',
    fieldTable(COMMON_FIELDS),
    '## Message types',
    ...MESSAGE_TYPES.map(describeMessageType),
    '## Error codes',
    table(
      ['code', 'name', 'meaning'],
      errors.map(row => [
        row.last ? `${row.code} to ${row.last}` : String(row.code),
        code(row.name),
        row.summary,
      ]),
    ),
    '## Directives',
    'In a line above a message or a call, as in `# @agent coder`; in `.aicf` files too.',
    table(
      ['directive', 'meaning'],
      DIRECTIVES.filter(row => !('isForJson' in row)).map(row => [
        code(`# @${row.name} ${row.value}`.trim()),
        row.summary,
      ]),
    ),
  );
}

function printAicf(): string {
  return page(
    '# AICF-RPC',
    'AICF-RPC 1.0 as Parley reads it. A `.aicf` file holds one request or response a line. Blank lines and lines that begin with `#` are for people and are never sent.',
    '## Commands',
    ...AICF_COMMANDS.map(row => `### ${row.name}\n\n${describeCommand(row)}`),
    '## Escapes',
    table(
      ['written', 'meaning'],
      AICF_ESCAPES.map(row => [code(`\\${row.letter}`), row.summary]),
    ),
    '## Types of arguments',
    table(
      ['type', 'meaning'],
      AICF_TYPES.map(row => [code(row.name), row.summary]),
    ),
    '## Error codes',
    table(
      ['code', 'title', 'meaning'],
      AICF_ERROR_CODES.map(row => [String(row.code), row.title, row.summary]),
    ),
    '## Sections of context files',
    'Files in the AI Context Format have the same ending. They get an outline and folding, and no errors.',
    table(
      ['section', 'meaning'],
      CONTEXT_SECTIONS.map(row => [code(`@${row.name}`), row.summary]),
    ),
  );
}

function printRules(): string {
  return page(
    '# Rules',
    'What Parley says about a text. `parley explain CODE` prints one of them. Where a receiver would answer with an error, the message ends with its code.',
    table(
      ['rule', 'severity', 'code', 'says'],
      RULES.map(row => [
        `[${code(row.code)}](#${headingAnchor(row.code)})`,
        row.severity,
        String(row.wire ?? ''),
        row.title,
      ]),
    ),
    ...RULES.map(printRule),
  );
}

function printRule(row: RuleRow): string {
  const language = exampleLanguage(row);
  const show = (title: string, examples: readonly string[]): readonly string[] => {
    const short = examples
      .filter(example => example.length <= 300)
      .map(example => example.replace(/[«»]/g, ''));
    return short.length > 0 ? [`${title}:`, ...short.map(example => fenceCode(example, language))] : [];
  };
  return page(
    `## ${row.code}`,
    row.title + '.',
    row.explanation,
    ...(row.schema === undefined
      ? []
      : [
          'With this schema of the tool `t`:',
          fenceCode(JSON.stringify(JSON.parse(row.schema), null, 2), 'json'),
        ]),
    ...show('Reported', row.bad),
    ...show('Not reported', row.good),
  ).trimEnd();
}

function printSettings(): string {
  const groups = Map.groupBy<string, SettingRow>(SETTINGS, row => row.group);
  return page(
    '# Settings',
    ...[...groups].flatMap(([title, rows]) => [
      `## ${title}`,
      table(
        ['setting', 'values', 'default', 'meaning'],
        rows.map(row => [
          code(`parley.${row.key}`),
          valuesOf(row),
          code(typeof row.default === 'object' ? JSON.stringify(row.default) : String(row.default)),
          meaningOf(row),
        ]),
      ),
    ]),
  );
}

function meaningOf({ summary, values = [], valueSummaries = [] }: SettingRow): string {
  return [summary, ...valueSummaries.map((text, at) => `${code(values[at] ?? '')}: ${text}`)].join(' ');
}

function valuesOf(row: SettingRow): string {
  if (row.type === 'severities') return `by rule: ${RULE_SEVERITIES.map(code).join(', ')}`;
  if (row.type === 'names') return 'a list of names';
  if (row.type === 'agents') return 'agents by name';
  if (row.type === 'collector') return 'an address, headers, and whether content is sent';
  return row.values?.map(code).join(', ') ?? row.type;
}

function fieldTable(rows: readonly FieldRow[]): string {
  return table(
    ['field', 'type', 'meaning'],
    rows.map(row => [code(row.key), row.types.map(kindTitle).join(' or '), row.summary]),
  );
}
