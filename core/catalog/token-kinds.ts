/**
 * Kinds of highlighted text: standard semantic token types of the Language Server Protocol, which every theme supports.
 * `scopes` are the corresponding TextMate scopes, so that editors that use both choose the same colour.
 */
export const TOKEN_KINDS = [
  { name: 'comment', scopes: ['comment'] },
  /** `@agent` in a container line. */
  { name: 'decorator', scopes: ['keyword.other.directive'] },
  /** The value of a directive, and `{{name}}`. */
  { name: 'variable', scopes: ['variable.other'] },
  { name: 'property', scopes: ['support.type.property-name.json'] },
  { name: 'string', scopes: ['string'] },
  { name: 'number', scopes: ['constant.numeric'] },
  /** `true`, `false`, `null`. */
  { name: 'enumMember', scopes: ['constant.language'] },
  /** Commands. */
  { name: 'keyword', scopes: ['keyword.control'] },
  /** Message types, data types, argument types. */
  { name: 'type', scopes: ['entity.name.type', 'support.type'] },
  /** Tools. */
  { name: 'function', scopes: ['entity.name.function'] },
  { name: 'parameter', scopes: ['variable.parameter'] },
  /** Sections of context files. */
  { name: 'namespace', scopes: ['entity.name.section'] },
  /** Escapes: most themes colour them like regular expressions, and there is no closer standard type. */
  { name: 'regexp', scopes: ['constant.character.escape'] },
  /** Brackets and delimiters in lines that are too long for the TextMate grammars. */
  { name: 'operator', scopes: ['punctuation'] },
] as const satisfies readonly TokenKindRow[];

export interface TokenKindRow {
  readonly name: string;
  readonly scopes: readonly string[];
}

export type TokenKind = (typeof TOKEN_KINDS)[number]['name'];
