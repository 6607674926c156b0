import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { dictOf, nullEntries, takeDefaults } from '../message/dicts.ts';
import type { Members } from '../message/members.ts';

/** What the value of a parameter must be. */
export interface ParameterType {
  /** Completes "must be …". */
  readonly words: string;
  readonly fits: (value: Value) => boolean;
  /** The JSON Schema of such a value. */
  readonly schema: DictValue;
}

/**
 * A parameter of a request, such as `temperature`. In a neutral message it is a constraint of the task, with the name
 * that the Agent API gives it.
 */
export interface Parameter {
  /** Its name in a request of the protocol. */
  readonly name: string;
  /** Its name as a constraint. */
  readonly constraint: string;
  readonly type: ParameterType;
  /** True where the agent's entry sets it, so that a constraint of this name is no parameter. */
  readonly isFixed?: boolean;
  /** Converts a value that has another form in requests of the protocol than as a constraint. */
  readonly form?: {
    /** Undefined for a value that the constraint cannot express. */
    readonly toConstraint: (value: Value) => Value | undefined;
    readonly fromConstraint: (value: Value) => Value;
  };
}

function schemaOf(type: string): DictValue {
  return dictOf({ type: textValue(type) });
}

/** A parameter whose value has the same form in a request and as a constraint. */
export function parameter(name: string, type: ParameterType, constraint = name): Parameter {
  return { name, constraint, type };
}

export const TEXT: ParameterType = {
  words: 'a text',
  fits: ({ kind }) => kind === 'text',
  schema: schemaOf('string'),
};
export const BOOLEAN: ParameterType = {
  words: 'true or false',
  fits: ({ kind }) => kind === 'bool',
  schema: schemaOf('boolean'),
};
export const NUMBER: ParameterType = {
  words: 'a number',
  fits: value => value.kind === 'int' || (value.kind === 'float' && Number.isFinite(value.float)),
  schema: schemaOf('number'),
};
export const INTEGER: ParameterType = {
  words: 'a whole number',
  fits: ({ kind }) => kind === 'int',
  schema: schemaOf('integer'),
};
export const TEXTS: ParameterType = {
  words: 'a text or a list of texts',
  fits: value => TEXT.fits(value) || (value.kind === 'list' && value.items.every(TEXT.fits)),
  schema: dictOf({ type: listValue([textValue('string'), textValue('array')]) }),
};

/** Tools as the Agent API describes them; tools of other types may have any members. */
export const TOOLS: ParameterType = {
  words:
    "a list of tools, of which each function has the texts 'name' and 'description' and 'parameters' of the type 'object'",
  fits: value => value.kind === 'list' && value.items.every(isTool),
  schema: schemaOf('array'),
};

export function integerWithin(least: number, most: number): ParameterType {
  return {
    words: `a whole number from ${least} to ${most}`,
    fits: value => value.kind === 'int' && value.int >= least && value.int <= most,
    schema: dictOf({ type: textValue('integer'), minimum: intValue(least), maximum: intValue(most) }),
  };
}

function isTool(tool: Value): boolean {
  if (tool.kind !== 'dict') return false;
  const type = findEntry(tool, 'type');
  if (type && type.kind !== 'null' && type.kind !== 'text') return false;
  const described = findEntry(tool, 'function');
  if (!described || described.kind === 'null') return true;
  const parameters = findEntry(described, 'parameters');
  const schemaType = findEntry(parameters, 'type');
  return (
    textIn(findEntry(described, 'name')) !== undefined &&
    textIn(findEntry(described, 'description')) !== undefined &&
    parameters?.kind === 'dict' &&
    (!schemaType || textIn(schemaType) === 'object')
  );
}

/** Takes the parameters out of a request as constraints; those with a wrong value stay. Null is no value. */
export function takeParameters(members: Members, known: readonly Parameter[]): DictValue | undefined {
  takeDefaults(members, nullEntries(...known.map(({ name }) => name)));
  const entries = members.entries().flatMap(({ key, value: given }): readonly Entry[] => {
    const parameter = known.find(({ name }) => name === key);
    const value = parameter?.form ? parameter.form.toConstraint(given) : given;
    if (!parameter || !value || !parameter.type.fits(value)) return [];
    members.take(key);
    return [{ key: parameter.constraint, value }];
  });
  return entries.length > 0 ? dictValue(entries) : undefined;
}

/** The members of a request for constraints that are parameters. */
export function writeParameters(
  constraints: Value | undefined,
  known: readonly Parameter[],
): Readonly<Record<string, Value>> {
  const entries = constraints?.kind === 'dict' ? constraints.entries : [];
  const written = entries.flatMap(({ key, value }): readonly (readonly [string, Value])[] => {
    const parameter = known.find(({ constraint }) => constraint === key);
    return parameter ? [[parameter.name, parameter.form?.fromConstraint(value) ?? value]] : [];
  });
  return Object.fromEntries(written);
}
