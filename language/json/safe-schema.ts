import type { JSONSchema } from 'vscode-json-languageservice';
import { isBoolean, isNumber, isRecord, isString } from '../../core/guard.ts';
import { asList } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { LONGEST_SCHEMA } from '../tools.ts';

/*
 * A schema comes from an agent, which is not trusted, so the JSON language service gets a copy with the
 * keywords that are listed here. The copy has no `pattern`, `patternProperties` or `format`, whose regular
 * expressions could take exponential time, no `uniqueItems`, which takes quadratic time, no `unevaluated…`, no reference by
 * address, and no Markdown or snippet. Local references are resolved, so the copy may be circular, but
 * schemas of one value are nested at most `DEEPEST_CHOICE` deep.
 */

/** The maximum nesting of schemas that apply to the same value, as in `anyOf`. */
const DEEPEST_CHOICE = 8;
/** The maximum number of references that lead to each other. */
const MAX_HOPS = 20;
/** The maximum number of schemas in a copy; references could make it larger than the text by far. */
const MAX_COPIED = 1 << 15;
/** Maximum length of a title or description. */
const LONGEST_WORDS = 2_000;

type JSONSchemaRef = JSONSchema | boolean;
type Source = Readonly<Record<string, unknown>>;

/** Counts the check of one value by one schema; throws if the operation has used up its work budget. */
export type CountWork = (cost: number) => void;

/** The copies of the schemas of a tool's arguments, by name; empty for a schema that is too large. */
export function copyArgumentSchemas(text: string, countWork: CountWork): ReadonlyMap<string, JSONSchema> {
  const root = text.length > LONGEST_SCHEMA ? undefined : parseJson(text);
  if (!isRecord(root)) return new Map();
  const copier = new SchemaCopier(root, countWork);
  const properties = copier.resolve(root)?.['properties'];
  const copies = new Map<string, JSONSchema>();
  for (const [name, source] of Object.entries(asRecord(properties))) {
    const copy = copier.copy(source);
    if (copier.isTooLarge) return new Map();
    if (typeof copy === 'object') copies.set(name, copy);
  }
  return copies;
}

/** The copy of a whole schema; undefined if it is too large or no object. */
export function copySchema(text: string, countWork: CountWork): JSONSchema | undefined {
  const root = text.length > LONGEST_SCHEMA ? undefined : parseJson(text);
  if (!isRecord(root)) return undefined;
  const copier = new SchemaCopier(root, countWork);
  const copy = copier.copy(root);
  return typeof copy === 'object' && !copier.isTooLarge ? copy : undefined;
}

/** A copy of a schema object. */
interface Copy {
  readonly schema: JSONSchema;
  /** The nesting of schemas that apply to the same value. */
  height: number;
  /** The cost of checking one value. */
  cost: number;
  /** The number of its properties. */
  names: number;
  /** False until the schemas that apply to the same value are copied. */
  isDone: boolean;
}

/** Copies schemas. Each object is copied once, so the work is linear. */
class SchemaCopier {
  readonly #root: Source;
  readonly #countWork: CountWork;
  readonly #copies = new Map<Source, Copy>();
  /** The schemas of members and items, which are copied later: they may refer to any schema. */
  readonly #later: (() => void)[] = [];
  readonly #exact = new Map<unknown, boolean>();
  #count = 0;

  constructor(root: Source, countWork: CountWork) {
    this.#root = root;
    this.#countWork = countWork;
  }

  /** True if the copies have too many schemas; they are then incomplete. */
  get isTooLarge(): boolean {
    return this.#count > MAX_COPIED;
  }

  copy(source: unknown): JSONSchemaRef | undefined {
    const copied = this.#take(source, 0);
    for (let next = this.#later.pop(); next; next = this.#later.pop()) next();
    return copied;
  }

  /** Follows local references. Keywords beside a reference take precedence. */
  resolve(source: Source): Source | undefined {
    let found = source;
    for (let hops = 0; isString(found['$ref']); hops++) {
      const { $ref, ...own } = found;
      const target = hops < MAX_HOPS ? this.#follow(String($ref)) : undefined;
      if (!target) return undefined;
      found = Object.keys(own).length === 0 ? target : { ...target, ...own };
    }
    return found;
  }

  #follow(ref: string): Source | undefined {
    let at: unknown = this.#root;
    if (ref !== '#' && !ref.startsWith('#/')) return undefined;
    for (const step of ref.split('/').slice(1)) {
      const key = decodeStep(step);
      at = (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
    }
    return isRecord(at) ? at : undefined;
  }

  /** The copy of a schema; undefined if it is nested too deep, or within itself. */
  #take(source: unknown, depth: number): JSONSchemaRef | undefined {
    if (isBoolean(source)) return source;
    if (!isRecord(source) || ++this.#count > MAX_COPIED) return true;
    const known = this.#copies.get(source);
    if (known) return known.isDone && depth + known.height <= DEEPEST_CHOICE ? known.schema : undefined;
    if (depth > DEEPEST_CHOICE) return undefined;
    const resolved = this.resolve(source);
    // Anything fits a schema that is not known.
    if (!resolved) return true;
    const again = resolved === source ? undefined : this.#copies.get(resolved);
    if (again) {
      this.#copies.set(source, again);
      return again.isDone && depth + again.height <= DEEPEST_CHOICE ? again.schema : undefined;
    }
    const schema: JSONSchema = {};
    const copy: Copy = { schema, height: 0, cost: 1, names: 0, isDone: false };
    this.#copies.set(source, copy);
    this.#copies.set(resolved, copy);
    this.#copyPlain(resolved, copy);
    this.#copyChoices(resolved, copy, depth);
    copy.isDone = true;
    this.#copyInner(resolved, copy);
    this.#guard(copy);
    return copy.schema;
  }

  /** The service reads these members of a schema whenever it checks a value or proposes one. */
  #guard({ schema, cost }: Copy): void {
    const get = (): undefined => void this.#countWork(cost);
    Object.defineProperties(schema, { deprecationMessage: { get }, defaultSnippets: { get } });
  }

  #copyPlain(source: Source, copy: Copy): void {
    const { schema } = copy;
    const type = readType(source['type']);
    if (type) schema.type = type;
    for (const key of NUMBERS) if (isNumber(source[key])) schema[key] = source[key];
    if (isNumber(source['multipleOf']) && source['multipleOf'] > 0) schema.multipleOf = source['multipleOf'];
    for (const key of LIMITS) {
      const limit = source[key];
      if (isNumber(limit) || isBoolean(limit)) schema[key] = limit;
    }
    for (const key of WORDS) {
      const words = source[key];
      if (isString(words)) schema[key] = words.slice(0, LONGEST_WORDS);
    }
    if (Array.isArray(source['enum'])) schema.enum = source['enum'];
    if (Array.isArray(source['examples'])) schema.examples = source['examples'];
    if (source['const'] !== undefined) schema.const = source['const'];
    if (source['default'] !== undefined) schema.default = source['default'];
    const required = asList(source['required']).filter(isString);
    if (required.length > 0) schema.required = required;
    const { properties, dependentRequired, dependencies } = source;
    const needed = Object.entries({ ...asRecord(dependencies), ...asRecord(dependentRequired) });
    const lists = needed.filter(([, list]) => Array.isArray(list));
    if (lists.length > 0)
      schema.dependentRequired = Object.fromEntries(
        lists.map(([key, list]) => [key, asList(list).filter(isString)]),
      );
    const names = Object.keys(asRecord(properties));
    copy.names = names.length;
    const values = VALUES.map(key => source[key]);
    copy.cost += lengthOf([values, required, lists, names]);
    // The service reads the whole value to compare it.
    if (schema.enum || source['const'] !== undefined) copy.cost += COMPARED;
  }

  /** Copies the schemas that apply to the same value. */
  #copyChoices(source: Source, copy: Copy, depth: number): void {
    const { schema } = copy;
    const take = (inner: unknown): JSONSchemaRef | undefined => {
      const taken = this.#take(inner, depth + 1);
      const known = isRecord(inner) ? this.#copies.get(inner) : undefined;
      copy.height = Math.max(copy.height, 1 + (known?.height ?? 0));
      // The service looks for a member that distinguishes choices.
      copy.cost += Math.ceil((known?.names ?? 0) / NAMES);
      return taken;
    };
    const takeAll = (list: unknown): JSONSchemaRef[] | undefined => {
      if (!Array.isArray(list) || list.length === 0) return undefined;
      const taken = list.map(take);
      // Without one of its choices a list would refuse what fits that choice.
      return taken.every(each => each !== undefined) ? taken.toSorted(byDetail) : undefined;
    };
    const parts = asList(source['allOf']).flatMap(inner => take(inner) ?? []);
    if (parts.length > 0) schema.allOf = parts;
    const anyOf = takeAll(source['anyOf']);
    const types = anyOf && schema.type === undefined ? joinTypes(asList(source['anyOf'])) : undefined;
    if (types) schema.type = types;
    else if (anyOf) schema.anyOf = anyOf;
    const oneOf = takeAll(source['oneOf']);
    // Choices that differ only in what is left out would all fit.
    if (oneOf && this.#isExact(source['oneOf'])) schema.oneOf = oneOf;
    else if (oneOf && !anyOf) schema.anyOf = oneOf;
    for (const key of ['not', 'if', 'then', 'else'] as const) {
      const negated = source[key === 'not' ? 'not' : 'if'];
      if (source[key] === undefined || negated === undefined || !this.#isExact(negated)) continue;
      const taken = take(source[key]);
      if (taken !== undefined) schema[key] = taken;
    }
    const dependent = { ...asRecord(source['dependencies']), ...asRecord(source['dependentSchemas']) };
    const schemas = Object.entries(dependent).flatMap(([key, inner]) => {
      const taken = isRecord(inner) ? take(inner) : undefined;
      return isRecord(taken) ? [[key, taken] as const] : [];
    });
    if (schemas.length > 0) schema.dependentSchemas = Object.fromEntries(schemas);
  }

  /** Copies the schemas of members and items. */
  #copyInner(source: Source, { schema }: Copy): void {
    const later = (inner: unknown, set: (copied: JSONSchemaRef) => void): void => {
      if (inner === undefined || ++this.#count > MAX_COPIED) return;
      this.#later.push(() => set(this.#take(inner, 0) ?? true));
    };
    const { properties } = source;
    if (isRecord(properties)) {
      const copied = new Map<string, JSONSchemaRef>(Object.keys(properties).map(name => [name, true]));
      // Runs after what is added below. An object is not filled by assignment, because a name may be `__proto__`.
      this.#later.push(() => (schema.properties = Object.fromEntries(copied)));
      for (const [name, inner] of Object.entries(properties)) later(inner, value => copied.set(name, value));
    }
    // A list in `items` is the older form of `prefixItems`.
    const isList = Array.isArray(source['items']);
    const first = source['prefixItems'] ?? (isList ? source['items'] : undefined);
    if (Array.isArray(first)) {
      const copied: JSONSchemaRef[] = first.map(() => true);
      schema.prefixItems = copied;
      for (const [index, inner] of first.entries()) later(inner, value => (copied[index] = value));
    }
    later(isList ? source['additionalItems'] : source['items'], value => (schema.items = value));
    later(source['propertyNames'], value => (schema.propertyNames = value));
    if (source['contains'] !== undefined && this.#isExact(source['contains']))
      later(source['contains'], value => (schema.contains = value));
    // A name that fits a pattern would be reported as unknown.
    if (source['patternProperties'] === undefined)
      later(source['additionalProperties'], value => (schema.additionalProperties = value));
  }

  /** True for schemas whose copy has all of their keywords, so that its negation is right, too. */
  #isExact(source: unknown): boolean {
    const known = this.#exact.get(source) ?? !LEFT_OUT.test(JSON.stringify(source));
    this.#exact.set(source, known);
    return known;
  }
}

const NUMBERS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
] as const;
const VALUES = ['enum', 'const', 'default', 'examples'] as const;
const LIMITS = ['exclusiveMinimum', 'exclusiveMaximum'] as const;
const WORDS = ['title', 'description'] as const;

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
type TypeName = (typeof TYPES)[number];

/** The cost of comparing a value. */
const COMPARED = 10;
/** The numbers of characters and of properties of a schema that cost as much as a value. */
const CHARACTERS = 16;
const NAMES = 8;

function lengthOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS) - 1;
}

/** The types; undefined if one is unknown. */
function readType(value: unknown): TypeName | TypeName[] | undefined {
  const names = (Array.isArray(value) ? value : [value]).map(name => TYPES.find(type => type === name));
  const known = names.filter(name => name !== undefined);
  if (known.length < names.length || known.length === 0) return undefined;
  return known.length === 1 ? known[0] : known;
}

const LEFT_OUT =
  /"(?:pattern|patternProperties|uniqueItems|multipleOf|\$ref|\$dynamicRef|\$recursiveRef|unevaluated\w+)":/;

/**
 * The order of choices: objects first. If no choice fits, and none fits better, the service reports what is
 * wrong for the first one, and of an object that is a member rather than the type.
 */
function byDetail(one: JSONSchemaRef, other: JSONSchemaRef): number {
  return Number(isObjectSchema(other)) - Number(isObjectSchema(one));
}

function isObjectSchema(schema: JSONSchemaRef): boolean {
  return isRecord(schema) && schema['type'] === 'object';
}

/** The types of choices that are types alone, such as a text or null, so that a message names all of them. */
function joinTypes(choices: readonly unknown[]): string[] | undefined {
  const types = choices.map(choice =>
    isRecord(choice) && Object.keys(choice).every(key => key === 'type' || key === 'title')
      ? readType(choice['type'])
      : undefined,
  );
  const named = types.flatMap(type => type ?? []);
  return types.includes(undefined) ? undefined : [...new Set(named)];
}

function asRecord(value: unknown): Source {
  return isRecord(value) ? value : {};
}

function decodeStep(step: string): string {
  return decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
