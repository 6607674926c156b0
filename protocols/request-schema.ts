/** A JSON Schema as data. */
export type Schema = Readonly<Record<string, unknown>>;

/** What requests of a protocol hold, for checks, completion and hover in files with requests in JSON. */
export interface RequestSchema {
  /** The schema of a whole request. For JSON-RPC its `params` are described by its method. */
  readonly request: Schema;
  /** The methods of JSON-RPC, by name. */
  readonly methods?: Readonly<Record<string, MethodRow>>;
}

export interface MethodRow {
  /** One sentence. */
  readonly summary: string;
  /** The schema of `params`; undefined where any fit. */
  readonly params?: Schema;
}

/** Something with a description. */
export function described(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export const TEXT: Schema = { type: 'string' };
export const NUMBER: Schema = { type: 'number' };
export const INTEGER: Schema = { type: 'integer' };
export const BOOLEAN: Schema = { type: 'boolean' };
export const ANY_OBJECT: Schema = { type: 'object' };

export function text(description: string): Schema {
  return described(TEXT, description);
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function oneOf(...values: readonly string[]): Schema {
  return { enum: values };
}

/** An object with known members, and any others. */
export function objectOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  description?: string,
): Schema {
  return { type: 'object', properties, required, ...(description !== undefined && { description }) };
}

/** The schema of a request of JSON-RPC 2.0. What is missing in its envelope is filled in when it is sent. */
export function rpcRequest(methods: Readonly<Record<string, MethodRow>>): RequestSchema {
  const request = objectOf(
    {
      jsonrpc: described({ const: '2.0' }, 'The version of JSON-RPC; filled in where it is missing.'),
      id: described(
        { type: ['string', 'number', 'null'] },
        'The id of the request; filled in where it is missing.',
      ),
      method: text('The method to call.'),
      params: described({ type: ['object', 'array'] }, 'The parameters of the method.'),
    },
    ['method'],
  );
  return { request, methods };
}
