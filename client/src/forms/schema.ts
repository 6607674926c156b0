import type { ArgumentDeclaration, ToolDeclaration } from '../../../language/tools.ts';
import { isRecord } from '../../../core/guard.ts';

/** A JSON Schema that is an object; `true`, `false` and invalid values become an empty schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Reads a JSON Schema from a value; an empty one if the value is not an object. */
export function readSchema(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

/**
 * Resolves a schema: follows references within the document, and takes the schema of a choice between a
 * schema and null, which is a common form of optional values.
 */
export function resolveSchema(schema: Schema, root: Schema): Schema {
  let found = schema;
  // References may be circular.
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const target = typeof found['$ref'] === 'string' ? followRef(found['$ref'], root) : findOnly(found);
    if (!target) return found;
    // Keywords next to the reference are more specific.
    const own = Object.entries(found).filter(([key]) => !POINTERS.has(key));
    found = { ...target, ...Object.fromEntries(own) };
  }
  return found;
}

const MAX_HOPS = 20;

const POINTERS: ReadonlySet<string> = new Set(['$ref', 'anyOf', 'oneOf']);

function followRef(ref: string, root: Schema): Schema | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isRecord(at) ? at : undefined;
}

function findOnly(schema: Schema): Schema | undefined {
  const choices = [schema['anyOf'], schema['oneOf']].find(list => Array.isArray(list));
  if (!Array.isArray(choices)) return undefined;
  const filled = choices.filter((each): each is Schema => isRecord(each) && each['type'] !== 'null');
  const [only, another] = filled;
  return another || filled.length === choices.length ? undefined : only;
}

/** The types that a schema allows, except null; empty if it does not name any. */
export function listTypes({ type }: Schema): readonly string[] {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.filter(each => typeof each === 'string').filter(each => each !== 'null');
}

/** The JSON Schema for a tool whose agent declares its arguments in another form (AICF-RPC 1.0, "INFO"). */
export function schemaOf(tool: ToolDeclaration): Schema {
  // If no argument is marked as optional, none is known to be required (reading of AICF-RPC, section 2.2).
  const isMarked = tool.schema !== undefined || tool.arguments.some(argument => argument.isOptional);
  const required = tool.arguments.filter(argument => isMarked && !argument.isOptional);
  return {
    type: 'object',
    properties: Object.fromEntries(tool.arguments.map(each => [each.name, argumentSchema(each)])),
    required: required.map(argument => argument.name),
    additionalProperties: tool.schema?.isOpen ?? false,
  };
}

function argumentSchema({ type, description, values }: ArgumentDeclaration): Schema {
  return {
    ...(type === 'any' ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { enum: values }),
  };
}
