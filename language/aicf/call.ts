import type { AicfTypeName } from '../../core/catalog/aicf.ts';
import type { ToolDeclaration, ToolTable } from '../tools.ts';
import { fieldSource, fieldText, type AicfLine } from './ast.ts';
import { looksLikeJson, MOST_SEARCHED, readJsonField, type JsonFinding } from './json-field.ts';

/** A `CALL` line as its tool reads it. */
export interface Call {
  readonly tool: ToolDeclaration | undefined;
  /** The first field that is no argument any more: a credential, or the one past the last. */
  readonly argumentsEnd: number;
  /** What the arguments that are JSON hold, by field; fields that a finding joins are under its first. */
  readonly json: ReadonlyMap<number, JsonFinding>;
}

const FIRST_ARGUMENT = 1;
/** JSON is looked for in this many arguments: a line with more has another fault. */
const MOST_ARGUMENTS = 1_000;
const NO_JSON: ReadonlyMap<number, JsonFinding> = new Map();

/** Reads a `CALL` line with what the file says about its tool. */
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
  const end = Math.min(argumentsEnd, MOST_ARGUMENTS);
  const place = { before: argumentsEnd, search: { left: MOST_SEARCHED } };
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

/** True for an argument that must be JSON by its type: `a,b,c` is an array too, an empty field is absent. */
export function isCertainJson(raw: string, type: AicfTypeName): boolean {
  if (type === 'object') return raw !== '';
  return type === 'array' && (raw.trimStart().startsWith('[') || looksLikeJson(raw));
}

const CREDENTIAL = /^AUTH:\s*\S/;

/** The last field of a request where it is a credential, `AUTH:token`; undefined where it is not. */
export function findCredential(text: string, line: AicfLine): number | undefined {
  const last = line.pipes.length - 1;
  // Where a command is known to name a tool first, a field that is alone is that name.
  const first = line.command === 'LIST' || line.command === undefined ? 0 : 1;
  const pipe = line.pipes[last];
  if (pipe === undefined || last < first || !text.startsWith('AUTH:', pipe + 1)) return undefined;
  return CREDENTIAL.test(fieldSource(text, line, last)) ? last : undefined;
}
