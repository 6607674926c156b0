import { findVariableFunction } from '../../core/catalog/variables.ts';
import type { Hover, OpenDocument } from '../support.ts';
import { escapeMarkdown, inlineCode } from '../../core/text/markup.ts';
import type { Span } from '../../core/text/span.ts';
import { variableAt } from './places.ts';
import { judgeVariable, type EnvironmentVariable, type Judged, type Scope } from './scope.ts';

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
      return 'A secret: it is asked for once, kept outside of files, and masked wherever it is shown.';
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
