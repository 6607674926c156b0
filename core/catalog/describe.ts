import {
  AICF_COMMANDS,
  AICF_ERROR_CODES,
  type AicfCommandRow,
  type AicfErrorCodeRow,
  type AicfTypeRow,
  type ContextSectionRow,
} from './aicf.ts';
import { describeAiclMeaning, describeAicfMeanings, describeOtherCode } from './describe-meanings.ts';
import type { DirectiveRow } from './directives.ts';
import {
  AICL_ERRORS,
  MESSAGE_TYPES,
  type AiclErrorRow,
  type FieldRow,
  type MessageTypeRow,
  type TypeTagRow,
  type ValueKind,
  TYPE_TAGS,
} from './aicl.ts';
import { type DtypeRow } from './dtypes.ts';
import { exampleLanguage, type RuleRow } from './rule-row.ts';
import { RULES } from './rules.ts';

/** The name of a kind of value for users. */
export function kindTitle(kind: ValueKind): string {
  return TYPE_TAGS.find(row => row.name === kind)?.title ?? kind;
}

/** A value type as Markdown. */
export function describeTag(row: TypeTagRow): string {
  return `**${row.title}** \`${row.example}\`\n\n${row.summary}`;
}

/** A tensor data type as Markdown. */
export function describeDtype(row: DtypeRow): string {
  return `**${row.name}** (data type, ${row.bytes} ${row.bytes === 1 ? 'byte' : 'bytes'} an element)\n\n${row.summary}`;
}

/** A message type as Markdown: its purpose and its fields. */
export function describeMessageType(row: MessageTypeRow): string {
  const fields = row.fields.map(field => {
    const need = field.required
      ? 'required'
      : row.oneOf?.includes(field.key)
        ? `one of ${row.oneOf.join(', ')}`
        : 'optional';
    return `- \`${field.key}\` (${listKinds(field)}, ${need}): ${field.summary}`;
  });
  return `**${row.name}** (LightAICL ${row.role})\n\n${row.summary}\n\n${fields.join('\n')}`;
}

/** A field as Markdown. `owner` is its message type; undefined for fields that every message may have. */
export function describeField(row: FieldRow, owner: MessageTypeRow | undefined): string {
  const where = owner ? `field of ${owner.name}` : 'field of every message';
  const need = row.required ? 'required' : 'optional';
  return `**${row.key}** (${where}, ${listKinds(row)}, ${need})\n\n${row.summary}`;
}

/**
 * A LightAICL error code as Markdown, with the codes of other protocols for it. `code` is one of the row's
 * range, which may have its own meaning.
 */
export function describeAiclError(row: AiclErrorRow, code = row.code): string {
  const range = row.last === undefined ? `${row.code}` : `${row.code} to ${row.last}`;
  const alias = row.alias ? ` (also written \`${row.alias}\`)` : '';
  const meaning = describeAiclMeaning(code) ?? describeAiclMeaning(row.code);
  return [`**${range} ${row.name}**${alias} (LightAICL error code)`, row.summary, meaning]
    .filter(part => part !== undefined)
    .join('\n\n');
}

/** A directive of container lines as Markdown. */
export function describeDirective(row: DirectiveRow): string {
  const mark = row.isForJson ? '//' : '#';
  return `**${`${mark} @${row.name} ${row.value}`.trim()}** (directive)\n\n${row.summary}`;
}

/** A rule as Markdown: its explanation and short examples. */
export function describeRule(row: RuleRow): string {
  const wire = row.wire === undefined ? '' : `, wire code ${row.wire}`;
  const language = exampleLanguage(row);
  const parts = [`**${row.code}** (${row.severity}${wire}): ${row.title}`, row.explanation];
  if (row.schema !== undefined) parts.push(`The schema of \`t\`:\n\n\`\`\`json\n${row.schema}\n\`\`\``);
  const [bad] = row.bad;
  const [good] = row.good;
  if (bad !== undefined && bad.length <= 400)
    parts.push(`Reported:\n\n\`\`\`${language}\n${bad.replace(/[«»]/g, '')}\n\`\`\``);
  if (bad !== undefined && good !== undefined && good.length <= 400)
    parts.push(`Not reported:\n\n\`\`\`${language}\n${good}\n\`\`\``);
  return parts.join('\n\n');
}

/** Explains a rule code, error code, command or message type as Markdown; undefined if it is unknown. */
export function explain(code: string): string | undefined {
  const rule = RULES.find(row => row.code === code || row.code.slice(row.code.indexOf('/') + 1) === code);
  if (rule) return describeRule(rule);
  const command = AICF_COMMANDS.find(row => row.name === code);
  if (command) return describeCommand(command);
  const type = MESSAGE_TYPES.find(row => row.name === code);
  if (type) return describeMessageType(type);
  const errors: readonly AiclErrorRow[] = AICL_ERRORS;
  const aicl = errors.find(row => row.name === code || row.alias === code || isInRange(row, code));
  if (aicl) return describeAiclError(aicl, isInRange(aicl, code) ? Number(code) : aicl.code);
  const aicf = AICF_ERROR_CODES.find(row => String(row.code) === code);
  return aicf ? describeErrorCode(aicf) : describeOtherCode(code);
}

function isInRange(row: AiclErrorRow, code: string): boolean {
  return /^\d{4}$/.test(code) && row.code <= Number(code) && Number(code) <= (row.last ?? row.code);
}

/** The value types of a field, as listed in a sentence. */
export function listKinds(row: FieldRow): string {
  if (row.types.length > 3) return 'any value';
  return row.types.map(kind => kindTitle(kind)).join(' or ');
}

/** A command as Markdown for hovers and the reference: its syntax, summary, fields and an example. */
export function describeCommand(row: AicfCommandRow): string {
  const fields = row.fields.map(field => {
    const marks = [field.isRequired ? 'required' : 'optional', ...(field.repeats ? ['repeats'] : [])];
    return `- \`${field.name}\` (${marks.join(', ')}): ${field.summary}`;
  });
  const paragraphs = [
    `\`\`\`aicf\n${row.syntax}\n\`\`\``,
    `AICF-RPC ${row.direction}. ${row.summary}`,
    ...(fields.length > 0 ? [fields.join('\n')] : []),
    `Example: ${row.example === row.syntax ? 'the word alone.' : codeSpan(row.example)}`,
  ];
  return paragraphs.join('\n\n');
}

/** An error code as Markdown, with the codes that other protocols use for its meanings. */
export function describeErrorCode(row: AicfErrorCodeRow): string {
  return [`**${row.code} ${row.title}**`, row.summary, describeAicfMeanings(row.code)]
    .filter(part => part !== undefined)
    .join('\n\n');
}

/** An argument type as Markdown. */
export function describeArgumentType(row: AicfTypeRow): string {
  return `**${row.name}** (argument type)\n\n${row.summary}`;
}

/** A known section of context files as Markdown. */
export function describeContextSection(row: ContextSectionRow): string {
  return `**@${row.name}** (known section of AI Context Format)\n\n${row.summary}`;
}

function codeSpan(text: string): string {
  return `\`${text}\``;
}
