import { LANGUAGES, type LanguageRow } from '../../protocol/src/catalog/languages.ts';
import { SETTINGS, type SettingRow } from '../../protocol/src/catalog/settings.ts';
import { isRecord } from '../../protocol/src/wire/guard.ts';

/** The blocks of the manifest that are written here; people write the rest. */
const GENERATED_BLOCKS =
  'contributes.languages, contributes.grammars, contributes.configurationDefaults, contributes.configuration';

/**
 * The manifest with its generated blocks: languages, grammars, snippets and settings as the catalog has them. Everything
 * else stays as it is, in its order. Throws where package.json is not the manifest of an extension.
 */
export function fillManifest(manifest: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(manifest)) throw new Error('fillManifest: package.json is no object');
  const contributes = isRecord(manifest['contributes']) ? manifest['contributes'] : {};
  const generated = {
    languages: [...LANGUAGES.map(languageBlock), AGENTS_FILE],
    configurationDefaults: Object.fromEntries(LANGUAGES.map(row => [`[${row.id}]`, EDITOR_DEFAULTS])),
    grammars: LANGUAGES.map((row: LanguageRow) => ({
      language: row.id,
      scopeName: row.scope,
      path: `./syntaxes/${row.id}.tmLanguage.json`,
      ...(row.id === 'aicf' && { embeddedLanguages: { 'meta.embedded.json.aicf': 'json' } }),
    })),
    snippets: LANGUAGES.map((row: LanguageRow) => ({
      language: row.id,
      path: `./syntaxes/${row.id}.snippets.json`,
    })),
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

/** The agents file may hold comments, as VS Code's own files do. */
const AGENTS_FILE = { id: 'jsonc', filenamePatterns: ['**/.vscode/agents.json'] };

/** What the formatter writes is what the editor indents with. */
const EDITOR_DEFAULTS = {
  'editor.tabSize': 2,
  'editor.insertSpaces': true,
  'editor.detectIndentation': false,
};

function languageBlock(row: LanguageRow): unknown {
  return {
    id: row.id,
    aliases: [row.title, row.id],
    extensions: [row.extension],
    configuration: `./syntaxes/${row.id}.language-configuration.json`,
  };
}

function settingBlock(row: SettingRow): unknown {
  return {
    type: row.type,
    ...(row.values && { enum: row.values }),
    ...(row.minimum !== undefined && { minimum: row.minimum }),
    default: row.default,
    markdownDescription: row.summary,
    // The server asks once for the whole window.
    scope: 'window',
  };
}
