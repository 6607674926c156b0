import type { AicfCommandRow, AicfErrorCodeRow, AicfTypeRow, ContextSectionRow } from './aicf.ts';

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

/** An error code as Markdown. */
export function describeErrorCode(row: AicfErrorCodeRow): string {
  return `**${row.code} ${row.title}**\n\n${row.summary}`;
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
