import { AICF_COMMANDS, AICF_ERROR_CODES } from './aicf.ts';
import { describeCommand, describeErrorCode } from './aicf-describe.ts';
import { describeAiclMeaning } from './describe-meanings.ts';
import type { DirectiveRow } from './directives.ts';
import {
  AICL_ERRORS,
  MESSAGE_TYPES,
  type AiclErrorRow,
  type FieldRow,
  type MessageTypeRow,
  type TypeTagRow,
  type ValueKind,
} from './aicl.ts';
import { type DtypeRow } from './dtypes.ts';
import { TYPE_TAGS } from './aicl.ts';
import type { RuleRow } from './rule-row.ts';
import { RULES } from './rules.ts';

/** What a kind of value is called in texts for people. */
export function kindTitle(kind: ValueKind): string {
  return TYPE_TAGS.find(row => row.name === kind)?.title ?? kind;
}

/** A type of values as Markdown. */
export function describeTag(row: TypeTagRow): string {
  return `**${row.title}** \`${row.example}\`\n\n${row.summary}`;
}

/** A data type of tensors as Markdown. */
export function describeDtype(row: DtypeRow): string {
  return `**${row.name}** (data type, ${row.bytes} ${row.bytes === 1 ? 'byte' : 'bytes'} an element)\n\n${row.summary}`;
}

/** A message type as Markdown: what it is for and its fields. */
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

/** A field as Markdown. `owner` is the message type that it belongs to; undefined for fields of every message. */
export function describeField(row: FieldRow, owner: MessageTypeRow | undefined): string {
  const where = owner ? `field of ${owner.name}` : 'field of every message';
  const need = row.required ? 'required' : 'optional';
  return `**${row.key}** (${where}, ${listKinds(row)}, ${need})\n\n${row.summary}`;
}

/**
 * An error code of LightAICL as Markdown, with what other protocols write for it. `code` is one of the row's range
 * that may have a meaning of its own.
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
  return `**${`# @${row.name} ${row.value}`.trim()}** (directive)\n\n${row.summary}`;
}

/** A rule as Markdown: what it says, why, and examples. */
export function describeRule(row: RuleRow): string {
  const wire = row.wire === undefined ? '' : `, wire code ${row.wire}`;
  const language = row.code.startsWith('aicf/') ? 'aicf' : 'aicl';
  const parts = [`**${row.code}** (${row.severity}${wire}): ${row.title}`, row.explanation];
  const [bad] = row.bad;
  const [good] = row.good;
  if (bad !== undefined && bad.length <= 400)
    parts.push(`Reported:\n\n\`\`\`${language}\n${bad.replace(/[«»]/g, '')}\n\`\`\``);
  if (bad !== undefined && good !== undefined && good.length <= 400)
    parts.push(`Not reported:\n\n\`\`\`${language}\n${good}\n\`\`\``);
  return parts.join('\n\n');
}

/** What a rule code, a wire code, a command or a message type means, as Markdown; undefined for an unknown one. */
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
  return aicf && describeErrorCode(aicf);
}

function isInRange(row: AiclErrorRow, code: string): boolean {
  return /^\d{4}$/.test(code) && row.code <= Number(code) && Number(code) <= (row.last ?? row.code);
}

/** The types of a field's value, as a sentence lists them. */
export function listKinds(row: FieldRow): string {
  if (row.types.length > 3) return 'any value';
  return row.types.map(kind => kindTitle(kind)).join(' or ');
}
