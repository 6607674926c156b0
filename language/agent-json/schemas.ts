import type { ArgumentSchema } from '../json/argument-schema.ts';

/** What is known of a method of a protocol. */
export interface MethodSchema {
  readonly summary: string;
  /** The schema of its `params`. */
  readonly params: ArgumentSchema | undefined;
}

/** What is known of the requests of a protocol. */
export interface RequestSchemas {
  /** The schema of a whole request, with any `params`. */
  readonly request: ArgumentSchema | undefined;
  readonly methods: ReadonlyMap<string, MethodSchema>;
}

/** The schemas by the names of protocols. Empty in programs that only send. */
export type SchemasByProtocol = ReadonlyMap<string, RequestSchemas>;

export const NO_SCHEMAS: SchemasByProtocol = new Map();
