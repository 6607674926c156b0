import type { AicfCommandRow, AicfErrorCodeRow, AicfTypeRow, ContextSectionRow } from './aicf.ts';
import { describeAicfMeanings } from './describe-meanings.ts';

/** A command as Markdown: its form, what it does, its fields and an example. Hover and the reference show it. */
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

/** An error code as Markdown, with what other protocols write for what it may mean. */
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
