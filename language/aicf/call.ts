import type { ToolDeclaration, ToolTable } from '../tools.ts';
import { fieldSource, fieldText, findCredential, type AicfLine } from './ast.ts';
import { isCertainJson, looksLikeJson, MAX_SEARCHED, readJsonField, type JsonFinding } from './json-field.ts';

/** A `CALL` line, read with the declaration of its tool. */
export interface Call {
  readonly tool: ToolDeclaration | undefined;
  /** Index of the first field after the arguments: a credential, or one past the last field. */
  readonly argumentsEnd: number;
  /** The JSON values among the arguments, by field. A finding that joins several fields is stored under the first. */
  readonly json: ReadonlyMap<number, JsonFinding>;
}

const FIRST_ARGUMENT = 1;
/** Maximum number of arguments searched for JSON; a line with more has another fault. */
const MAX_ARGUMENTS = 1_000;
const NO_JSON: ReadonlyMap<number, JsonFinding> = new Map();

/** Reads a `CALL` line with the tools that the file declares. */
export function readCall(text: string, line: AicfLine, table: ToolTable): Call {
  const tool = table.tools.size === 0 ? undefined : table.tools.get(fieldText(text, line, 0));
  const argumentsEnd = line.pipes.length - (findCredential(text, line) === undefined ? 0 : 1);
  return { tool, argumentsEnd, json: findJson(text, line, tool, argumentsEnd) };
}

function findJson(
  text: string,
  line: AicfLine,
  tool: ToolDeclaration | undefined,
  argumentsEnd: number,
): ReadonlyMap<number, JsonFinding> {
  let found: Map<number, JsonFinding> | undefined;
  const end = Math.min(argumentsEnd, MAX_ARGUMENTS);
  const place = { before: argumentsEnd, search: { left: MAX_SEARCHED } };
  for (let field = FIRST_ARGUMENT; field < end; field++) {
    const raw = fieldSource(text, line, field);
    const type = tool?.arguments[field - FIRST_ARGUMENT]?.type ?? 'any';
    if (!looksLikeJson(raw) && !isCertainJson(raw, type)) continue;
    const finding = readJsonField(text, line, field, place);
    found ??= new Map();
    found.set(field, finding);
    field = finding.lastField;
  }
  return found ?? NO_JSON;
}
