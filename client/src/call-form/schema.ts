import type { ArgumentDeclaration, ToolDeclaration } from '../../../language/tools.ts';
import { isRecord } from '../../../core/guard.ts';

/** A JSON Schema as far as it is an object; `true`, `false` and all else say nothing. */
export type Schema = Readonly<Record<string, unknown>>;

/** A JSON Schema from a value; one that says nothing where it is none. */
export function readSchema(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

/**
 * The schema that counts where one stands: a reference is followed within its document, and of a choice between a schema
 * and null, as a value that may be absent is often written, the schema is meant.
 */
export function resolveSchema(schema: Schema, root: Schema): Schema {
  let found = schema;
  // References may lead in a circle.
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    const target = typeof found['$ref'] === 'string' ? followRef(found['$ref'], root) : findOnly(found);
    if (!target) return found;
    // What stands beside the reference describes it better.
    const own = Object.entries(found).filter(([key]) => !POINTERS.has(key));
    found = { ...target, ...Object.fromEntries(own) };
  }
  return found;
}

const MOST_HOPS = 20;

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

/** The types that a schema allows besides null; none where it does not say. */
export function listTypes({ type }: Schema): readonly string[] {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.filter(each => typeof each === 'string').filter(each => each !== 'null');
}

/** The JSON Schema of what a tool takes where its agent declares it in another way (AICF-RPC 1.0, "INFO"). */
export function schemaOf(tool: ToolDeclaration): Schema {
  // Only where one argument is marked as optional the others are required (reading of AICF-RPC, section 2.2).
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
