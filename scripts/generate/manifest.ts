import { LANGUAGES, type LanguageRow } from '../../core/catalog/languages.ts';
import { RULE_SEVERITIES, SETTABLE_RULES, SETTINGS, type SettingRow } from '../../core/catalog/settings.ts';
import { TOKEN_KINDS } from '../../core/catalog/token-kinds.ts';
import { isRecord } from '../../core/guard.ts';
import { blockScope, MARKDOWN_GRAMMAR } from '../../syntaxes/src/markdown.ts';
import { SSE_DATA_SCOPE, SSE_GRAMMAR, SSE_LANGUAGE } from '../../syntaxes/src/sse.ts';

/** The blocks of the manifest that are written here; people write the rest. */
const GENERATED_BLOCKS =
  'contributes.languages, contributes.grammars, contributes.semanticTokenScopes, contributes.configurationDefaults, contributes.configuration';

/**
 * The manifest with its generated blocks: languages, grammars and settings as the catalog has them. Everything
 * else stays as it is, in its order. Throws where package.json is not the manifest of an extension.
 */
export function fillManifest(manifest: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(manifest)) throw new Error('fillManifest: package.json is no object');
  const contributes = isRecord(manifest['contributes']) ? manifest['contributes'] : {};
  const generated = {
    languages: [...LANGUAGES.map(languageBlock), AGENTS_FILE, EVENTS_BLOCK],
    configurationDefaults: Object.fromEntries(
      LANGUAGES.map(row => [`[${row.id}]`, row.id === 'aicl' ? AICL_DEFAULTS : EDITOR_DEFAULTS]),
    ),
    grammars: [...LANGUAGES.map(grammarBlock), MARKDOWN_BLOCK, EVENTS_GRAMMAR],
    semanticTokenScopes: LANGUAGES.map(row => ({ language: row.id, scopes: TOKEN_SCOPES })),
    configuration: {
      title: 'Parley',
      properties: Object.fromEntries(SETTINGS.map(row => [`parley.${row.key}`, settingBlock(row)])),
    },
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

/** Fenced blocks in Markdown. */
const MARKDOWN_BLOCK = {
  scopeName: MARKDOWN_GRAMMAR.scopeName,
  path: './syntaxes/markdown.tmLanguage.json',
  injectTo: ['text.html.markdown'],
  embeddedLanguages: Object.fromEntries(LANGUAGES.map(row => [blockScope(row), row.id])),
};

/** Bodies of server-sent events, which traces show as documents. */
const EVENTS_BLOCK = { id: SSE_LANGUAGE.id, aliases: [SSE_LANGUAGE.title] };
const EVENTS_GRAMMAR = {
  language: SSE_LANGUAGE.id,
  scopeName: SSE_GRAMMAR.scopeName,
  path: './syntaxes/sse.tmLanguage.json',
  embeddedLanguages: { [SSE_DATA_SCOPE]: 'json' },
};

/** The colours that a theme has no own rule for come from what the grammars call the same things. */
const TOKEN_SCOPES = Object.fromEntries(TOKEN_KINDS.map(row => [row.name, row.scopes]));

/** The agents file may hold comments, as VS Code's own files do. */
const AGENTS_FILE = { id: 'jsonc', filenamePatterns: ['**/.vscode/agents.json'] };

/** What the formatter writes is what the editor indents with; colours by meaning do not wait for the theme to ask. */
const EDITOR_DEFAULTS = {
  'editor.tabSize': 2,
  'editor.insertSpaces': true,
  'editor.detectIndentation': false,
  'editor.semanticHighlighting.enabled': true,
  // Enter after a word that is whole ends the line, although the word is still proposed.
  'editor.acceptSuggestionOnEnter': 'smart',
};

/** Formatting on type spells a bracket that is typed in a text. */
const AICL_DEFAULTS = { ...EDITOR_DEFAULTS, 'editor.formatOnType': true };

function languageBlock(row: LanguageRow): unknown {
  return {
    id: row.id,
    aliases: [row.title, row.id],
    extensions: [row.extension],
    configuration: `./syntaxes/${row.id}.language-configuration.json`,
  };
}

/** An object with a severity for any rule, so that editors complete the codes and say what each rule is. */
const SEVERITIES_BLOCK = {
  type: 'object',
  properties: Object.fromEntries(
    SETTABLE_RULES.map(row => [row.code, { enum: RULE_SEVERITIES, description: row.title }]),
  ),
  additionalProperties: false,
};

/** What an agent holds is checked where it is read. */
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

/** A folder cannot bring its own. */
const OF_THE_USER: ReadonlySet<SettingRow['type']> = new Set(['agents', 'collector', 'names']);

function settingBlock(row: SettingRow): unknown {
  return {
    ...blockOf(row.type),
    ...(row.values && { enum: row.values }),
    ...(row.minimum !== undefined && { minimum: row.minimum }),
    default: row.default,
    markdownDescription: row.summary,
    // The server asks once for the whole window; what starts processes or sends secrets is the user's alone.
    scope: OF_THE_USER.has(row.type) ? 'application' : 'window',
  };
}
