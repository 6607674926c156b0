import type { LanguageId } from '../catalog/languages.ts';
import type { RuleCode } from '../catalog/rules.ts';
import type { Settings } from '../catalog/settings.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Issue } from '../text/issue.ts';
import type { LineIndex } from '../text/line-index.ts';
import type { SourceText } from '../text/source-text.ts';
import type { Span } from '../text/span.ts';
import type { Directives } from './directives.ts';

/** Help for the thing under the cursor. */
export interface Hover {
  readonly span: Span;
  /** Markdown; text from the document in it is escaped. */
  readonly markdown: string;
}

export const COMPLETION_KINDS = ['message', 'field', 'type', 'value', 'command', 'tool'] as const;
export type CompletionKind = (typeof COMPLETION_KINDS)[number];

/** One proposal. Accepting it replaces `span`, which holds the cursor, by `newText`. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A few words beside the label. */
  readonly detail: string;
  /** Markdown. */
  readonly documentation?: string;
  readonly span: Span;
  /** Plain text, or with `isSnippet` a snippet in the LSP's syntax. */
  readonly newText: string;
  readonly isSnippet: boolean;
  /** Proposals are listed by this, then by label. */
  readonly rank: number;
}

export const SYMBOL_KINDS = ['message', 'call', 'reply', 'field', 'section', 'error'] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** A line of the outline. `nameSpan` lies in `span`; children lie in their parent. */
export interface OutlineSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: SymbolKind;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineSymbol[];
}

/** A range of lines that can be folded: from the line of `start` to the line of `end`. */
export interface Fold {
  readonly span: Span;
  readonly kind: 'region' | 'comment';
}

/** A message or line that can be sent to an agent. */
export interface SendableRequest {
  /** The message as it stands in the text. */
  readonly span: Span;
  /** The tool, query or message type: what a list of calls shows. */
  readonly title: string;
  /** What the container lines above it say. */
  readonly directives: Directives;
  /** What goes over the wire for it. */
  readonly wireText: string;
  /** Why it can never be sent as it stands, whatever the user says; undefined where nothing forbids it. */
  readonly refusal: string | undefined;
}

/** What a document in one of our languages can answer. Positions are UTF-16 offsets. Nothing here throws. */
export interface OpenDocument {
  readonly language: LanguageId;
  readonly text: SourceText;
  readonly lines: LineIndex;
  /** The document after an edit of its text; this one stays as it is. */
  edit(edit: TextEdit): OpenDocument;
  /** All issues in order of their place, at most `settings.maxIssues`, the last one naming how many more there are. */
  validate(): readonly Issue<RuleCode>[];
  hover(offset: number): Hover | undefined;
  complete(offset: number): readonly Completion[];
  symbols(): readonly OutlineSymbol[];
  folds(): readonly Fold[];
  /** Edits that format the whole text; what cannot be read is left as it is. */
  format(): readonly TextEdit[];
  /** Requests in the order of the text, each with what its container lines say. */
  requests(): readonly SendableRequest[];
}

/** A parsed text as a language's own functions share it. */
export interface ParsedText {
  readonly text: SourceText;
  readonly lines: LineIndex;
  readonly settings: Settings;
}

/** A language's functions, each over the parsed text. */
export interface LanguageParts<Doc extends ParsedText> {
  parse(text: string, settings: Settings): Doc;
  /** The document after an edit, the same as `parse` of the new text gives; without it the text is parsed anew. */
  edit?(doc: Doc, edit: TextEdit): Doc;
  validate(doc: Doc): readonly Issue<RuleCode>[];
  hover(doc: Doc, offset: number): Hover | undefined;
  complete(doc: Doc, offset: number): readonly Completion[];
  symbols(doc: Doc): readonly OutlineSymbol[];
  folds(doc: Doc): readonly Fold[];
  format(doc: Doc): readonly TextEdit[];
  requests(doc: Doc): readonly SendableRequest[];
}

/** What a language gives to a server, a command line or a test. */
export interface LanguageSupport {
  readonly id: LanguageId;
  open(text: string, settings: Settings): OpenDocument;
}

/** Binds a language's functions into its support. */
export function bindLanguage<Doc extends ParsedText>(
  id: LanguageId,
  parts: LanguageParts<Doc>,
): LanguageSupport {
  const bind = (doc: Doc): OpenDocument => ({
    language: id,
    text: doc.text,
    lines: doc.lines,
    edit: edit => bind(parts.edit?.(doc, edit) ?? parts.parse(String(doc.text.edit(edit)), doc.settings)),
    validate: () => parts.validate(doc),
    hover: offset => parts.hover(doc, offset),
    complete: offset => parts.complete(doc, offset),
    symbols: () => parts.symbols(doc),
    folds: () => parts.folds(doc),
    format: () => parts.format(doc),
    requests: () => parts.requests(doc),
  });
  return { id, open: (text, settings) => bind(parts.parse(text, settings)) };
}
