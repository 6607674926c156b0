import type { JSONSchema } from 'vscode-json-languageservice';
import { checkExposure, isDeeper } from '../../../agents/mcp/exposure.ts';
import { MAX_CONFIG_BYTES, readRegularFile } from '../../../agents/regular-file.ts';
import { isRecord } from '../../../core/guard.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { Severity } from '../../../core/text/issue.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import type { Span } from '../../../core/text/span.ts';
import type { Finding } from '../findings.ts';
import type { JsonKind } from './schemas.ts';

/** Longer values, and values with more levels, are not checked: the JSON support of VS Code is recursive. */
const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 100;
/** The severities of the language server protocol, from 1. */
const SEVERITIES: readonly (Severity | undefined)[] = [undefined, 'error', 'warning', 'information', 'hint'];

/** A JSON file to check. */
export interface JsonSource {
  /** Its path as shown to the user. */
  readonly name: string;
  readonly text: string;
  readonly kind: JsonKind;
}

/**
 * Checks a JSON file as VS Code does with our schemas, and an `agent.json` for the tools that it exposes. Faults of the
 * syntax are errors, and values that a schema does not allow are warnings.
 */
export async function checkJson(source: JsonSource): Promise<readonly Finding[]> {
  const text = SourceText.of(source.text);
  const toFinding = ({ span, severity, code, message }: JsonIssue): Finding => ({
    file: source.name,
    range: { start: text.toPosition(span.start), end: text.toPosition(span.end) },
    severity,
    code,
    message,
  });
  const issues = [...(await checkBySchema(source)), ...checkExposed(source)];
  return issues.sort((one, other) => one.span.start - other.span.start).map(toFinding);
}

interface JsonIssue {
  readonly span: Span;
  readonly severity: Severity;
  readonly code: 'json/syntax' | 'json/schema' | 'json/too-large' | 'openstarry/exposure';
  readonly message: string;
}

async function checkBySchema({ text, kind }: JsonSource): Promise<readonly JsonIssue[]> {
  const schema = parseJson(String(await readRegularFile(kind.schema, MAX_CONFIG_BYTES)));
  if (!isSchema(schema)) return [];
  const check = await openChecker(schema, kind);
  const found: JsonIssue[] = [];
  for (const { start, value } of kind.isLines ? listLines(text) : [{ start: 0, value: text }]) {
    const issues = await check(value);
    found.push(...issues.map(issue => ({ ...issue, span: moveBy(issue.span, start) })));
  }
  return found;
}

function isSchema(value: unknown): value is JSONSchema {
  return isRecord(value);
}

/** The lines of a text that are not blank, each with its offset. */
function listLines(text: string): readonly { readonly start: number; readonly value: string }[] {
  let start = 0;
  const lines = text.split(/\r|\n/).map(value => {
    const line = { start, value };
    start += value.length + 1;
    return line;
  });
  return lines.filter(({ value }) => value.trim() !== '');
}

function moveBy({ start, end }: Span, offset: number): Span {
  return { start: start + offset, end: end + offset };
}

/** A function that checks one JSON value by a schema. */
async function openChecker(
  schema: JSONSchema,
  { hasComments }: JsonKind,
): Promise<(text: string) => Promise<readonly JsonIssue[]>> {
  const { getLanguageService, TextDocument } = await import('./library.ts');
  const service = getLanguageService({});
  const settings = hasComments
    ? ({ comments: 'ignore', trailingCommas: 'warning' } as const)
    : ({ comments: 'error', trailingCommas: 'error' } as const);
  return async text => {
    const fault = findFault(text);
    if (fault !== undefined) return [fault];
    const document = TextDocument.create('file:///checked.json', 'json', 1, text);
    const parsed = service.parseJSONDocument(document);
    const found = await service.doValidation(document, parsed, settings, schema);
    return found.map(({ range, severity = 1, message, source, code }) => ({
      span: { start: document.offsetAt(range.start), end: document.offsetAt(range.end) },
      severity: SEVERITIES[severity] ?? 'error',
      // The codes of the syntax begin at 0x100, and those of the schema at 1.
      code: source === 'json' || (typeof code === 'number' && code >= 0x100) ? 'json/syntax' : 'json/schema',
      message: typeof message === 'string' ? message : message.value,
    }));
  };
}

function findFault(text: string): JsonIssue | undefined {
  const fault =
    text.length > MAX_LENGTH
      ? `A JSON value of more than ${MAX_LENGTH} characters is not checked; remove some`
      : isDeeper(text, MAX_DEPTH)
        ? `JSON values that nest deeper than ${MAX_DEPTH} levels are not checked; remove the inner ones`
        : undefined;
  if (fault === undefined) return undefined;
  return { span: { start: 0, end: 1 }, severity: 'warning', code: 'json/too-large', message: fault };
}

/** The exposure of an `agent.json`. What a large file exposes is not checked, which the other check reports. */
function checkExposed({ name, text }: JsonSource): readonly JsonIssue[] {
  if (!/(?:^|\/)agent\.json$/.test(name.replaceAll('\\', '/')) || findFault(text)) return [];
  const { issues = [] } = checkExposure(text, () => undefined) ?? {};
  return issues.map(issue => ({ ...issue, code: 'openstarry/exposure' }));
}
