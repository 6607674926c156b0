import {
  VARIABLE_FUNCTIONS,
  type VariableFunctionRow,
  findVariableFunction,
} from '../../core/catalog/variables.ts';
import type { Completion, OpenDocument, Hover } from '../support.ts';
import type { Span } from '../../core/text/span.ts';
import { scopeAt, type EnvironmentVariable, type Scope, judgeVariable, type Judged } from './scope.ts';
import { escapeMarkdown, inlineCode } from '../../core/text/markup.ts';
import { variableAt } from './places.ts';

/** The variables known to the editor, apart from those of the file. */
export interface KnownVariables {
  readonly environment: readonly EnvironmentVariable[];
  /** The names of stored secrets. */
  readonly secrets: readonly string[];
}

/** Maximum number of characters read before and after a cursor. */
const LONGEST = 500;

/**
 * Completions between the braces of a variable; undefined outside braces. Proposes the variables that can be
 * used at this line, nearest first.
 */
export function completeVariable(
  document: OpenDocument,
  offset: number,
  { environment, secrets }: KnownVariables,
): readonly Completion[] | undefined {
  const { text } = document;
  const line = text.lineAt(offset);
  const start = Math.max(text.lineStart(line), offset - LONGEST);
  const typed = /\{\{([^{}]*)$/.exec(text.slice(start, offset))?.[1];
  if (typed === undefined) return undefined;
  const rest = text.slice(offset, Math.min(text.lineEnd(line), offset + LONGEST));
  const [, behind = '', closing = ''] = /^([^{}|[\]"]*?)(\}{0,2})(?![^{}|[\]"])/.exec(rest) ?? [];
  const isClosed = closing === '}}';
  const span = {
    start: offset - typed.length,
    end: offset + (isClosed ? behind.length : 0) + closing.length,
  };
  const scope = scopeAt(document.definitions(), text.lineStart(line), environment);
  const names = [
    ...listVariables(scope),
    ...listRequests(scope),
    ...listFunctions(),
    ...listSecrets(secrets),
    FILE,
  ];
  return names.map((item, rank) => toCompletion(item, span, rank));
}

interface Proposal {
  readonly label: string;
  readonly detail: string;
  /** The text between the braces; a snippet with a tab stop if an argument follows. */
  readonly source: string;
  readonly fills?: boolean;
}

function toCompletion(
  { label, detail, source, fills = false }: Proposal,
  span: Span,
  rank: number,
): Completion {
  return {
    label,
    kind: 'value',
    detail,
    span,
    newText: fills ? `${source}\\}\\}` : `${source}}}`,
    isSnippet: fills,
    rank,
  };
}

/** The distinct names with the definition that applies. */
function listVariables({ variables }: Scope): readonly Proposal[] {
  const found = new Map<string, Proposal>();
  for (const { name, value, environment } of variables.toReversed()) {
    if (found.has(name)) continue;
    const where = environment === undefined ? 'this file' : environment;
    found.set(name, { label: name, detail: `${value} (${where})`, source: name });
  }
  return [...found.values()];
}

function listRequests({ requests }: Scope): readonly Proposal[] {
  return [...new Set(requests)].map(name => ({
    label: `${name}.data`,
    detail: `last reply of ${name}`,
    source: `${name}.data`,
  }));
}

function listFunctions(): readonly Proposal[] {
  const rows: readonly VariableFunctionRow[] = VARIABLE_FUNCTIONS;
  return rows.map(({ name, argument, summary }) => ({
    label: `$${name}`,
    detail: summary,
    source: argument === '' ? `$${name}` : `\\$${name} \${1:${argument}}`,
    fills: argument !== '',
  }));
}

const FILE: Proposal = {
  label: 'file',
  detail: 'a file of the workspace, as Base64',
  source: 'file ${1:PATH}',
  fills: true,
};

function listSecrets(secrets: readonly string[]): readonly Proposal[] {
  return [
    ...secrets.map(name => ({ label: `secret ${name}`, detail: 'secret', source: `secret ${name}` })),
    { label: 'secret', detail: 'a value that is never shown', source: 'secret ${1:NAME}', fills: true },
  ];
}

/** Describes the value of the variable at an offset and its source; the value of a secret is never shown. */
export function hoverVariable(
  document: OpenDocument,
  offset: number,
  environment: readonly EnvironmentVariable[],
): Hover | undefined {
  const found = variableAt(document, offset, environment);
  if (!found) return undefined;
  const { variable, scope } = found;
  const { start, end, source } = variable;
  const words = describe(document, judgeVariable(source, scope), scope);
  return { span: { start, end }, markdown: `**${escapeMarkdown(source)}** (variable)\n\n${words}` };
}

function describe(document: OpenDocument, judged: Judged, scope: Scope): string {
  switch (judged.kind) {
    case 'variable':
      return describeVariable(document, scope, judged.index);
    case 'reply':
      return `A part of the last reply to the request ${inlineCode(judged.request)} of this file. That request is sent first.`;
    case 'function':
      return findVariableFunction(judged.name)?.summary ?? '';
    case 'secret':
      return 'A secret: you enter it once. It is stored outside of files, and masked wherever it is shown.';
    case 'file':
      return 'The content of this file as Base64, read when the request is sent. The path starts at the folder of the request; the file must be in the workspace.';
    case 'problem':
      return `The request is not sent like this. ${escapeMarkdown(judged.message)}`;
    case 'text':
      return 'Nothing defines it, so it is text and is sent unchanged.';
  }
}

function describeVariable({ text }: OpenDocument, { variables }: Scope, index: number): string {
  const { value = '', environment, definition } = variables[index] ?? {};
  const shown = value === '' ? 'Empty' : `\`${value.replaceAll('`', 'ˋ')}\``;
  if (environment !== undefined) return `${shown}, from the environment ${escapeMarkdown(environment)}.`;
  return definition ? `${shown}, from line ${text.lineAt(definition.span.start) + 1}.` : shown;
}

/** The definition of the variable at an offset in the same file: its own name, or that of the request. */
export function defineVariable(
  document: OpenDocument,
  offset: number,
  environment: readonly EnvironmentVariable[],
): Span | undefined {
  const found = variableAt(document, offset, environment);
  if (!found) return undefined;
  const judged = judgeVariable(found.variable.source, found.scope);
  if (judged.kind === 'variable') return found.scope.variables[judged.index]?.definition?.span;
  if (judged.kind !== 'reply') return undefined;
  return document.definitions().findLast(({ kind, name }) => kind === 'request' && name === judged.request)
    ?.span;
}
