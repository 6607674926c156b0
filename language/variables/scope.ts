import { findVariableFunction, VARIABLE_FUNCTIONS } from '../../core/catalog/variables.ts';
import { readReference, type Definition, type VariableReference } from '../variables.ts';
import { quote } from '../../core/text/quote.ts';
import { editDistance } from '../../core/text/similar.ts';
import { joinWords } from '../../core/text/count.ts';

/** A variable that a request can use. */
export interface ScopedVariable {
  readonly name: string;
  /** May contain variables that are defined before it. */
  readonly value: string;
  /** The environment that defines it. */
  readonly environment?: string;
  /** The definition in the file. */
  readonly definition?: Definition;
}

/** A variable of an environment. */
export interface EnvironmentVariable extends ScopedVariable {
  readonly environment: string;
}

/**
 * The names available to a request: variables in the order of definition, those of the environment before
 * those of the lines above the request; and all named requests of the file.
 */
export interface Scope {
  readonly variables: readonly ScopedVariable[];
  readonly requests: readonly string[];
  /** Variables that are defined only further down. */
  readonly below: readonly string[];
}

/** The scope of the request that starts at an offset. */
export function scopeAt(
  definitions: readonly Definition[],
  offset: number,
  environment: readonly EnvironmentVariable[],
): Scope {
  const own = definitions.filter(({ kind }) => kind === 'variable');
  const above = own.filter(({ span }) => span.start < offset);
  return {
    variables: [
      ...environment,
      ...above.map(definition => ({ name: definition.name, value: definition.value, definition })),
    ],
    requests: definitions.filter(({ kind }) => kind === 'request').map(({ name }) => name),
    below: own.filter(({ span }) => span.start >= offset).map(({ name }) => name),
  };
}

/** Adds the variables of an environment before those of a scope. */
export function withEnvironment(scope: Scope, environment: readonly EnvironmentVariable[]): Scope {
  return { ...scope, variables: [...environment, ...scope.variables] };
}

/** The meaning of a variable in a scope: a source of a value, plain text, or a problem that prevents sending. */
export type Judged =
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'function'; readonly name: 'uuid' | 'timestamp' | 'env'; readonly argument: string }
  /** `index` refers to the variables of the scope. */
  | { readonly kind: 'variable'; readonly index: number }
  | { readonly kind: 'reply'; readonly request: string; readonly path: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'problem'; readonly message: string; readonly similar?: string };

/**
 * Determines the meaning of the text between braces (reading of requests in files, section 9). Only the first
 * `before` variables of the scope are defined at its position.
 */
export function judgeVariable(source: string, scope: Scope, before = scope.variables.length): Judged {
  const reference = readReference(source);
  switch (reference.kind) {
    case 'secret':
    case 'file':
      return reference;
    case 'function':
      return judgeFunction(reference);
    case 'name':
      return judgeName(reference, scope, before);
    case 'other':
      return { kind: 'text' };
  }
}

function judgeFunction({ name, argument }: VariableReference & { kind: 'function' }): Judged {
  const row = findVariableFunction(name);
  const shown = quote(`$${name}`);
  if (!row) {
    const known = joinWords(
      VARIABLE_FUNCTIONS.map(each => `$${each.name}`),
      'and',
    );
    return { kind: 'problem', message: `There is no variable ${shown}: known are ${known}` };
  }
  if (row.argument !== '' && argument === '')
    return { kind: 'problem', message: `${shown} needs a name: write {{$${name} ${row.argument}}}` };
  if (row.argument === '' && argument !== '')
    return { kind: 'problem', message: `${shown} takes no argument: write {{$${name}}}` };
  return { kind: 'function', name: row.name, argument };
}

function judgeName(
  { name, path }: VariableReference & { kind: 'name' },
  scope: Scope,
  before: number,
): Judged {
  const index = scope.variables.slice(0, before).findLastIndex(variable => variable.name === name);
  if (index >= 0 && path.length === 0) return { kind: 'variable', index };
  if (scope.requests.includes(name)) return judgeReply(name, path);
  if (index >= 0)
    return {
      kind: 'problem',
      message: `${quote(name)} is a variable and no request, so it has no part ${quote(path.join('.'))}: write {{${name}}}`,
    };
  if (path.length === 0 && (scope.below.includes(name) || scope.variables.some(each => each.name === name)))
    return {
      kind: 'problem',
      message: `${quote(name)} is defined further down: move its line above the first request that uses it`,
    };
  const similar = findSimilarName(name, scope);
  if (similar === undefined) return { kind: 'text' };
  return {
    kind: 'problem',
    message: `There is no variable ${quote(name)}: did you mean ${quote(similar)}?`,
    similar,
  };
}

function judgeReply(request: string, path: readonly string[]): Judged {
  if (path.length > 0) return { kind: 'reply', request, path };
  return {
    kind: 'problem',
    message: `${quote(request)} is a request: say which part of its reply, as in {{${request}.data}}`,
  };
}

/** Maximum edit distance of a misspelt name. */
const SLIP = 2;

function findSimilarName(name: string, { variables, requests, below }: Scope): string | undefined {
  const names = [...variables.map(variable => variable.name), ...requests, ...below];
  let best: string | undefined;
  let bestDistance = SLIP + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), SLIP);
    // Names without a common character have a distance equal to the length of the longer one: `q` is not a
    // misspelt `x`.
    if (distance >= Math.max(name.length, candidate.length)) continue;
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
