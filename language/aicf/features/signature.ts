import { findArgumentType, findCommand, type AicfCommandRow } from '../../../core/catalog/aicf.ts';
import { describeArgumentType } from '../../../core/catalog/describe.ts';
import type { Signature, SignatureParameter } from '../../feature-results.ts';
import type { ToolDeclaration } from '../../tools.ts';
import { escapeMarkdown } from '../../../core/text/markup.ts';
import { fieldText } from '../ast.ts';
import { encodeField } from '../codec.ts';
import { findPlace } from '../cursor.ts';
import { toolsAt } from '../file-tools.ts';
import type { AicfDocument } from '../parse.ts';

/** Limits for a tool's signature: number of arguments and characters. Above them the command's signature is shown. */
const MAX_ARGUMENTS = 100;
const LONGEST = 2_000;

/** A field as shown in the label. */
interface Part {
  readonly label: string;
  readonly documentation: string;
}

/**
 * The signature at a cursor in a field: of the tool in a `CALL` if the agent's lines declare it, or else of the command
 * (AICF-RPC 1.0, "Commands"). The label uses the notation of the line, with types as in `TOOL` lines.
 */
export function signature(doc: AicfDocument, offset: number): Signature | undefined {
  if (doc.dialect === 'context') return undefined;
  const place = findPlace(doc, offset);
  if (place.kind !== 'field') return undefined;
  const { text, tree } = place.line;
  const row = tree.command === undefined ? undefined : findCommand(tree.command);
  if (!row || row.fields.length === 0) return undefined;
  const tool =
    row.name === 'CALL' ? toolsAt(doc, place.line.number).tools.get(fieldText(text, tree, 0)) : undefined;
  const parts = tool && toolParts(tool);
  if (tool && parts) {
    return build(row.name, parts, escapeMarkdown(tool.description.slice(0, LONGEST)), place.index);
  }
  const fields = commandParts(row);
  const last = row.fields.at(-1);
  const index = last?.repeats ? Math.min(place.index, fields.length - 1) : place.index;
  return build(row.name, fields, row.summary, index);
}

function toolParts(tool: ToolDeclaration): readonly Part[] | undefined {
  if (tool.arguments.length > MAX_ARGUMENTS) return undefined;
  const parts = tool.arguments.map(({ name, type, isOptional }): Part => {
    const row = findArgumentType(type);
    return {
      label: `${encodeField(name)}:${type}${isOptional ? '?' : ''}`,
      documentation: [isOptional ? 'Optional.' : '', row ? describeArgumentType(row) : '']
        .filter(Boolean)
        .join(' '),
    };
  });
  const all = [{ label: encodeField(tool.name), documentation: 'The tool to call.' }, ...parts];
  return all.reduce((sum, part) => sum + part.label.length, 0) > LONGEST ? undefined : all;
}

function commandParts(row: AicfCommandRow): readonly Part[] {
  return row.fields.map(field => ({
    label: `${field.name}${field.repeats ? '…' : ''}`,
    documentation: `${field.isRequired ? '' : 'Optional. '}${field.summary}`,
  }));
}

function build(command: string, parts: readonly Part[], documentation: string, active: number): Signature {
  let label = command;
  const parameters: SignatureParameter[] = parts.map(part => {
    const start = label.length + 1;
    label += `|${part.label}`;
    return { span: { start, end: label.length }, documentation: part.documentation };
  });
  return { label, documentation, parameters, active };
}
