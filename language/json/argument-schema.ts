import type { Span } from '../../core/text/span.ts';
import type { SchemaWords } from './schema-words.ts';

/** What the JSON Schema of an argument says about JSON in it. Spans are relative to the JSON. */
export interface ArgumentSchema {
  /** The violations, in the order of the text. Empty for invalid JSON and if a check would be too much work. */
  readonly check: (json: string) => readonly SchemaFault[];
  /** The names or values that may be typed at an offset of possibly incomplete JSON. */
  readonly complete: (json: string, offset: number) => SchemaProposals;
  /** The title, description, allowed values and default of a value, given by its span; as plain texts. */
  readonly describe: (json: string, value: Span) => readonly string[];
}

/** A violation of a schema. */
export interface SchemaFault extends SchemaWords {
  readonly span: Span;
  /** JSON that may replace the span. */
  readonly mends: readonly string[];
}

/** What a schema proposes at a position. */
export interface SchemaProposals {
  readonly names: readonly SchemaProposal[];
  readonly values: readonly SchemaProposal[];
}

/** A name or a value. */
export interface SchemaProposal {
  /** A name without quotation marks, or a value as JSON. */
  readonly label: string;
  /** One line about it; may be empty. */
  readonly detail: string;
  /** The value as JSON; for a name the value of its member. */
  readonly value: readonly SnippetPart[];
}

/** JSON text, or a place for the cursor with a default text. */
export type SnippetPart = string | { readonly stop: string };

/** The schemas of a tool's arguments, by name. */
export interface ArgumentSchemas {
  readonly find: (argument: string) => ArgumentSchema | undefined;
  /** The schema of the object with all arguments. */
  readonly whole: () => ArgumentSchema | undefined;
}
