import { findVariables, type WrittenVariable } from '../variables.ts';
import type { OpenDocument, SendableRequest } from '../support.ts';
import { findAll } from '../search.ts';
import type { Span } from '../../core/text/span.ts';
import { scopeAt, type EnvironmentVariable, type Scope } from './scope.ts';
import { readSlots, variablesOf, type SlotForm } from './slots.ts';

/** A value of a document that contains variables; spans are relative to the document. */
export interface PlacedSlot extends Span {
  /** `definition` is the text after the `=` of a definition. */
  readonly form: SlotForm | 'definition';
  readonly variables: readonly WrittenVariable[];
  /** The definitions that the variables can use. */
  readonly scope: Scope;
  /** False in replies and below `# @literal`. */
  readonly isReplaced: boolean;
}

/** The values with variables: first those of requests, then those of definitions. */
export function* listPlaces(
  document: OpenDocument,
  environment: readonly EnvironmentVariable[],
): Generator<PlacedSlot> {
  const marks = findAll(document.text, '{{', { start: 0, end: document.text.length });
  let mark = marks.next();
  if (mark.done === true) return;
  const definitions = document.definitions();
  for (const request of document.requests()) {
    while (mark.done !== true && mark.value < request.span.start) mark = marks.next();
    if (mark.done === true) break;
    if (mark.value < request.span.end)
      yield* placesIn(document, request, scopeAt(definitions, request.span.start, environment));
  }
  for (const { kind, value, span } of definitions) {
    if (kind === 'request' || !value.includes('{{')) continue;
    const line = document.text.lineAt(span.start);
    const place = { start: span.end, end: document.text.lineEnd(line) };
    const variables = variablesIn(document, place);
    const scope = scopeAt(definitions, span.start, environment);
    if (variables.length > 0) yield { ...place, form: 'definition', variables, scope, isReplaced: true };
  }
}

function* placesIn(
  document: OpenDocument,
  { span, directives }: SendableRequest,
  scope: Scope,
): Generator<PlacedSlot> {
  const { slots, isReply } = readSlots(document.language, document.text.slice(span.start, span.end));
  const isReplaced = !isReply && directives.literal === undefined;
  for (const slot of slots) {
    const place = { start: slot.start + span.start, end: slot.end + span.start };
    yield {
      ...place,
      form: slot.form,
      variables: variablesIn(document, place, slot.form),
      scope,
      isReplaced,
    };
  }
}

function variablesIn(
  { text }: OpenDocument,
  { start, end }: Span,
  form?: SlotForm,
): readonly WrittenVariable[] {
  const source = text.slice(start, end);
  // The offsets of a text with escapes are those in its source.
  const found = form === 'json-value' ? variablesOf(form, source) : findVariables(source);
  return found.map(variable => ({
    ...variable,
    start: variable.start + start,
    end: variable.end + start,
  }));
}

/** A replaceable variable with its scope. */
export interface VariableAt {
  readonly variable: WrittenVariable;
  readonly scope: Scope;
}

/** Maximum length of a variable, and of the text read on each side of an offset. */
const LONGEST = 510;

/** The variable at an offset; undefined if there is none or its braces are literal text. */
export function variableAt(
  document: OpenDocument,
  offset: number,
  environment: readonly EnvironmentVariable[],
): VariableAt | undefined {
  const around = {
    start: Math.max(0, offset - LONGEST),
    end: Math.min(document.text.length, offset + LONGEST),
  };
  if (findVariables(document.text.slice(around.start, around.end)).length === 0) return undefined;
  for (const { variables, scope, isReplaced } of listPlaces(document, environment)) {
    const variable = variables.find(({ start, end }) => start <= offset && offset <= end);
    if (variable) return isReplaced ? { variable, scope } : undefined;
  }
  return undefined;
}
