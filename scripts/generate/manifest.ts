import { MANIFESTS } from '../../client/src/features/manifests.ts';
import { LANGUAGES, type LanguageRow } from '../../core/catalog/languages.ts';
import { RULE_SEVERITIES, SETTABLE_RULES, SETTINGS, type SettingRow } from '../../core/catalog/settings.ts';
import { TOKEN_KINDS } from '../../core/catalog/token-kinds.ts';
import { isRecord } from '../../core/guard.ts';
import { blockScope, MARKDOWN_GRAMMAR } from '../../syntaxes/src/markdown.ts';
import { SSE_DATA_SCOPE, SSE_GRAMMAR, SSE_LANGUAGE } from '../../syntaxes/src/sse.ts';
import { printContributions } from './contributions.ts';

/** The generated blocks of the manifest; the others are maintained by hand. */
const GENERATED_BLOCKS = 'contributes, but for viewsContainers, customEditors and jsonValidation';

/**
 * Fills the generated blocks of the manifest with the languages, grammars and settings of the catalog and
 * the contributions of the extension's features; everything else and the order are unchanged. Throws if package.json is not an object.
 */
export function fillManifest(manifest: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(manifest)) throw new Error('fillManifest: package.json is not an object');
  const contributes = isRecord(manifest['contributes']) ? manifest['contributes'] : {};
  const generated = {
    ...printContributions(MANIFESTS),
    languages: [...LANGUAGES.map(languageBlock), AGENTS_FILE, EVENTS_BLOCK],
    configurationDefaults: Object.fromEntries(
      LANGUAGES.map(row => [`[${row.id}]`, row.id === 'aicl' ? AICL_DEFAULTS : EDITOR_DEFAULTS]),
    ),
    grammars: [...LANGUAGES.map(grammarBlock), MARKDOWN_BLOCK, EVENTS_GRAMMAR],
    semanticTokenScopes: LANGUAGES.map(row => ({ language: row.id, scopes: TOKEN_SCOPES })),
    configuration: [...Map.groupBy(SETTINGS, row => row.group)].map(([title, rows]) => ({
      title,
      properties: Object.fromEntries(
        rows.map((row, order) => [`parley.${row.key}`, { order, ...settingBlock(row) }]),
      ),
    })),
  };
  return {
    ...manifest,
    contributes: { ...contributes, ...generated },
    generated: `${GENERATED_BLOCKS}: npm run generate`,
  };
}

function grammarBlock(row: LanguageRow): unknown {
  return {
    language: row.id,
    scopeName: row.scope,
    path: `./syntaxes/${row.id}.tmLanguage.json`,
    ...(row.id === 'aicf' && { embeddedLanguages: { 'meta.embedded.json.aicf': 'json' } }),
  };
}

/** The grammar of fenced blocks in Markdown. */
const MARKDOWN_BLOCK = {
  scopeName: MARKDOWN_GRAMMAR.scopeName,
  path: './syntaxes/markdown.tmLanguage.json',
  injectTo: ['text.html.markdown'],
  embeddedLanguages: Object.fromEntries(LANGUAGES.map(row => [blockScope(row), row.id])),
};

/** The language of server-sent events, in which traces show recorded bodies. */
const EVENTS_BLOCK = { id: SSE_LANGUAGE.id, aliases: [SSE_LANGUAGE.title] };
const EVENTS_GRAMMAR = {
  language: SSE_LANGUAGE.id,
  scopeName: SSE_GRAMMAR.scopeName,
  path: './syntaxes/sse.tmLanguage.json',
  embeddedLanguages: { [SSE_DATA_SCOPE]: 'json' },
};

/** The TextMate scopes that are used for tokens for which a theme has no semantic rule. */
const TOKEN_SCOPES = Object.fromEntries(TOKEN_KINDS.map(row => [row.name, row.scopes]));

/** The agents file may contain comments, like VS Code's own files. */
const AGENTS_FILE = { id: 'jsonc', filenamePatterns: ['**/.vscode/agents.json'] };

/** Indentation as in the formatter's output, and semantic highlighting even in themes that do not request it. */
const EDITOR_DEFAULTS = {
  'editor.tabSize': 2,
  'editor.insertSpaces': true,
  'editor.detectIndentation': false,
  'editor.semanticHighlighting.enabled': true,
  // Enter after a complete word starts a new line although completion still proposes the word.
  'editor.acceptSuggestionOnEnter': 'smart',
};

/** Formatting on type escapes a bracket that is typed in a text. */
const AICL_DEFAULTS = { ...EDITOR_DEFAULTS, 'editor.formatOnType': true };

function languageBlock(row: LanguageRow): unknown {
  return {
    id: row.id,
    aliases: [row.title, row.id],
    extensions: row.extensions,
    configuration: `./syntaxes/${row.id}.language-configuration.json`,
  };
}

/** An object with a severity for each rule, so that editors complete and describe the codes. */
const SEVERITIES_BLOCK = {
  type: 'object',
  properties: Object.fromEntries(
    SETTABLE_RULES.map(row => [row.code, { enum: RULE_SEVERITIES, description: row.title }]),
  ),
  additionalProperties: false,
};

/** The members of an agent are validated when they are read. */
const AGENTS_BLOCK = { type: 'object', additionalProperties: { type: 'object' } };

const COLLECTOR_BLOCK = {
  type: 'object',
  properties: {
    url: { type: 'string' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    content: { type: 'boolean' },
  },
  additionalProperties: false,
};

function blockOf(type: SettingRow['type']): object {
  if (type === 'severities') return SEVERITIES_BLOCK;
  if (type === 'agents') return AGENTS_BLOCK;
  if (type === 'names') return { type: 'array', items: { type: 'string' } };
  return type === 'collector' ? COLLECTOR_BLOCK : { type };
}

/** Types of settings that only the user can set, not a workspace. */
const OF_THE_USER: ReadonlySet<SettingRow['type']> = new Set(['agents', 'collector', 'names']);

function settingBlock(row: SettingRow): object {
  return {
    ...blockOf(row.type),
    ...(row.values && { enum: row.values }),
    ...(row.valueSummaries && { markdownEnumDescriptions: row.valueSummaries }),
    ...(row.minimum !== undefined && { minimum: row.minimum }),
    default: row.default,
    markdownDescription: row.summary,
    // The server reads settings once for the whole window. Settings
    // that start processes or send secrets belong to the user.
    scope: OF_THE_USER.has(row.type) ? 'application' : 'window',
  };
}
